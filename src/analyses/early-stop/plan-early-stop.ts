import { basename } from 'node:path';
import { argumentError, KrisisError } from '../../core/errors.ts';
import { type EvaluationResult, evaluationResult } from '../../core/evaluation-result.ts';
import type { Label } from '../../core/label.ts';
import { usualEndpoint } from '../../metrics/act/leading-scores.ts';
import type { TableOptions } from '../../metrics/columns.ts';
import type { Metric } from '../../metrics/metric.ts';
import type { GatePlan } from '../../runs/conditions/verdict.ts';
import type { EvidenceKind } from '../../statistics/methods/e-values.ts';
import { sequentialAlpha } from '../../statistics/methods/early-stop-plan.ts';
import { DEFAULT_MIN_N, isReachable } from '../../statistics/methods/sequential-gate.ts';
import { DEFAULT_LEVEL } from '../../statistics/score-options.ts';
import type { StopEarly } from '../../store/run.ts';
import { RunFile } from '../../store/run-file.ts';
import { createEarlyStop, type EarlyStop } from './early-stop.ts';
import { averageRows, gateSide, type RowValue, rowValues } from './gated-rows.ts';
import {
  boundLooks,
  differenceLooks,
  type LookOptions,
  pairedValue,
  type TrackedGate,
  valueLooks,
} from './track-gate.ts';

/** How a run that stops early decides. */
export interface StopEarlyOptions {
  /** The gates, fixed before the first call. */
  readonly plan: Pick<GatePlan, 'gates' | 'nonInferior'>;
  /** What a bound is about: the `population` that the records are a sample of, or exactly the records of this `suite`. Default: `population`. */
  readonly claim?: 'population' | 'suite' | undefined;
  /** How the error is shared: `each` gate's bounds hold together with all others, or only the `release` by all gates does. Default: `each`. */
  readonly alpha?: 'each' | 'release' | undefined;
  /** Counted units before which no bound decides. Default: 30. */
  readonly minN?: number | undefined;
  /** Models that are tested by the same gates. Default: 1. */
  readonly nModels?: number | undefined;
}

/** A record in the order of asking. */
export interface OrderedRecord {
  readonly id: string;
  readonly cluster: string | null;
  readonly groundTruth: Label | null;
  readonly metadata: EvaluationResult['metadata'];
}

/** The run that is to stop early. */
export interface EarlyRun {
  /** In the order of asking, as far as the limit goes. */
  readonly records: readonly OrderedRecord[];
  readonly repeats: number;
  readonly batchSize: number;
  readonly labels: readonly Label[];
  /** Metrics that gates may name. */
  readonly metrics: readonly Metric[];
  /** The metric of non-inferiority, where none was named. */
  readonly primaryEndpoint: string | null;
  /** Level of the bounds. Default: 0.95. */
  readonly level?: number | undefined;
  readonly table: TableOptions;
}

/**
 * Fixes how a run decides early.
 *
 * @throws KrisisError when a gate cannot be decided early, or when the run is too small ever to decide.
 */
export function planEarlyStop(
  { plan, claim = 'population', alpha = 'each', minN = DEFAULT_MIN_N, nModels = 1 }: StopEarlyOptions,
  run: EarlyRun,
): {
  /** What is committed before the first call. */
  readonly terms: Omit<StopEarly, 'seed' | 'generator' | 'orderSha256' | 'verdicts'>;
  start(): EarlyStop;
} {
  const nGates = plan.gates.length + (plan.nonInferior === null ? 0 : 1);
  if (nGates === 0)
    throw new KrisisError('a run stops early when a condition is decided, and none was given', {
      code: 'ERR_STOP_EARLY_SETTING',
    });
  const level = run.level ?? DEFAULT_LEVEL;
  const alphaSide = sequentialAlpha({ nModels, nGates }, { level, claim: alpha });
  if (alphaSide === null)
    throw argumentError(`level ${level}, ${nModels} models: no error can be divided`, level);
  const { unit, unitOf } = groupUnits(run);
  const nTotal = (unitOf.at(-1) ?? -1) + 1;
  const nRows = run.records.length * run.repeats;
  const isSingle = run.repeats === 1 && nTotal === run.records.length;
  const evidence: EvidenceKind = claim === 'suite' ? 'suite' : isSingle ? 'proportion' : 'mean';
  const options = { alphaSide, minN, nUnits: nTotal, nRows, evidence };
  const context = { run, options, unitOf, claim };
  const gates = [
    ...plan.gates.map((gate) => trackGate(gate, context)),
    ...(plan.nonInferior === null ? [] : [trackDifference(plan.nonInferior, context)]),
  ];
  return {
    terms: {
      gates: plan.gates.map(({ text }) => text),
      nonInferior: plan.nonInferior && baselineTerms(plan.nonInferior, run),
      level,
      alpha,
      nModels,
      alphaSide,
      minN,
      claim,
      unit,
      nTotal,
      nRows,
    },
    start: () =>
      createEarlyStop({ gates, unitOf, repeats: run.repeats, endsAtFirstFailure: alpha === 'release' }),
  };
}

