/** Colours that people who see red and green alike can tell apart (Okabe and Ito). */
const COLOURS = [
  '#0072b2',
  '#d55e00',
  '#009e73',
  '#cc79a7',
  '#6a3d9a',
  '#8a6d00',
  '#444444',
  '#56b4e9',
] as const;

interface Range {
  readonly lower: number;
  readonly upper: number;
}

interface Axis {
  readonly title: string;
  readonly from: number;
  readonly to: number;
  readonly step: number;
}

/** A point with its intervals; `bounds` is what failed calls leave possible. */
interface Mark {
  readonly name: string;
  readonly x: Range & { readonly value: number };
  readonly y: Range & { readonly value: number };
  readonly bounds?: { readonly x: Range; readonly y: Range } | undefined;
}

const [LEFT, TOP, RIGHT, BOTTOM] = [64, 56, 24, 52];

function svg(width: number, height: number, title: string, parts: readonly string[]): string {
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${escaped(title)}" font-family="system-ui, -apple-system, 'Segoe UI', 'DejaVu Sans', sans-serif" font-size="13" fill="#222">`,
    `<rect width="${width}" height="${height}" fill="#ffffff"/>`,
    ...parts,
    '</svg>',
    '',
  ].join('\n');
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}

const px = (value: number) => String(Number(value.toFixed(1)));

function line(x1: number, y1: number, x2: number, y2: number, style: string): string {
  return `<line x1="${px(x1)}" y1="${px(y1)}" x2="${px(x2)}" y2="${px(y2)}" ${style}/>`;
}

function text(x: number, y: number, words: string, style = ''): string {
  return `<text x="${px(x)}" y="${px(y)}" ${style}>${escaped(words)}</text>`;
}

function ticks({ from, to, step }: Axis): number[] {
  return Array.from({ length: Math.round((to - from) / step) + 1 }, (_, t) => from + t * step);
}

/** Two rates of every model against each other, in percent. `limit` is a line across at a value of y. */
export function scatter(
  about: {
    readonly title: string;
    readonly subtitle: string;
    readonly x: Axis;
    readonly y: Axis;
    readonly limit?: number;
  },
  marks: readonly Mark[],
): string {
  const [width, height] = [760, 470];
  const legend = 190;
  const [right, bottom] = [width - RIGHT - legend, height - BOTTOM];
  const at =
    ({ from, to }: Axis, start: number, end: number) =>
    (value: number) =>
      start + ((Math.min(to, Math.max(from, 100 * value)) - from) / (to - from)) * (end - start);
  const [x, y] = [at(about.x, LEFT, right), at(about.y, bottom, TOP)];
  const parts = frame({ ...about, height, right, bottom }, x, y);
  if (about.limit !== undefined)
    parts.push(
      line(LEFT, y(about.limit), right, y(about.limit), 'stroke="#b00020" stroke-dasharray="6 4"'),
      text(
        right - 4,
        y(about.limit) + 15,
        `limit of ${100 * about.limit} %`,
        'text-anchor="end" fill="#b00020"',
      ),
    );
  for (const [m, { bounds }] of marks.entries()) {
    if (bounds === undefined) continue;
    const [x1, x2, y1, y2] = [x(bounds.x.lower), x(bounds.x.upper), y(bounds.y.upper), y(bounds.y.lower)];
    const style = `fill="${COLOURS[m]}" fill-opacity="0.08" stroke="${COLOURS[m]}" stroke-opacity="0.7" stroke-dasharray="3 3"`;
    parts.push(`<rect x="${px(x1)}" y="${px(y1)}" width="${px(x2 - x1)}" height="${px(y2 - y1)}" ${style}/>`);
  }
  for (const [m, mark] of marks.entries()) {
    const stroke = `stroke="${COLOURS[m]}" stroke-width="1.6"`;
    const row = TOP + 14 + 22 * m;
    parts.push(
      line(x(mark.x.lower), y(mark.y.value), x(mark.x.upper), y(mark.y.value), stroke),
      line(x(mark.x.value), y(mark.y.lower), x(mark.x.value), y(mark.y.upper), stroke),
      shape(m, x(mark.x.value), y(mark.y.value)),
      shape(m, right + 24, row - 4),
      text(right + 36, row, mark.name),
    );
  }
  const under = TOP + 24 + 22 * marks.length;
  const box = marks.some(({ bounds }) => bounds !== undefined);
  parts.push(
    line(right + 16, under + 4, right + 32, under + 4, 'stroke="#555" stroke-width="1.6"'),
    text(right + 36, under + 8, '95 % interval', 'fill="#555"'),
  );
  if (box)
    parts.push(
      `<rect x="${px(right + 16)}" y="${px(under + 18)}" width="16" height="12" fill="#777" fill-opacity="0.1" stroke="#777" stroke-dasharray="3 3"/>`,
      text(right + 36, under + 29, 'what failed calls', 'fill="#555"'),
      text(right + 36, under + 45, 'leave possible', 'fill="#555"'),
    );
  return svg(width, height, about.title, parts);
}

