import { isStrictlyRight } from '../core/index.ts';
import { ANSWERED, type Columns, clusterOf, factsAt, NO_LABEL } from '../metrics/index.ts';
import { createRandom, DEFAULT_SEED, exactUpperBound, RANDOM_STREAMS } from '../statistics/index.ts';

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
    .flatMap((rows) => changesOf(columns, rows))
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
  const clusters = clusterOf(columns, cluster);
  if (clusters === null || clusters.key === 'id') return usable;
  const random = createRandom(seed, RANDOM_STREAMS.oneOfCluster);
  const groups = Map.groupBy(usable, (rows) => unit(rows[0]!, clusters.codes[rows[0]!]!));
  return [...groups.values()].map((group) => group[random.integer(group.length)]!);
}

/** What a record adds to the accepted and to the wrong ones as the threshold falls. */
interface Change {
  readonly confidence: number;
  readonly accepted: number;
  readonly wrong: number;
}

function changesOf(columns: Columns, rows: readonly number[]): Change[] {
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