interface Context {
  readonly run: EarlyRun;
  readonly options: Omit<LookOptions, 'suiteSize'>;
  readonly unitOf: readonly number[];
  readonly claim: 'population' | 'suite';
}

/** Records of a patient, or of a call, are looked at together. */
function groupUnits({ records, batchSize }: EarlyRun): {
  unit: StopEarly['unit'];
  unitOf: readonly number[];
} {
  const clusters = new Set(records.flatMap(({ cluster }) => cluster ?? []));
  const hasPatients =
    clusters.size > 0 && records.filter(({ cluster }) => cluster !== null).length > clusters.size;
  if (hasPatients && batchSize > 1)
    throw new KrisisError(
      `cases were to be asked ${batchSize} at a time, and several cases are of one patient: a run that stops early looks at whole patients, so ask one case per call`,
      { code: 'ERR_STOP_EARLY_SETTING', value: batchSize },
    );
  if (batchSize > 1)
    return { unit: 'batch', unitOf: records.map((_, index) => Math.floor(index / batchSize)) };
  if (!hasPatients) return { unit: 'record', unitOf: records.map((_, index) => index) };
  let unit = -1;
  const unitOf = records.map(({ cluster }, index) => {
    if (cluster === null || index === 0 || cluster !== records[index - 1]!.cluster) unit += 1;
    return unit;
  });
  return { unit: 'patient', unitOf };
}

function trackGate(gate: GatePlan['gates'][number], { run, options, unitOf, claim }: Context): TrackedGate {
  const metric = run.metrics.find(({ name }) => name === gate.metric);
  const side = gateSide(gate, metric);
  const rowValue = rowValues(metric!, { ...run.table, labels: run.labels });
  if (side.kind === 'value') return { text: gate.text, rowValue, start: () => valueLooks(gate, options) };
  if (claim === 'suite' && !metric!.fixedDenominator)
    throw new KrisisError(
      `'${gate.text}' cannot be claimed of exactly this suite: which cases ${gate.metric} counts depends on the answers; claim it of the population`,
      { code: 'ERR_STOP_EARLY_METRIC', value: gate.text },
    );
  const looks = { ...options, suiteSize: countableUnits(run, unitOf, rowValue) };
  refuseTooSmall(gate.text, side.isMirrored ? 1 - gate.limit : gate.limit, looks);
  return { text: gate.text, rowValue, start: () => boundLooks(gate.limit, side.isMirrored, looks) };
}

/** How many units hold a row that the share can count. */
function countableUnits(
  { records }: EarlyRun,
  unitOf: readonly number[],
  rowValue: (row: EvaluationResult) => RowValue,
): number {
  const counted = new Set<number>();
  for (const [index, record] of records.entries()) {
    const unasked = evaluationResult({ ...record, state: 'failed' });
    if (rowValue(unasked).low !== null) counted.add(unitOf[index]!);
  }
  return counted.size;
}

