import { z } from 'zod';
import { count, type Shape } from '../../core/codec.ts';
import { isStrictlyRight } from '../../core/decision-class.ts';
import { factsAt } from '../../metrics/cells.ts';
import { ANSWERED, type Columns, type RowTable } from '../../metrics/columns.ts';
import { NO_LABEL } from '../../metrics/label-table.ts';
import { findCluster } from '../../metrics/resample.ts';
import { Sample } from '../../metrics/sample.ts';
import type { RunResult } from '../../runs/run-result.ts';
import { exactUpperBound } from '../../statistics/proportions.ts';
import { createRandom } from '../../statistics/random.ts';
import { DEFAULT_SEED } from '../../statistics/score-options.ts';

export const confidenceStepSchema = z.object({
  threshold: z.number(),
  /** Accepted answers that can be called right or wrong. */
  n: count,
  /** Scored rows on which an answer can be called right or wrong: coverage is of these, as in the risk-coverage curve. */
  n_judged: z.number(),
  /** Those of the accepted that are wrong or should have been deferred. */
  errors: count,
  /** Exact upper bound of the share of errors, which counts one record per cluster; null where none is accepted, and after an early stop. */
  bound: z.number().nullable(),
});
/** What follows from accepting only answers of at least a confidence. */
export type ConfidenceStep = Shape<typeof confidenceStepSchema>;

const MAX_STEPS = 400;

/** A step at every confidence that was stated, the highest first, and in even steps where there are too many. */
export function confidenceSteps(
  { scored }: RowTable,
  { status, method: { cluster, seed } }: Pick<RunResult, 'status' | 'method'>,
): readonly ConfidenceStep[] {
  const sample = Sample.from(scored);
  const { size, confidence, count, errors } = sample.strictConfidence;
  const { gradable } = sample.cells;
  const nJudged = sample.counts.reduce((sum, rows, cell) => sum + rows * gradable[cell]!, 0);
  const steps: Pick<ConfidenceStep, 'threshold' | 'n' | 'n_judged' | 'errors'>[] = [];
  let n = 0;
  let failed = 0;
  for (let i = 0; i < size; i++) {
    n += count[i]!;
    failed += errors[i]!;
    steps.push({ threshold: confidence[i]!, n, n_judged: nJudged, errors: failed });
  }
  const stride = (steps.length - 1) / (MAX_STEPS - 1);
  const kept =
    steps.length <= MAX_STEPS
      ? steps
      : Array.from({ length: MAX_STEPS }, (_, i) => steps[Math.round(i * stride)]!);
  const thresholds = kept.map(({ threshold }) => threshold);
  // An exact bound counts a number of rows that was fixed beforehand.
  const bounds =
    status === 'stopped_early'
      ? null
      : riskBounds(scored, thresholds, { cluster: cluster ?? undefined, seed });
  return kept.map((step, i) => ({ ...step, bound: bounds?.[i] ?? null }));
}

/**
 * Exact one-sided 95 % upper bounds of the share of failures, had only answers of at least a confidence been accepted; null where nothing is. Independent draws are
 * what such a bound counts, so it rests on one record of each cluster, chosen by a seed, and of a repeated record on the majority: it is accepted when at least half of its
 * repeats are, and a failure when at least half of those are. An answer on a row that should be deferred is a failure, right or wrong.
 */
export function riskBounds(
  columns: Columns,
  thresholds: readonly number[],
  options: { readonly cluster?: string | undefined; readonly seed?: number | undefined } = {},
): (number | null)[] {
  const changes = chosenRecords(columns, options)
    .flatMap((rows) => listChanges(columns, rows))
    .sort((a, b) => b.confidence - a.confidence);
  let [next, n, wrong] = [0, 0, 0];
  return thresholds.map((threshold) => {
    for (; next < changes.length && changes[next]!.confidence >= threshold; next++) {
      n += changes[next]!.accepted;
      wrong += changes[next]!.wrong;
    }
    return exactUpperBound(wrong, n);
  });
}

/** The rows of one record per cluster, among the records with a usable answer. */
function chosenRecords(
  columns: Columns,
  {
    cluster,
    seed = DEFAULT_SEED,
  }: { readonly cluster?: string | undefined; readonly seed?: number | undefined },
): (readonly number[])[] {
  const { codes } = columns.record;
  const unit = (row: number, code: number) => (code === NO_LABEL ? -1 - row : code);
  const records = Map.groupBy(Array(columns.n).keys(), (row) => unit(row, codes[row]!));
  const usable = [...records.values()].filter((rows) => rows.some((row) => isUsable(columns, row)));
  const clusters = findCluster(columns, cluster);
  if (clusters === null || clusters.key === 'id') return usable;
  const random = createRandom(seed, 'oneOfCluster');
  const groups = Map.groupBy(usable, (rows) => unit(rows[0]!, clusters.codes[rows[0]!]!));
  return [...groups.values()].map((group) => group[random.integer(group.length)]!);
}

/** What a record adds to the accepted and to the wrong ones as the threshold falls. */
interface Change {
  readonly confidence: number;
  readonly accepted: number;
  readonly wrong: number;
}

function listChanges(columns: Columns, rows: readonly number[]): Change[] {
  const { confidence } = columns;
  const usable = rows.filter((row) => isUsable(columns, row)).sort((a, b) => confidence[b]! - confidence[a]!);
  let nWrong = 0;
  let [wasAccepted, wasWrong] = [0, 0];
  return usable.map((row, i) => {
    nWrong += Number(!isStrictlyRight(factsAt(columns, row)));
    const accepted = Number(2 * (i + 1) >= rows.length);
    const wrong = accepted * Number(2 * nWrong >= i + 1);
    const change = {
      confidence: confidence[row]!,
      accepted: accepted - wasAccepted,
      wrong: wrong - wasWrong,
    };
    [wasAccepted, wasWrong] = [accepted, wrong];
    return change;
  });
}

function isUsable({ state, truth, shouldAbstain, confidence }: Columns, row: number): boolean {
  const isKnown = truth[row] !== NO_LABEL || shouldAbstain[row] === 1;
  return state[row] === ANSWERED && isKnown && confidence[row]! >= 0 && confidence[row]! <= 1;
}
