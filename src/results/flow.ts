import type { EvaluationResult, RowState } from '../core/index.ts';

/** How many rows ended in each state; `n` is their sum. */
export type Outcomes = Readonly<Record<RowState, number>> & { readonly n: number };

/** A number with its name. */
interface Named {
  readonly name: string;
  readonly n: number;
}

/** How the records of a suite became the rows of a run, and how those ended. Every step is the sum of the next. */
export interface Flow {
  /** From the suite to the records that were asked; null where the run does not say how many records its suite has. */
  readonly records: {
    /** Whether the records were generated or read. */
    readonly origin: 'generated' | 'read';
    /** All of them: training + excluded + evaluation. */
    readonly n: number;
    readonly training: number;
    /** Records left out of the suite, by reason. */
    readonly excluded: readonly Named[];
    /** Records to evaluate: asked + not asked. */
    readonly evaluation: number;
    readonly notAsked: number;
  } | null;
  /** Records that were asked. */
  readonly asked: number;
  /** How often each was asked: `rows` are `asked` x `repeats`. */
  readonly repeats: number;
  /** All rows: mustAnswer + grey + mustDefer. */
  readonly rows: Outcomes;
  readonly mustAnswer: Outcomes;
  /** Rows without a deferral label: the grey zone, or a suite without such labels. */
  readonly grey: Outcomes;
  readonly mustDefer: Outcomes;
  /** The rows that must be deferred, each counted once: by its reason, or as `several reasons` or `no reason stated`. */
  readonly reasons: readonly (Outcomes & { readonly name: string })[];
}

const SEVERAL = 'several reasons';
const NONE = 'no reason stated';

type Counts = Record<RowState, number> & { n: number };

/** Counts rows one by one. */
export class FlowBuilder {
  readonly #groups = { mustAnswer: noRows(), grey: noRows(), mustDefer: noRows() };
  readonly #reasons = new Map<string, Counts>();

  add({ state, metadata }: Pick<EvaluationResult, 'state' | 'metadata'>): void {
    const should = metadata.should_abstain;
    count(this.#groups[should === true ? 'mustDefer' : should === false ? 'mustAnswer' : 'grey'], state);
    if (should !== true) return;
    const name = reasonOf(metadata.should_abstain_reasons);
    const counts = this.#reasons.get(name) ?? noRows();
    this.#reasons.set(name, counts);
    count(counts, state);
  }

  /** `suite` is the description in its file form; what it does not say is left out. */
  finish(run: { suite: Readonly<Record<string, unknown>>; nRecords: number; repeats: number }): Flow {
    const { mustAnswer, grey, mustDefer } = this.#groups;
    const all = noRows();
    for (const group of [mustAnswer, grey, mustDefer])
      for (const key of Object.keys(all) as (keyof Counts)[]) all[key] += group[key];
    return {
      records: recordsOf(run),
      asked: run.nRecords,
      repeats: run.repeats,
      rows: all,
      mustAnswer,
      grey,
      mustDefer,
      reasons: [...this.#reasons]
        .map(([name, counts]) => ({ name, ...counts }))
        .sort((a, b) => rank(a.name) - rank(b.name) || b.n - a.n || a.name.localeCompare(b.name, 'en')),
    };
  }
}

function noRows(): Counts {
  return { n: 0, answered: 0, abstained: 0, invalid: 0, refused: 0, failed: 0, not_run: 0 };
}

function count(counts: Counts, state: RowState): void {
  counts.n += 1;
  counts[state] += 1;
}

function reasonOf(given: unknown): string {
  const reasons = new Set((Array.isArray(given) ? given : [given]).filter((reason) => reason != null));
  const [first] = reasons;
  return reasons.size > 1 ? SEVERAL : first === undefined ? NONE : String(first);
}

/** Reasons first, then those that are none. */
function rank(name: string): number {
  return name === NONE ? 2 : name === SEVERAL ? 1 : 0;
}

function recordsOf({ suite, nRecords }: { suite: Readonly<Record<string, unknown>>; nRecords: number }) {
  const evaluation = suite.n_total_eval_records;
  const training = typeof suite.n_training_records === 'number' ? suite.n_training_records : 0;
  if (typeof evaluation !== 'number' || evaluation < nRecords) return null;
  const excluded = excludedOf(suite.excluded);
  return {
    origin: suite.sensitivity === 'synthetic' ? ('generated' as const) : ('read' as const),
    n: training + evaluation + excluded.reduce((sum, { n }) => sum + n, 0),
    training,
    excluded,
    evaluation,
    notAsked: evaluation - nRecords,
  };
}

/** Counts by reason, as an object or as a list. */
function excludedOf(given: unknown): Named[] {
  if (typeof given !== 'object' || given === null) return [];
  const entries = Array.isArray(given)
    ? given.map((entry): [string, unknown] => [String(entry?.name ?? entry?.reason), entry?.n])
    : Object.entries(given);
  return entries.flatMap(([name, n]) => (typeof n === 'number' && n > 0 ? [{ name, n }] : []));
}