function refuseTooSmall(
  text: string,
  limit: number,
  { nUnits, alphaSide, minN, evidence, suiteSize }: LookOptions,
): void {
  const terms = { limit, alphaSide, minN, evidence };
  if (isReachable({ ...terms, nTotal: suiteSize })) return;
  let needed = Math.max(suiteSize, 1);
  while (needed < 10_000_000 && !isReachable({ ...terms, nTotal: needed })) needed *= 2;
  let [low, high] = [Math.floor(needed / 2), needed];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (isReachable({ ...terms, nTotal: middle })) high = middle;
    else low = middle;
  }
  const least = needed >= 10_000_000 ? 'no number of cases would do' : `at least ${high} are needed`;
  const all =
    suiteSize === nUnits ? `all ${nUnits} answers` : `all ${suiteSize} answers that it counts, of ${nUnits},`;
  throw new KrisisError(`'${text}' could not pass even if ${all} were right: ${least}`, {
    code: 'ERR_STOP_EARLY_TOO_SMALL',
    value: text,
  });
}

type NonInferior = NonNullable<GatePlan['nonInferior']>;

function differenceMetric(
  { metric: wanted }: NonInferior,
  { metrics, primaryEndpoint, records }: EarlyRun,
): Metric {
  const hasDeferral = records.some(({ metadata }) => typeof metadata.should_abstain === 'boolean');
  const name = wanted ?? primaryEndpoint ?? usualEndpoint(() => hasDeferral);
  const metric = metrics.find((candidate) => candidate.name === name);
  if (metric?.better != null && metric.proportion !== undefined && metric.fixedDenominator) return metric;
  throw new KrisisError(
    `non-inferiority on ${name} cannot stop a run early: it needs a share over the same cases for both models, such as accuracy, decision_accuracy or unsafe_decision_rate`,
    { code: 'ERR_STOP_EARLY_METRIC', value: name },
  );
}

function writeCondition({ baseline, margin }: NonInferior, { name }: Metric): string {
  return `non-inferior to ${basename(baseline)} on ${name} by ${margin}`;
}

function baselineTerms(plan: NonInferior, run: EarlyRun): StopEarly['nonInferior'] {
  const { baseline, margin } = plan;
  const runId = RunFile.use(baseline, (file) => file.manifest().runId);
  return { baseline: basename(baseline), runId: runId, margin, metric: differenceMetric(plan, run).name };
}

function trackDifference(plan: NonInferior, { run, options, unitOf }: Context): TrackedGate {
  const metric = differenceMetric(plan, run);
  const text = writeCondition(plan, metric);
  const own = rowValues(metric, { ...run.table, labels: run.labels });
  const baseline = baselineValues(plan.baseline, run, own);
  const isLowerBetter = metric.better === 'lower';
  const rowValue = (row: EvaluationResult) => pairedValue(own(row), baseline.get(row.id!)!, isLowerBetter);
  const looks: LookOptions = {
    ...options,
    evidence: 'mean',
    suiteSize: countableUnits(run, unitOf, rowValue),
  };
  refuseTooSmall(text, (1 - plan.margin) / 2, looks);
  return { text, rowValue, start: () => differenceLooks(plan.margin, isLowerBetter, looks) };
}

/** What each record is worth in the baseline, over its repeats. */
function baselineValues(
  path: string,
  { records }: EarlyRun,
  rowValue: (row: EvaluationResult) => RowValue,
): ReadonlyMap<string, RowValue> {
  const values = new Map<string, RowValue[]>();
  RunFile.use(path, (file) => {
    for (const row of file.rows.read({ nRepeats: file.manifest().identity.repeats }))
      if (row.id !== null) values.set(row.id, [...(values.get(row.id) ?? []), rowValue(row)]);
  });
  const missing = records.filter(({ id }) => !values.has(id)).length;
  if (missing > 0)
    throw new KrisisError(
      `${path}: has no case for ${missing} of the ${records.length} cases, so a run cannot be compared with it case by case while it goes on; complete it first, or ask fewer cases`,
      { code: 'ERR_STOP_EARLY_BASELINE', value: path },
    );
  return new Map([...values].map(([id, rows]) => [id, averageRows(rows)]));
}
