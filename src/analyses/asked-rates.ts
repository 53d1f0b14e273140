import { connected } from '../core/collections.ts';
import { usualEndpoint } from '../metrics/act/leading-scores.ts';
import type { Columns } from '../metrics/columns.ts';
import { NO_LABEL } from '../metrics/label-table.ts';
import type { Metric } from '../metrics/metric.ts';
import { builtInMetric } from '../metrics/registry.ts';
import { shareScores } from '../metrics/score-metrics.ts';
import { runTableOptions } from '../runs/scoring-for.ts';
import { createRandom, drawMultinomial, type RandomPurpose } from '../statistics/random.ts';
import { defaultResamples } from '../statistics/score-options.ts';
import type { AskedRun, DrawOptions } from './analysis.ts';
import { type ScoredRun, scoredRun } from './comparison/scored-run.ts';

/** The scored rows of a record in one run: their number, the sum of their scores, and that of the squares. */
export interface RecordSums {
  readonly n: number;
  readonly sum: number;
  readonly squares: number;
}

/** One metric of several runs, record by record. */
export interface AskedRates {
  readonly metric: Metric;
  readonly models: readonly AskedRate[];
  /** Records that count in some run, and that not every run has scored. */
  readonly nLeftOut: number;
  /** The cluster of each record, numbered from 0; records of a cluster are drawn together. */
  readonly unitOf: Int32Array;
  readonly nUnits: number;
}

interface AskedRate {
  readonly name: string;
  /** The records that every run has scored, in the same order in every run. */
  readonly records: readonly RecordSums[];
  /** All scored rows that count. */
  readonly all: RecordSums;
  /** Rows that would count, and that failed or never ran. */
  readonly nFailed: number;
}

/** Runs with their rows in columns. */
export interface AskedTable extends AskedRun, ScoredRun {}

/** A run whose rows become columns when an analysis first asks for them. */
export function askedRun(
  run: Omit<AskedRun, 'scored'>,
  read: () => ScoredRun = () => {
    const keep = run.cluster === undefined ? [] : [run.cluster];
    return scoredRun(run.rows(), { ...runTableOptions(run), keep });
  },
): AskedRun {
  let scored: ScoredRun | null = null;
  return {
    ...run,
    scored: () => {
      scored ??= read();
      return scored;
    },
  };
}

export function askedTables(runs: readonly AskedRun[]): AskedTable[] {
  return runs.map((run) => ({ ...run, ...run.scored() }));
}

/** The metric that leads where it is a mean over rows: the primary endpoint, else decision accuracy, accuracy or the mean score. */
export function headlineMetric(runs: readonly AskedTable[]): string {
  const hasValue = (name: string) =>
    runs.every(({ table }) => rowScores(name, table.scored)?.some((score) => !Number.isNaN(score)));
  const primary = runs[0]?.primaryEndpoint?.metric;
  if (primary != null && hasValue(primary)) return primary;
  const usual = usualEndpoint((name) => hasValue(name));
  return hasValue(usual) ? usual : 'mean_score';
}

/** The score of every row; null where the metric is no mean over rows. */
function rowScores(name: string, columns: Columns): Float64Array | null {
  const metric = builtInMetric(name);
  if (metric?.rowScores) return metric.rowScores(columns);
  return metric?.proportion && !metric.answeredOnly ? shareScores(metric, columns) : null;
}

/** A metric of every run on the records that all of them have scored; null where there are none, or where the metric means something else in one of the runs. */
export function askedRates(name: string, runs: readonly AskedTable[]): AskedRates | null {
  const metric = builtInMetric(name);
  if (metric === undefined || (metric.dependsOnEmergencyRule && rulesDiffer(runs))) return null;
  const sums = runs.map(({ table }) => sumsByRecord(name, table.scored));
  const counted = new Set(
    runs.flatMap(({ table }, m) => [...sums[m]!.keys(), ...sumsByRecord(name, table.unscored).keys()]),
  );
  // Neither the order of rows nor that of runs decides what is drawn.
  const ids = [...counted].filter((id) => sums.every((own) => own.has(id))).sort();
  if (ids.length === 0) return null;
  const unitOf = clusters(ids, runs);
  return {
    metric,
    models: runs.map(({ name: model, table }, m) => ({
      name: model,
      records: ids.map((id) => sums[m]!.get(id)!),
      all: addUpScores(rowScores(name, table.scored)),
      nFailed: addUpScores(rowScores(name, table.unscored)).n,
    })),
    nLeftOut: counted.size - ids.length,
    unitOf,
    nUnits: unitOf.reduce((most, unit) => Math.max(most, unit + 1), 0),
  };
}

function rulesDiffer(runs: readonly AskedTable[]): boolean {
  return new Set(runs.map(({ table }) => table.scored.emergencyRule)).size > 1;
}