/** Title and axes of a figure of two rates. */
function frame(
  about: {
    readonly title: string;
    readonly subtitle: string;
    readonly x: Axis;
    readonly y: Axis;
    readonly height: number;
    readonly right: number;
    readonly bottom: number;
  },
  x: (value: number) => number,
  y: (value: number) => number,
): string[] {
  const { height, right, bottom } = about;
  return [
    text(LEFT - 44, 22, about.title, 'font-size="16" font-weight="600"'),
    text(LEFT - 44, 41, about.subtitle, 'fill="#555"'),
    ...ticks(about.x).flatMap((tick) => [
      line(x(tick / 100), TOP, x(tick / 100), bottom, 'stroke="#e6e6e6"'),
      text(x(tick / 100), bottom + 18, `${tick} %`, 'text-anchor="middle" fill="#555"'),
    ]),
    ...ticks(about.y).flatMap((tick) => [
      line(LEFT, y(tick / 100), right, y(tick / 100), 'stroke="#e6e6e6"'),
      text(LEFT - 8, y(tick / 100) + 4, `${tick} %`, 'text-anchor="end" fill="#555"'),
    ]),
    text((LEFT + right) / 2, height - 12, about.x.title, 'text-anchor="middle"'),
    text(
      16,
      (TOP + bottom) / 2,
      about.y.title,
      `text-anchor="middle" transform="rotate(-90 16 ${px((TOP + bottom) / 2)})"`,
    ),
  ];
}

/** A mark is known by its shape as well as by its colour. */
function shape(m: number, x: number, y: number): string {
  const fill = `fill="${COLOURS[m]}"`;
  const points = (corners: readonly (readonly [number, number])[]) =>
    `<polygon points="${corners.map(([dx, dy]) => `${px(x + dx)},${px(y + dy)}`).join(' ')}" ${fill}/>`;
  const shapes = [
    () => `<circle cx="${px(x)}" cy="${px(y)}" r="5.5" ${fill}/>`,
    () =>
      points([
        [-5, -5],
        [5, -5],
        [5, 5],
        [-5, 5],
      ]),
    () =>
      points([
        [0, -6.5],
        [6, 5],
        [-6, 5],
      ]),
    () =>
      points([
        [0, -7],
        [7, 0],
        [0, 7],
        [-7, 0],
      ]),
    () =>
      points([
        [0, 6.5],
        [6, -5],
        [-6, -5],
      ]),
    () =>
      points([
        [-2, -6],
        [2, -6],
        [2, -2],
        [6, -2],
        [6, 2],
        [2, 2],
        [2, 6],
        [-2, 6],
        [-2, 2],
        [-6, 2],
        [-6, -2],
        [-2, -2],
      ]),
  ];
  return shapes[m % shapes.length]!();
}
/** One curve for each name: points of two rates in percent, the second with its interval. */
export function curves(
  about: { readonly title: string; readonly subtitle: string; readonly x: Axis; readonly y: Axis },
  lines: readonly {
    readonly name: string;
    readonly points: readonly { readonly x: number; readonly y: Range & { readonly value: number } }[];
  }[],
): string {
  const [width, height] = [760, 420];
  const [right, bottom] = [width - RIGHT - 130, height - BOTTOM];
  const x = (value: number) =>
    LEFT + ((100 * value - about.x.from) / (about.x.to - about.x.from)) * (right - LEFT);
  const y = (value: number) =>
    bottom + ((100 * value - about.y.from) / (about.y.to - about.y.from)) * (TOP - bottom);
  const parts = frame({ ...about, height, right, bottom }, x, y);
  for (const [l, { name, points }] of lines.entries()) {
    const stroke = `stroke="${COLOURS[l]}" stroke-width="1.6"`;
    const row = TOP + 14 + 22 * l;
    for (const [p, point] of points.entries()) {
      const [at, before] = [x(point.x), points[p - 1]];
      if (before !== undefined)
        parts.push(line(x(before.x), y(before.y.value), at, y(point.y.value), stroke));
      parts.push(
        line(at, y(point.y.lower), at, y(point.y.upper), `${stroke} stroke-opacity="0.6"`),
        shape(l, at, y(point.y.value)),
      );
    }
    parts.push(shape(l, right + 24, row - 4), text(right + 36, row, name));
  }
  return svg(width, height, about.title, parts);
}

/** One line with its interval for each name, in groups that share a colour; `at` are values from 0 to 1. */
export function intervals(
  about: { readonly title: string; readonly subtitle: string; readonly x: Axis },
  rows: readonly {
    readonly name: string;
    readonly group: number;
    readonly at: Range & { readonly value: number };
  }[],
  groups: readonly string[],
): string {
  const [width, step, left] = [760, 22, 240];
  const bottom = TOP + 8 + step * rows.length;
  const height = bottom + BOTTOM + (groups.length > 1 ? 22 : 0);
  const right = width - RIGHT;
  const x = (value: number) =>
    left +
    ((Math.min(about.x.to, Math.max(about.x.from, 100 * value)) - about.x.from) /
      (about.x.to - about.x.from)) *
      (right - left);
  const parts = [
    text(20, 22, about.title, 'font-size="16" font-weight="600"'),
    text(20, 41, about.subtitle, 'fill="#555"'),
    ...ticks(about.x).flatMap((tick) => [
      line(x(tick / 100), TOP, x(tick / 100), bottom, 'stroke="#e6e6e6"'),
      text(x(tick / 100), bottom + 18, String(tick), 'text-anchor="middle" fill="#555"'),
    ]),
    text((left + right) / 2, bottom + 38, about.x.title, 'text-anchor="middle"'),
    ...(about.x.from < 0 ? [line(x(0), TOP, x(0), bottom, 'stroke="#777"')] : []),
  ];
  for (const [r, { name, group, at }] of rows.entries()) {
    const y = TOP + 18 + step * r;
    parts.push(
      text(left - 10, y + 4, name, 'text-anchor="end"'),
      line(x(at.lower), y, x(at.upper), y, `stroke="${COLOURS[group]}" stroke-width="1.8"`),
      shape(group, x(at.value), y),
    );
  }
  if (groups.length > 1) {
    let at = 24;
    for (const [g, name] of groups.entries()) {
      parts.push(shape(g, at, height - 12), text(at + 11, height - 8, name));
      at += 30 + 7.6 * name.length;
    }
  }
  return svg(width, height, about.title, parts);
}
