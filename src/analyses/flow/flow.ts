import { z } from 'zod';
import { count, type Shape } from '../../core/codec.ts';
import {
  type ActOptions,
  CASE_KINDS,
  type CaseKind,
  caseKind,
  DECISION_CLASSES,
  type DecisionClass,
  decisionClass,
  decisionFacts,
  emergencyRule,
} from '../../core/decision-class.ts';
import type { EvaluationResult } from '../../core/evaluation-result.ts';

const classCounts = Object.fromEntries(DECISION_CLASSES.map((ended) => [ended, count]));
const outcomesSchema = z.object({
  n: count,
  ...(classCounts as Record<DecisionClass, typeof count>),
  not_run: count,
});
/** How many decisions turned out in each way, and how many rows were not run; `n` is their sum. */
export type Outcomes = Shape<typeof outcomesSchema>;

const namedSchema = z.object({ name: z.string(), n: count });

export const flowSchema = z.object({
  /** From the suite to the records that were asked; null where the run does not say how many records its suite has. */
  records: z
    .object({
      /** Whether the records were generated or read. */
      origin: z.enum(['generated', 'read']),
      /** All of them: training + excluded + evaluation. */
      n: count,
      training: z.number(),
      /** Records left out of the suite, by reason. */
      excluded: z.array(namedSchema),
      /** Records to evaluate: asked + not asked. */
      evaluation: z.number(),
      notAsked: z.number(),
    })
    .nullable(),
  /** Records that were asked. */
  asked: z.number(),
  /** How often each was asked: `rows` are `asked` x `repeats`. */
  repeats: z.number(),
  /** All rows: the sum of the kinds. */
  rows: outcomesSchema,
  /** Rows by what the case calls for. */
  kinds: z.record(z.enum(CASE_KINDS), outcomesSchema),
  /** Whether any row says whether to defer; without such labels, `either` only means that nothing is known. */
  hasDeferralLabels: z.boolean(),
  /** The rows of the kind `should_defer`, each counted once: by its reason, or as `several reasons` or `no reason stated`. */
  reasons: z.array(outcomesSchema.extend({ name: z.string() })),
});
/** How the records of a suite became the rows of a run, and how those ended. Every step is the sum of the next. */
export type Flow = Shape<typeof flowSchema>;

const SEVERAL = 'several reasons';
const NONE = 'no reason stated';

type Counts = z.infer<typeof outcomesSchema>;

/** Counts rows one by one. */
export class FlowBuilder {
  readonly #options: ActOptions;
  /** Whether urgency was asked may only be known after the last row, so both are counted. */
  readonly #tallies = { urgency: emptyTally(), silence: emptyTally() };
  #anyUrgent = false;
  #hasDeferralLabels = false;

  constructor(options: ActOptions = {}) {
    this.#options = options;
  }

  add(row: EvaluationResult): void {
    const facts = decisionFacts(row, this.#options.actLabels);
    const kind = caseKind(facts);
    if (row.urgent !== null) this.#anyUrgent = true;
    if (facts.shouldAbstain !== null) this.#hasDeferralLabels = true;
    for (const rule of ['urgency', 'silence'] as const) {
      const { kinds, reasons } = this.#tallies[rule];
      const ended = row.state === 'not_run' ? 'not_run' : decisionClass(facts, rule);
      countRow(kinds[kind], ended);
      if (kind !== 'should_defer') continue;
      const name = readReason(row.metadata.should_abstain_reasons);
      const counts = reasons.get(name) ?? noRows();
      reasons.set(name, counts);
      countRow(counts, ended);
    }
  }

  /** `suite` is the description in its file form; what it does not say is left out. */
  finish(run: { suite: Readonly<Record<string, unknown>>; nRecords: number; repeats: number }): Flow {
    // A label that says to act is urgency stated in another way.
    const rule = emergencyRule(this.#options, this.#anyUrgent);
    const { kinds, reasons } = this.#tallies[rule === 'silence' ? 'silence' : 'urgency'];
    const all = noRows();
    for (const group of Object.values(kinds))
      for (const key of Object.keys(all) as (keyof Counts)[]) all[key] += group[key];
    return {
      records: countSuite(run),
      asked: run.nRecords,
      repeats: run.repeats,
      rows: all,
      kinds,
      hasDeferralLabels: this.#hasDeferralLabels,
      reasons: [...reasons]
        .map(([name, counts]) => ({ name, ...counts }))
        .sort((a, b) => rank(a.name) - rank(b.name) || b.n - a.n || a.name.localeCompare(b.name, 'en')),
    };
  }
}

function emptyTally(): { readonly kinds: Record<CaseKind, Counts>; readonly reasons: Map<string, Counts> } {
  const kinds = Object.fromEntries(CASE_KINDS.map((kind) => [kind, noRows()]));
  return { kinds: kinds as Record<CaseKind, Counts>, reasons: new Map() };
}

function noRows(): Counts {
  const classes = Object.fromEntries(DECISION_CLASSES.map((ended) => [ended, 0]));
  return { n: 0, ...(classes as Record<DecisionClass, number>), not_run: 0 };
}

function countRow(counts: Counts, ended: DecisionClass | 'not_run'): void {
  counts.n += 1;
  counts[ended] += 1;
}

function readReason(given: unknown): string {
  const reasons = new Set((Array.isArray(given) ? given : [given]).filter((reason) => reason != null));
  const [first] = reasons;
  return reasons.size > 1 ? SEVERAL : first === undefined ? NONE : String(first);
}

/** Reasons first, then those that are none. */
function rank(name: string): number {
  return name === NONE ? 2 : name === SEVERAL ? 1 : 0;
}

function countSuite({ suite, nRecords }: { suite: Readonly<Record<string, unknown>>; nRecords: number }) {
  const evaluation = suite.n_total_eval_records;
  const training = typeof suite.n_training_records === 'number' ? suite.n_training_records : 0;
  if (typeof evaluation !== 'number' || evaluation < nRecords) return null;
  const excluded = readExcluded(suite.excluded);
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
function readExcluded(given: unknown): z.infer<typeof namedSchema>[] {
  if (typeof given !== 'object' || given === null) return [];
  const entries = Array.isArray(given)
    ? given.map((entry): [string, unknown] => [String(entry?.name ?? entry?.reason), entry?.n])
    : Object.entries(given);
  return entries.flatMap(([name, n]) => (typeof n === 'number' && n > 0 ? [{ name, n }] : []));
}