function sumsByRecord(name: string, columns: Columns): Map<string, RecordSums> {
  const scores = rowScores(name, columns);
  const { codes, values } = columns.record;
  const sums = new Map<string, { n: number; sum: number; squares: number }>();
  for (let i = 0; scores !== null && i < columns.n; i++) {
    const score = scores[i]!;
    if (Number.isNaN(score) || codes[i] === NO_LABEL) continue;
    const id = values[codes[i]!]!;
    const own = sums.get(id) ?? { n: 0, sum: 0, squares: 0 };
    sums.set(id, own);
    own.n += 1;
    own.sum += score;
    own.squares += score * score;
  }
  return sums;
}

function addUpScores(scores: Float64Array | null): RecordSums {
  const counted = scores?.filter((score) => !Number.isNaN(score)) ?? [];
  let [sum, squares] = [0, 0];
  for (const score of counted) {
    sum += score;
    squares += score * score;
  }
  return { n: counted.length, sum, squares };
}

/** Records connected through a call of some run, or through the key that the runs were clustered by, are one cluster. */
function clusters(ids: readonly string[], runs: readonly AskedTable[]): Int32Array {
  const place = new Map(ids.map((id, i) => [id, i]));
  const links = runs.flatMap(({ cluster, table: { scored } }) =>
    [scored.call, cluster === undefined ? undefined : scored.metadata.get(cluster)].flatMap((column) => {
      if (column === undefined) return [];
      const groups = Map.groupBy(column.codes.keys(), (row) => column.codes[row]!);
      groups.delete(NO_LABEL);
      return [...groups.values()].map((rows) => [
        ...new Set(
          rows.flatMap((row) => place.get(scored.record.values[scored.record.codes[row]!] ?? '') ?? []),
        ),
      ]);
    }),
  );
  return connected(
    ids.length,
    links.filter((link) => link.length > 1),
  );
}

/** Units that are alike in every run, and how many of them there are. */
interface UnitKind {
  /** The records of one such unit. */
  readonly records: readonly number[];
  n: number;
}

/**
 * How often each record counts in each resample of units. Units that are alike are drawn as one kind with its number, which gives the same distribution; the weight is then on the records of the first of
 * them. The array is used again for the next resample.
 */
export function* resampledWeights(
  rates: AskedRates,
  purpose: RandomPurpose,
  { resamples, seed }: DrawOptions,
): Generator<Float64Array> {
  const kinds = unitKinds(rates);
  const times = Uint32Array.from(kinds, ({ n }) => n);
  const drawn = new Uint32Array(kinds.length);
  const weights = new Float64Array(rates.unitOf.length);
  const random = createRandom(seed, purpose);
  for (let b = Math.min(resamples, defaultResamples(kinds.length)); b > 0; b--) {
    drawMultinomial(drawn, times, rates.nUnits, random);
    kinds.forEach(({ records }, k) => {
      for (const record of records) weights[record] = drawn[k]!;
    });
    yield weights;
  }
}

function unitKinds({ unitOf, nUnits, models }: AskedRates): UnitKind[] {
  const records: number[][] = Array.from({ length: nUnits }, () => []);
  for (const [record, unit] of unitOf.entries()) records[unit]!.push(record);
  const kinds = new Map<string, UnitKind>();
  for (const own of records) {
    const key = JSON.stringify(
      own.map((record) => models.map(({ records: sums }) => Object.values(sums[record]!))),
    );
    const kind = kinds.get(key) ?? { records: own, n: 0 };
    kinds.set(key, kind);
    kind.n += 1;
  }
  return [...kinds.values()];
}

/** The same weights for resamples that are given as lists of drawn units. */
export function* weightsFromDraws(
  { unitOf }: AskedRates,
  draws: readonly (readonly number[])[],
): Generator<Float64Array> {
  for (const draw of draws) {
    const counts = new Map<number, number>();
    for (const unit of draw) counts.set(unit, (counts.get(unit) ?? 0) + 1);
    yield Float64Array.from(unitOf, (unit) => counts.get(unit) ?? 0);
  }
}

/** Rates of a reference case: for each model, the scores of each record. */
export function ratesForCase(
  metric: Metric,
  models: Readonly<Record<string, readonly (readonly number[])[]>>,
  units?: readonly number[],
): AskedRates {
  const sums = (scores: readonly number[]) => addUpScores(Float64Array.from(scores));
  const listed = Object.entries(models).map(([name, records]) => ({
    name,
    records: records.map(sums),
    all: sums(records.flat()),
    nFailed: 0,
  }));
  const unitOf = Int32Array.from(units ?? listed[0]!.records.keys());
  return {
    metric,
    models: listed,
    nLeftOut: 0,
    unitOf,
    nUnits: unitOf.reduce((most, unit) => Math.max(most, unit + 1), 0),
  };
}
