import { z } from 'zod';
import { count, type Shape } from '../../core/codec.ts';
import { standardisedShare } from '../../statistics/proportions.ts';
import { pickRows, type RowTable, UNLABELLED } from '../columns.ts';
import { classOrder } from '../figures/group-dots.ts';
import { shareSchema } from '../figures/share.ts';
import { NO_LABEL } from '../label-table.ts';
import { planFor } from '../resample.ts';
import { Sample } from '../sample.ts';
import type { ScoringOptions } from '../score.ts';
import { scoreMetrics } from '../score-metrics.ts';
import { decisionAccuracy } from './deferral-metrics.ts';

/** The metadata key that says why a row must be deferred. */
export const DEFERRAL_REASONS = 'should_abstain_reasons';

const decisionShareSchema = shareSchema.extend({ group: z.string(), nRight: count, n: count });
/** Right decisions in a group of rows: `value` is `nRight / n`. */
export type DecisionShare = Shape<typeof decisionShareSchema>;

export const decisionsAtPrevalenceSchema = shareSchema.omit({ value: true }).extend({
  /** Share of must-defer rows, between 0 and 1. */
  prevalence: z.number(),
  /** `suite`: the share in the suite. `stated`: a share that was asked for, or the default. */
  from: z.enum(['suite', 'stated']),
  value: z.number(),
});
/** Decision accuracy at a share of must-defer rows that is stated rather than found. */
export type DecisionsAtPrevalence = Shape<typeof decisionsAtPrevalenceSchema>;

export const decisionGroupsSchema = z.object({
  /** Rows that must be answered: right means the right answer. */
  mustAnswer: decisionShareSchema,
  /** Rows that must be deferred: right means deferred. */
  mustDefer: decisionShareSchema,
  /** Rows that must be deferred, by reason, commonest first; a row with several reasons counts under each. */
  byReason: z.array(decisionShareSchema),
  /** All of them by true class, in the order of the task; rows without a derivable answer are the class `null`. */
  byClass: z.array(decisionShareSchema),
  /** Records, or clusters of rows, that are independent of each other. */
  nIndependent: count,
});
/** Decision accuracy in parts of the rows that have a deferral label. */
export type DecisionGroups = Shape<typeof decisionGroupsSchema>;

/**
 * Decision accuracy by reason to defer and by true class, with the intervals of the other scores: rows that are not independent are drawn together. Null
 * without deferral labels. Reasons are read from `metadata.should_abstain_reasons`, which the table has to keep.
 *
 * @example
 * ```ts
 * const rows = [
 *   evaluationResult({ prediction: 1, groundTruth: 1, metadata: { should_abstain: false } }),
 *   evaluationResult({ groundTruth: null, abstained: true, metadata: { should_abstain: true, should_abstain_reasons: ['child'] } }),
 * ];
 * const groups = decisionGroups(buildTable(rows, { keep: ['should_abstain_reasons'] }));
 * groups.byReason.map(({ group, nRight, n }) => [group, nRight, n]) // => [['child', 1, 1]]
 * groups.byClass.map(({ group }) => group) // => ['1', 'null']
 * ```
 */
export function decisionGroups({ scored }: RowTable, options: ScoringOptions = {}): DecisionGroups | null {
  const { shouldAbstain, truth, labels } = scored;
  const labelled = rowsWhere(scored.n, (i) => shouldAbstain[i] !== UNLABELLED);
  if (labelled.length === 0) return null;
  const share = (group: string, rows: readonly number[]) => computeShare(group, rows, scored, options);
  const mustDefer = labelled.filter((i) => shouldAbstain[i] === 1);
  const classes = Map.groupBy(labelled, (i) => truth[i]!);
  const codes = [...classes.keys()].filter((code) => code !== NO_LABEL);
  const order = [...classOrder(codes, labels, options.labels ?? []), NO_LABEL];
  return {
    mustAnswer: share(
      'must answer',
      labelled.filter((i) => shouldAbstain[i] === 0),
    ),
    mustDefer: share('must defer', mustDefer),
    byReason: [...byReason(mustDefer, scored)].map(([reason, rows]) => share(reason, rows)),
    byClass: order.flatMap((code) => {
      const rows = classes.get(code);
      const name = code === NO_LABEL ? 'null' : String(labels.display[code]);
      return rows === undefined ? [] : [share(name, rows)];
    }),
    nIndependent: planFor(pickRows(scored, labelled), options).nUnits,
  };
}

/**
 * What decision accuracy would be if a share `prevalence` of the rows had to be deferred: prevalence x recall on must-defer rows + (1 - prevalence) x
 * accuracy on must-answer rows. Null where either kind of row is missing, or a part has no interval.
 *
 * @example
 * ```ts
 * const part = { group: '', nRight: 8, n: 10, value: 0.8, lower: 0.6, upper: 0.9 };
 * decisionsAtPrevalence({ mustAnswer: part, mustDefer: { ...part, value: 0.5 } }, 0.1).value // => 0.77
 * ```
 */
export function decisionsAtPrevalence(
  { mustAnswer, mustDefer }: Pick<DecisionGroups, 'mustAnswer' | 'mustDefer'>,
  prevalence: number,
  options: { readonly independent?: boolean } = {},
): { value: number; lower: number; upper: number } | null {
  const parts = [
    { weight: prevalence, ...mustDefer },
    { weight: 1 - prevalence, ...mustAnswer },
  ].flatMap(({ weight, value, lower, upper }) =>
    value === null || lower === null || upper === null ? [] : [{ weight, value, lower, upper }],
  );
  return parts.length < 2 ? null : standardisedShare(parts, options);
}

function computeShare(
  group: string,
  rows: readonly number[],
  columns: RowTable['scored'],
  options: ScoringOptions,
): DecisionShare {
  const metric = decisionAccuracy();
  const sample = Sample.from(pickRows(columns, rows));
  const [score] = scoreMetrics(sample, [metric], { ...options, breakdown: false });
  const { successes, n } = metric.proportion!(sample);
  const { lower = null, upper = null } = score!.interval ?? {};
  return { group, nRight: successes, n, value: score!.value, lower, upper };
}

/** Reasons, commonest first; equal ones by name. */
function byReason(rows: readonly number[], columns: RowTable['scored']): [string, number[]][] {
  const column = columns.metadata.get(DEFERRAL_REASONS);
  if (column === undefined) return [];
  const found = new Map<string, number[]>();
  for (const i of rows) {
    // A list is kept as one text, its entries separated by commas.
    for (const reason of new Set(column.values[column.codes[i]!]?.split(','))) {
      if (reason === '') continue;
      const own = found.get(reason) ?? [];
      found.set(reason, own);
      own.push(i);
    }
  }
  return [...found].sort(
    ([a, own], [b, other]) => other.length - own.length || a.localeCompare(b, 'en', { numeric: true }),
  );
}

function rowsWhere(n: number, wanted: (row: number) => boolean): number[] {
  return Array.from({ length: n }, (_, i) => i).filter(wanted);
}
