import {
  CASE_KINDS,
  type CaseKind,
  caseKind,
  DECISION_CLASSES,
  type DecisionClass,
  type DecisionFacts,
  decisionClass,
  deferAnswer,
  type EmergencyRule,
  HARMS,
} from '../../core/decision-class.ts';
import { type DecisionTable, tallyDecisions } from '../../metrics/act/tally-decisions.ts';

/** The rows of a run, as far as a board needs them. */
export interface BoardRows {
  readonly emergencyRule: EmergencyRule;
  /** Rows that agree in all facts. */
  readonly groups: readonly {
    readonly facts: DecisionFacts;
    /** Rows by confidence, the highest first; null where no threshold accepts the answer, or there is none. */
    readonly steps: readonly { readonly confidence: number | null; readonly n: number }[];
  }[];
}

/** Rows that a class has at a threshold, all from the same class. */
export interface BoardSegment {
  /** Their class without a threshold. */
  readonly from: DecisionClass;
  readonly isMoved: boolean;
  readonly n: number;
  /** How many of them have no confidence that a threshold could accept. */
  readonly nUnsure: number;
}

export interface BoardClass {
  readonly name: DecisionClass;
  /** Rows without a threshold. */
  readonly before: number;
  readonly now: number;
  /** Those that were of the class before come first. */
  readonly segments: readonly BoardSegment[];
}

/** The records of one kind of case, by class. */
export interface BoardKind {
  readonly kind: CaseKind;
  readonly n: number;
  /** The worst first. */
  readonly classes: readonly BoardClass[];
}

/** How the decisions turn out where only answers of at least this confidence are accepted; null accepts every answer. */
export function boardAt(rows: BoardRows, threshold: number | null): BoardKind[] {
  const kinds = new Map(CASE_KINDS.map((kind) => [kind, new Map<DecisionClass, BoardSegment[]>()]));
  for (const { facts, from, n, isUnsure } of decisionsAt(rows, threshold)) {
    const classes = kinds.get(caseKind(facts))!;
    const to = decisionClass(facts, rows.emergencyRule);
    const segments = classes.get(to) ?? [];
    const known = segments.find((segment) => segment.from === from);
    const nUnsure = isUnsure ? n : 0;
    if (known === undefined) segments.push({ from, isMoved: from !== to, n, nUnsure });
    else Object.assign(known, { n: known.n + n, nUnsure: known.nUnsure + nUnsure });
    classes.set(to, segments);
  }
  return [...kinds].flatMap(([kind, classes]) => {
    const all = [...classes.values()].flat();
    const found = DECISION_CLASSES.map((name) => {
      const segments = classes.get(name) ?? [];
      const before = total(all.filter(({ from }) => from === name));
      return { name, before, now: total(segments), segments: segments.sort(inOrder) };
    });
    const n = total(all);
    return n === 0 ? [] : [{ kind, n, classes: found.filter(({ before, now }) => before + now > 0) }];
  });
}

/** Rows that were of the class before come first, then the worst. */
function inOrder(a: BoardSegment, b: BoardSegment): number {
  return (
    Number(a.isMoved) - Number(b.isMoved) ||
    DECISION_CLASSES.indexOf(a.from) - DECISION_CLASSES.indexOf(b.from)
  );
}

/** Rates of harm and cost at a threshold, which may count a record twice. */
export function ratesAt(rows: BoardRows, threshold: number | null): DecisionTable {
  return tallyDecisions(
    decisionsAt(rows, threshold).map(({ facts, n }) => ({ facts, weight: n, isNearLine: false })),
    rows.emergencyRule,
  );
}

function decisionsAt({ groups, emergencyRule: rule }: BoardRows, threshold: number | null) {
  return groups.flatMap(({ facts, steps }) => {
    const from = decisionClass(facts, rule);
    const declined = facts.state === 'answered' ? deferAnswer(facts, rule) : facts;
    return steps.map(({ confidence, n }) => {
      const isAccepted = threshold === null || (confidence !== null && confidence >= threshold);
      return { facts: isAccepted ? facts : declined, from, n, isUnsure: confidence === null };
    });
  });
}

function total(segments: readonly BoardSegment[]): number {
  return segments.reduce((sum, { n }) => sum + n, 0);
}

export function isHarmClass(name: DecisionClass): boolean {
  return (HARMS as readonly DecisionClass[]).includes(name);
}

/** More marks than this cannot be told apart. Harms always have one each. */
const MAX_MARKS = 2400;

/** How many records a mark stands for outside the harms: 1, or a power of ten. */
export function recordsPerMark(rows: BoardRows): number {
  const n = boardAt(rows, null).reduce(
    (sum, { classes }) =>
      sum + classes.reduce((all, { name, now }) => all + (isHarmClass(name) ? 0 : now), 0),
    0,
  );
  return 10 ** Math.max(0, Math.ceil(Math.log10(n / MAX_MARKS)));
}
