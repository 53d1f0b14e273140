import { type CaseKind, DECISION_WORDS, type DecisionClass } from '../../core/browser.ts';
import { type BoardClass, type BoardRows, isHarmClass } from './board-classes.ts';
import { type BoardLayout, LINE, layOutBoard, markCentre } from './board-layout.ts';
import type { ChartLink } from './chart-links.ts';
import { whole } from './number-text.ts';
import { MUTED } from './series-style.ts';
import { type ChartDocument, svgElement } from './svg-chart.ts';

/** One mark per record, by what each case calls for and how the decision turned out. */
export interface BoardChart {
  readonly title: string;
  /** The numbers in words. */
  readonly description: string;
  readonly rows: BoardRows;
  /** The least confidence of an accepted answer. Default: every answer is accepted. */
  readonly threshold?: number | null;
  /** In pixels. Default: that of a report. */
  readonly width?: number;
}

/** Where the records of a class are listed, and what a screen reader says after its count. */
export type BoardLinks = (kind: CaseKind, found: BoardClass) => ChartLink | null;

const WIDTH = 1052;
const GROUND = 'var(--ground, #fff)';
const TEXT = 'var(--text, #1b2430)';
const HARM = 'var(--missed-emergency, #b00020)';
/** The page and the HTML report set the variables; the colours beside them are for a light ground. */
const COLORS: Readonly<Record<DecisionClass, string>> = {
  missed_emergency: HARM,
  answered_should_defer: 'var(--answered-should-defer, #a0186b)',
  wrong_answer: 'var(--wrong-answer, #b44700)',
  deferred_without_need: 'var(--deferred-without-need, #7a6200)',
  unusable: 'var(--unusable, #6b5b95)',
  failed: MUTED,
  answered_either: 'var(--answered-either, #8b86a3)',
  deferred_either: 'var(--deferred-either, #8a8f98)',
  rightly_deferred: 'var(--rightly-deferred, #6f9a8d)',
  right_answer: 'var(--right-answer, #7391ab)',
};

/** Shapes drawn over each other; sizes are shares of the room of a mark. */
interface Layer {
  readonly shape: 'dot' | 'square' | 'cross' | 'dash' | 'diamond';
  readonly size: number;
  readonly isHole?: boolean;
}
const FILLED: readonly Layer[] = [{ shape: 'dot', size: 0.76 }];
const RING: readonly Layer[] = [
  { shape: 'dot', size: 0.76 },
  { shape: 'dot', size: 0.48, isHole: true },
];
/** Classes differ by shape as well as by colour. */
const SHAPES: Readonly<Record<DecisionClass, readonly Layer[]>> = {
  missed_emergency: [
    { shape: 'dot', size: 0.92 },
    { shape: 'dot', size: 0.34, isHole: true },
  ],
  answered_should_defer: [{ shape: 'cross', size: 0.66 }],
  wrong_answer: [{ shape: 'square', size: 0.72 }],
  deferred_without_need: RING,
  unusable: [{ shape: 'diamond', size: 0.84 }],
  failed: [{ shape: 'dash', size: 0.7 }],
  answered_either: FILLED,
  deferred_either: RING,
  rightly_deferred: RING,
  right_answer: FILLED,
};

/** Draws a board as the text of an SVG element. A class is one path or two, so that a long run needs no more elements than a short one. */
export function boardChart(chart: BoardChart, document: ChartDocument, linkOf?: BoardLinks): string {
  const { title, description, rows, threshold = null, width = WIDTH } = chart;
  const layout = layOutBoard(rows, threshold, width);
  return drawBoard({ layout, title, description, isCompared: threshold !== null }, document, linkOf);
}

interface DrawnBoard extends Pick<BoardChart, 'title' | 'description'> {
  readonly layout: BoardLayout;
  /** Whether counts without the threshold stand before those with it. */
  readonly isCompared: boolean;
}

export function drawBoard(
  { layout, title, description, isCompared }: DrawnBoard,
  document: ChartDocument,
  linkOf?: BoardLinks,
): string {
  const { width, height, kinds } = layout;
  const make = (name: string, attributes: Readonly<Record<string, string | number>>, text?: string) =>
    svgElement(document, name, attributes, text);
  const svg = make('svg', {
    class: 'krisis-board',
    viewBox: `0 0 ${width} ${height}`,
    width,
    height,
    fill: 'currentColor',
    'font-family': 'system-ui, sans-serif',
    'font-size': 13,
    role: linkOf === undefined ? 'img' : 'group',
  });
  svg.append(make('title', {}, title), make('desc', {}, description));
  for (const kind of kinds) {
    const { x, y, n, isFramed, classes, marks } = kind;
    const hidden = linkOf === undefined ? {} : { 'aria-hidden': 'true' };
    if (isFramed) {
      const box = { x: 1, y, width: kind.width - 2, height: kind.height, rx: 8 };
      svg.append(make('rect', { ...box, fill: 'none', stroke: HARM, 'stroke-width': 2 }));
    }
    const head = make('text', { x, y: y + (isFramed ? 28 : 14), ...hidden });
    head.append(
      make('tspan', { 'font-size': 15, 'font-weight': 'bold' }, KIND_TITLES[kind.kind]),
      make('tspan', { dx: 6, fill: MUTED }, whole(n)),
    );
    svg.append(head);
    for (const found of classes) {
      svg.append(classLine(found, kind.kind, { isCompared, make, linkOf }));
      for (const { first, nMarks, isMoved } of found.segments) {
        const runs = joinMarks(marks, first, nMarks);
        if (isMoved && nMarks > 0)
          svg.append(markPath(make, runs, { shape: 'dot', size: 0.86 }, marks.pitch, TEXT));
        svg.append(...drawMarks(make, runs, found.name, marks.pitch, isMoved));
      }
    }
  }
  return svg.outerHTML;
}

