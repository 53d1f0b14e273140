import * as Plot from '@observablehq/plot';
import { shortened } from './legend.ts';
import { FAINT, MUTED, SHADE } from './series-style.ts';
import { type ChartDocument, svgChart } from './svg-chart.ts';

interface FlowDiagram {
  /** The numbers in words. */
  readonly description: string;
  /** From top to bottom: what went on, and what was left behind after it. */
  readonly steps: readonly { readonly main: readonly string[]; readonly aside: readonly string[] }[];
  /** What the last step divides into, and how each part ended. */
  readonly branches: readonly { readonly head: readonly string[]; readonly ends: readonly string[] }[];
}

interface Place {
  readonly x1: number;
  readonly x2: number;
}

interface Box extends Place {
  readonly lines: readonly string[];
  readonly y1: number;
}

interface Arrow {
  readonly x1: number;
  readonly y1: number;
  readonly x2: number;
  readonly y2: number;
}

/** Text stays above 11 pixels on a phone. */
const WIDTH = 394;
const LINE = 15;
const PAD = 5;
const GAP = 22;
/** Of a letter at the size of the boxes. */
const LETTER = 6.2;
/** Before the rest of a line that was broken; SVG shows plain blanks at the start of a text as nothing. */
const INDENT = '\u2002';
const MAIN = { x1: 1, x2: 168 };
const ASIDE = { x1: 188, x2: WIDTH - 1 };

/** Boxes and arrows: how the records of a suite became the rows of a run, and how those ended. */
export function flowDiagram({ description, steps, branches }: FlowDiagram, document: ChartDocument): string {
  const boxes: Box[] = [];
  const arrows: Arrow[] = [];
  const middle = centre(MAIN);
  let y = 1;
  steps.forEach(({ main, aside }, i) => {
    const box = makeBox(main, MAIN, y);
    boxes.push(box);
    y = bottom(box);
    if (i === steps.length - 1) return;
    const from = y;
    if (aside.length > 0) {
      const left = makeBox(aside, ASIDE, y + PAD);
      const level = (left.y1 + bottom(left)) / 2;
      boxes.push(left);
      arrows.push({ x1: middle, y1: level, x2: ASIDE.x1, y2: level });
      y = bottom(left) + PAD;
    } else y += GAP;
    arrows.push({ x1: middle, y1: from, x2: middle, y2: y });
  });
  const columns = columnsFor(branches.length);
  const centres = columns.map(centre);
  const bar = y + GAP / 2;
  const rules = [
    { x1: middle, y1: y, x2: middle, y2: bar },
    { x1: Math.min(middle, ...centres), y1: bar, x2: Math.max(middle, ...centres), y2: bar },
  ];
  const top = bar + GAP / 2 + 4;
  const heads = branches.map(({ head }, i) => makeBox(head, columns[i]!, top));
  const ends = Math.max(...heads.map(bottom)) + GAP;
  branches.forEach((branch, i) => {
    const head = heads[i]!;
    boxes.push(head, makeBox(branch.ends, columns[i]!, ends));
    arrows.push(
      { x1: centres[i]!, y1: bar, x2: centres[i]!, y2: top },
      { x1: centres[i]!, y1: bottom(head), x2: centres[i]!, y2: ends },
    );
  });
  const height = Math.max(...boxes.map(bottom)) + 1;
  const ends4 = { x1: 'x1', y1: 'y1', x2: 'x2', y2: 'y2' };
  return svgChart(document, {
    title: 'Flow of cases: from the suite to how each case ended',
    description,
    width: WIDTH,
    height,
    marginTop: 0,
    marginRight: 0,
    marginBottom: 0,
    marginLeft: 0,
    x: { domain: [0, WIDTH], axis: null },
    y: { domain: [height, 0], axis: null },
    marks: [
      Plot.link(rules, { ...ends4, stroke: MUTED }),
      Plot.arrow(arrows, { ...ends4, stroke: MUTED, headLength: 7, insetEnd: 1 }),
      Plot.rect(boxes, { x1: 'x1', x2: 'x2', y1: 'y1', y2: bottom, fill: SHADE, stroke: FAINT, rx: 3 }),
      Plot.text(boxes.flatMap(placeLines), {
        x: 'x',
        y: 'y',
        text: 'text',
        textAnchor: 'start',
        lineAnchor: 'middle',
        fontSize: 12,
      }),
    ],
  });
}

/** The parts, side by side. */
function columnsFor(n: number): Place[] {
  const width = n === 1 ? MAIN.x2 - MAIN.x1 : (WIDTH - 2 - (n - 1) * 4) / n;
  const widths = Array<number>(n).fill(width);
  let x = 1;
  return widths.map((width) => {
    const column = { x1: x, x2: x + width };
    x += width + 4;
    return column;
  });
}

/** A box at a height, its lines broken between words where they are too long for it. */
function makeBox(lines: readonly string[], place: Place, y1: number): Box {
  const most = Math.floor((place.x2 - place.x1 - 2 * PAD) / LETTER);
  return { lines: lines.flatMap((line) => broken(line, most)), ...place, y1 };
}

function broken(line: string, most: number): string[] {
  const lines: string[] = [];
  for (const word of line.split(' ')) {
    const longer = lines.length === 0 ? word : `${lines.at(-1)} ${word}`;
    if (lines.length === 0 || longer.length <= most) lines.splice(-1, 1, longer);
    else lines.push(`${INDENT}${word}`);
  }
  return lines.map((text) => shortened(text, most));
}

function placeLines({ lines, x1, y1 }: Box) {
  return lines.map((text, i) => ({ text, x: x1 + PAD, y: y1 + PAD + (i + 0.5) * LINE }));
}

function bottom({ lines, y1 }: Box): number {
  return y1 + lines.length * LINE + 2 * PAD;
}

function centre({ x1, x2 }: Place): number {
  return (x1 + x2) / 2;
}
