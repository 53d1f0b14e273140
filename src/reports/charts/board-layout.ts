import type { CaseKind, DecisionClass } from '../../core/decision-class.ts';
import {
  type BoardKind,
  type BoardRows,
  type BoardSegment,
  boardAt,
  isHarmClass,
  recordsPerMark,
} from './board-classes.ts';

/** A run of marks that stand beside each other. */
interface PlacedSegment extends BoardSegment {
  /** The place of its first mark among those of its kind. */
  readonly first: number;
  readonly nMarks: number;
}

interface PlacedClass {
  readonly name: DecisionClass;
  readonly before: number;
  readonly now: number;
  /** Where its line of text stands. */
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly segments: readonly PlacedSegment[];
}

interface PlacedKind extends Pick<BoardKind, 'kind' | 'n'> {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly isFramed: boolean;
  readonly classes: readonly PlacedClass[];
  readonly marks: {
    readonly x: number;
    readonly y: number;
    readonly columns: number;
    readonly pitch: number;
    readonly n: number;
  };
}

/** Where everything on a board stands, in pixels. */
export interface BoardLayout {
  readonly width: number;
  readonly height: number;
  /** How many records a mark stands for, harms apart. */
  readonly perMark: number;
  readonly kinds: readonly PlacedKind[];
}

/** A mark, by its place. */
export interface BoardMark {
  readonly kind: CaseKind;
  readonly class: DecisionClass;
  readonly segment: BoardSegment;
  /** The first record that it stands for, among those of its segment. */
  readonly record: number;
  /** Its place among the marks of its class. */
  readonly place: number;
}

export const LINE = 19;
/** Of a line with a class and its count: more than needed, and just enough. */
const LINE_WIDTH = 336;
const MIN_LINE_WIDTH = 290;
const TITLE = 28;
const PAD = 14;
const GAP = 34;
const PITCH = 11;
const LARGE_PITCH = 18;
/** With more emergencies, their marks are only a little larger than the others. */
const MAX_LARGE = 240;
/** On a narrower board the marks of emergencies stand below their lines. */
const NARROW = 760;
const HEAD = 156;

/** Emergencies have a row of their own; the other kinds stand beside each other where there is room. */
export function layOutBoard(rows: BoardRows, threshold: number | null, width: number): BoardLayout {
  const perMark = recordsPerMark(rows);
  const kinds = boardAt(rows, threshold);
  const placed: PlacedKind[] = [];
  let top = 1;
  const [framed, others] = [kinds.filter(isEmergency), kinds.filter((kind) => !isEmergency(kind))];
  for (const kind of framed) {
    const own = placeFramed(kind, { perMark, top, width });
    placed.push(own);
    top += own.height + 18;
  }
  if (columnWidth(others.length, width) < MIN_LINE_WIDTH)
    for (const kind of others) {
      const own = placePlain(kind, { perMark, x: 0, top, width });
      placed.push(own);
      top += own.height + 18;
    }
  else {
    const widths = sharedWidths(others, width);
    let x = 0;
    others.forEach((kind, i) => {
      placed.push(placePlain(kind, { perMark, x, top, width: widths[i]! }));
      x += widths[i]! + GAP;
    });
  }
  const height = Math.max(0, ...placed.map((kind) => kind.y + kind.height)) + 1;
  return { width, height, perMark, kinds: placed };
}

function isEmergency({ kind }: Pick<BoardKind, 'kind'>): boolean {
  return kind === 'must_act';
}

/** What each of several kinds beside each other can have. */
function columnWidth(n: number, width: number): number {
  return (width - GAP * (n - 1)) / n;
}

/** Wider for kinds with more records, but never narrower than a line of text. */
function sharedWidths(kinds: readonly BoardKind[], width: number): number[] {
  const least = Math.min(LINE_WIDTH, columnWidth(kinds.length, width));
  const free = width - GAP * (kinds.length - 1) - least * kinds.length;
  const weights = kinds.map(({ n }) => Math.sqrt(n));
  const sum = weights.reduce((all, weight) => all + weight, 0);
  return weights.map((weight) => least + free * (weight / sum));
}

interface Place {
  readonly perMark: number;
  readonly top: number;
  readonly width: number;
}