/** Headings, which name what a case calls for. */
const KIND_TITLES: Readonly<Record<CaseKind, string>> = {
  must_act: 'Emergencies',
  should_defer: 'Should be deferred',
  can_answer: 'Can be answered',
  either: 'Either is defensible',
};

type Make = (
  name: string,
  attributes: Readonly<Record<string, string | number>>,
  text?: string,
) => ReturnType<typeof svgElement>;

interface LineOptions {
  readonly isCompared: boolean;
  readonly make: Make;
  readonly linkOf: BoardLinks | undefined;
}

/** The sign of a class, its name and its count; a link where the class has records. */
function classLine(
  found: BoardLayout['kinds'][number]['classes'][number],
  kind: CaseKind,
  { isCompared, make, linkOf }: LineOptions,
) {
  const { name, before, now, x, y, width } = found;
  const isHarm = isHarmClass(name) && now > 0;
  const link = linkOf?.(kind, found) ?? null;
  const words = kind === 'either' ? (EITHER_WORDS[name] ?? DECISION_WORDS[name]) : DECISION_WORDS[name];
  const count = isCompared && before !== now ? `${whole(before)} → ${whole(now)}` : whole(now);
  const group =
    link === null
      ? make('g', linkOf === undefined ? {} : { 'aria-hidden': 'true' })
      : make('a', {
          href: link.href,
          // Begins with the text that is seen.
          'aria-label': `${words} ${count}, ${link.label}`,
          'data-chart-link': '',
          'data-kind': kind,
          'data-class': name,
        });
  const isBold = isHarm || before !== now;
  group.append(
    make('rect', { x, y, width, height: LINE, fill: 'transparent' }),
    ...drawMarks(make, [{ x: x + 7, y: y + LINE / 2, n: 1 }], name, 13, false),
    make('text', { x: x + 20, y: y + 14, ...(isHarm && { 'font-weight': 'bold' }) }, `${words} `),
    make(
      'text',
      { x: x + width, y: y + 14, 'text-anchor': 'end', ...(isBold && { 'font-weight': 'bold' }) },
      count,
    ),
  );
  return group;
}

/** Under the heading `Either is defensible` the words need not repeat it. */
const EITHER_WORDS: Partial<Record<DecisionClass, string>> = {
  answered_either: 'answered, no label',
  deferred_either: 'deferred',
};

/** Marks beside each other: the middle of the first, and how many there are. */
interface Run {
  readonly x: number;
  readonly y: number;
  readonly n: number;
}

function joinMarks(marks: BoardLayout['kinds'][number]['marks'], first: number, n: number): Run[] {
  const runs: Run[] = [];
  for (let place = first; place < first + n; ) {
    const end = Math.min(first + n, (Math.floor(place / marks.columns) + 1) * marks.columns);
    runs.push({ ...markCentre(marks, place), n: end - place });
    place = end;
  }
  return runs;
}

/** All marks of a class. */
function drawMarks(
  make: Make,
  runs: readonly Run[],
  name: DecisionClass,
  pitch: number,
  isOutlined: boolean,
) {
  if (runs.length === 0) return [];
  const scale = isOutlined ? 0.9 : 1;
  return SHAPES[name].map(({ shape, size, isHole = false }) =>
    markPath(make, runs, { shape, size: size * scale }, pitch, isHole ? GROUND : COLORS[name]),
  );
}

/** Marks in one path. Dots, squares and dashes are the dashes of a line, so that ten thousand take no more room than ten. */
function markPath(make: Make, runs: readonly Run[], { shape, size }: Layer, pitch: number, color: string) {
  const s = size * pitch;
  const [whole, half, back] = [rounded(s), rounded(s / 2), rounded(pitch)];
  if (shape === 'cross' || shape === 'diamond') {
    const one =
      shape === 'cross'
        ? `l${whole} ${whole}m0-${whole}l-${whole} ${whole}`
        : `l${half}-${half} ${half} ${half}-${half} ${half}z`;
    const next = shape === 'cross' ? `m${back}-${whole}` : `m${back} 0`;
    const top = shape === 'cross' ? s / 2 : 0;
    const d = runs.map(
      ({ x, y, n }) => `M${rounded(x - s / 2)} ${rounded(y - top)}${Array(n).fill(one).join(next)}`,
    );
    return shape === 'diamond'
      ? make('path', { d: d.join(''), fill: color })
      : make('path', { d: d.join(''), fill: 'none', stroke: color, 'stroke-width': rounded(pitch * 0.2) });
  }
  const isDot = shape === 'dot';
  const length = isDot ? 0 : s;
  // A little longer than needed: rounding must not lose the last dash.
  const d = runs.map(
    ({ x, y, n }) =>
      `M${rounded(x - length / 2)} ${rounded(y)}h${rounded((n - 1) * pitch + length + (isDot ? 0.02 : 0))}`,
  );
  return make('path', {
    d: d.join(''),
    fill: 'none',
    stroke: color,
    'stroke-width': shape === 'dash' ? rounded(pitch * 0.2) : whole,
    'stroke-dasharray': `${rounded(length)} ${rounded(pitch - length)}`,
    ...(isDot && { 'stroke-linecap': 'round' }),
  });
}

function rounded(length: number): string {
  return String(Math.round(length * 100) / 100);
}