function placeFramed(kind: BoardKind, { perMark, top, width }: Place): PlacedKind {
  const isNarrow = width < NARROW;
  const lines = { x: isNarrow ? PAD : HEAD, y: top + PAD + (isNarrow ? TITLE : 0) };
  const classes = placeClasses(kind, perMark, { ...lines, width: width - lines.x - PAD });
  const n = countMarks(classes);
  const below = lines.y + kind.classes.length * LINE;
  const x = isNarrow ? PAD : HEAD + LINE_WIDTH + GAP;
  const pitch = n > MAX_LARGE ? PITCH + 2 : LARGE_PITCH;
  const columns = Math.max(1, Math.floor((width - PAD - x) / pitch));
  const y = isNarrow ? below + 6 : top + PAD;
  const bottom = Math.max(below, y + Math.ceil(n / columns) * pitch, top + PAD + 2 * LINE);
  return {
    kind: kind.kind,
    n: kind.n,
    x: PAD,
    y: top,
    width,
    height: bottom + PAD - top,
    isFramed: true,
    classes,
    marks: { x, y, columns, pitch, n },
  };
}

function placePlain(kind: BoardKind, { perMark, x, top, width }: Place & { readonly x: number }): PlacedKind {
  const classes = placeClasses(kind, perMark, { x, y: top + TITLE, width });
  const n = countMarks(classes);
  const y = top + TITLE + kind.classes.length * LINE + 6;
  const columns = Math.max(1, Math.floor(width / PITCH));
  return {
    kind: kind.kind,
    n: kind.n,
    x,
    y: top,
    width,
    height: y + Math.ceil(n / columns) * PITCH - top,
    isFramed: false,
    classes,
    marks: { x, y, columns, pitch: PITCH, n },
  };
}

function placeClasses(
  { classes }: BoardKind,
  perMark: number,
  { x, y, width }: Readonly<Record<'x' | 'y' | 'width', number>>,
): PlacedClass[] {
  let first = 0;
  return classes.map(({ name, before, now, segments }, i) => ({
    name,
    before,
    now,
    x,
    y: y + i * LINE,
    width: Math.min(LINE_WIDTH, width),
    segments: segments.map((segment) => {
      const nMarks = isHarmClass(name) ? segment.n : Math.ceil(segment.n / perMark);
      const placed = { ...segment, first, nMarks };
      first += nMarks;
      return placed;
    }),
  }));
}

function countMarks(classes: readonly PlacedClass[]): number {
  return classes.reduce((sum, { segments }) => sum + segments.reduce((n, { nMarks }) => n + nMarks, 0), 0);
}

/** The middle of a mark. */
export function markCentre({ x, y, columns, pitch }: PlacedKind['marks'], place: number) {
  return {
    x: x + ((place % columns) + 0.5) * pitch,
    y: y + (Math.floor(place / columns) + 0.5) * pitch,
  };
}

/** The mark at a point; null where there is none. */
export function markAt({ kinds, perMark }: BoardLayout, x: number, y: number): BoardMark | null {
  for (const { kind, classes, marks } of kinds) {
    const column = Math.floor((x - marks.x) / marks.pitch);
    const place = Math.floor((y - marks.y) / marks.pitch) * marks.columns + column;
    if (column < 0 || column >= marks.columns || y < marks.y || place >= marks.n) continue;
    for (const { name, segments } of classes)
      for (const segment of segments) {
        const i = place - segment.first;
        if (i < 0 || i >= segment.nMarks) continue;
        const record = isHarmClass(name) ? i : i * perMark;
        return { kind, class: name, segment, record, place: place - segments[0]!.first };
      }
  }
  return null;
}

/** The mark of a class by its place in it, and where it stands; null beyond the last. */
export function placeMark(
  { kinds, perMark }: BoardLayout,
  kind: CaseKind,
  name: DecisionClass,
  place: number,
): (BoardMark & { readonly x: number; readonly y: number; readonly pitch: number }) | null {
  const placed = kinds.find((one) => one.kind === kind);
  const segments = placed?.classes.find((one) => one.name === name)?.segments ?? [];
  const first = segments[0]?.first ?? 0;
  const segment = segments.find(
    (one) => place >= one.first - first && place < one.first - first + one.nMarks,
  );
  if (placed === undefined || segment === undefined) return null;
  const i = place - (segment.first - first);
  return {
    kind,
    class: name,
    segment,
    record: isHarmClass(name) ? i : i * perMark,
    place,
    ...markCentre(placed.marks, first + place),
    pitch: placed.marks.pitch,
  };
}
