import { camelKeys } from '../core/codec.ts';
import { argumentError, KrisisError } from '../core/errors.ts';
import { type EvaluationResult, evaluationResult, parseRow } from '../core/evaluation-result.ts';
import type { Label } from '../core/label.ts';
import { subgroupGap } from '../metrics/behaviour/subgroups.ts';
import { brierParts, traceCurve } from '../metrics/confidence-summaries.ts';
import { trivialPolicies } from '../metrics/deferral/deferral-table.ts';
import { type DefinedMetric, selectBlocks } from '../metrics/define-metric.ts';
import { detectionTable } from '../metrics/detection/detection-table.ts';
import { estimateMetric, numberOrNull } from '../metrics/metric.ts';
import { builtInMetric } from '../metrics/registry.ts';
import { Sample } from '../metrics/sample.ts';
import { actRowFunctions } from './act-functions.ts';
import type { CaseValues } from './case-function.ts';

type Row = Record<string, unknown>;
type RowFunction = (rows: readonly Row[], params: CaseValues) => unknown;

/** Parameters whose name is not the metric's option in snake_case. */
const OPTION_NAMES: Readonly<Record<string, string>> = {
  n_bins: 'bins',
  cost_missed_deferral: 'missed',
  cost_needless_deferral: 'needless',
};

/** Reference functions that are not the value of one metric. */
const SPECIAL: Readonly<Record<string, RowFunction>> = {
  ...actRowFunctions,
  deferral_trivial_policies: (rows) => trivialPolicies(sampleOf(rows)),
  expected_calibration_error_debiased: onlyWith('norm', 'l2', 'expected_calibration_error_debiased'),
  brier_decomposition: (rows, params) => {
    const confidences = selectBlocks(sampleOf(rows), params);
    return confidences.n === 0 ? null : brierParts(confidences);
  },
  brier_skill: (rows, params) => metricValue('brier_decomposition', rows, params),
  e_aurc: onlyWith('method', 'mean', 'e_aurc'),
  corrected_score_interval: (rows) => {
    const { interval, details } = builtInMetric('corrected_score')!.compute(sampleOf(rows));
    const { lambda, checked_like_others: alike } = details as {
      lambda: number;
      checked_like_others: { p: number } | null;
    };
    const { lower = null, upper = null } = interval ?? {};
    return { lower, upper, lambda, p: alike?.p ?? 1 };
  },
  risk_coverage_curve: (rows, params) => traceCurve(selectBlocks(sampleOf(rows), params)),
  confusion_3x2: (rows, params) => detectionTable(sampleOf(rows), params.positive_label as Label),
  subgroup_gap: (rows, { metric, by, min_n: minN = 30, ...params }) => {
    const found = subgroupGap(sampleOf(rows, [by]), metricFor(metric, params), by, {
      minN,
      minShown: 0,
      resamples: 0,
    });
    return { ...found, groups: Object.fromEntries(found.groups.map(({ group, value }) => [group, value])) };
  },
};

/** The reference function of this name that takes rows: a special one, or the value of the metric; undefined where there is neither. */
export function rowFunction(name: string): RowFunction | undefined {
  if (Object.hasOwn(SPECIAL, name)) return SPECIAL[name];
  return builtInMetric(name) && ((rows, params) => metricValue(name, rows, params));
}

function metricValue(name: string, rows: readonly Row[], params: CaseValues): number | null {
  return numberOrNull(estimateMetric(metricFor(name, params), sampleOf(rows)));
}

function metricFor(name: string, params: CaseValues): DefinedMetric {
  const options = Object.entries(params).map(([key, value]) => [OPTION_NAMES[key] ?? key, value]);
  const metric = builtInMetric(name, camelKeys(Object.fromEntries(options)));
  if (metric === undefined)
    throw new KrisisError(`no metric "${name}"`, { value: name, code: 'ERR_METRIC_NOT_FOUND' });
  return metric;
}

/** The value of a metric that knows one value of a parameter. */
function onlyWith(parameter: string, only: string, name: string): RowFunction {
  return (rows, params) => {
    const value = params[parameter] ?? only;
    if (value !== only)
      throw argumentError(`${parameter} "${value}" is not supported; only ${only} is`, value);
    return metricValue(name, rows, params);
  };
}

function sampleOf(rows: readonly Row[], keep: readonly string[] = []): Sample {
  return Sample.of(rows.map(toRow), { keep });
}

function toRow(row: Row): EvaluationResult {
  if (row.score !== undefined) {
    // A row with a score in place of an answer is read as in a file.
    const parsed = parseRow(row);
    if ('row' in parsed) return parsed.row;
    throw argumentError(`${parsed.problem.field}: expected ${parsed.problem.expected}`, row);
  }
  return evaluationResult({
    prediction: (row.prediction ?? null) as Label | null,
    groundTruth: (row.ground_truth ?? null) as Label | null,
    abstained: row.abstained === true,
    confidence: typeof row.confidence === 'number' ? row.confidence : null,
    metadata: (row.metadata ?? {}) as Record<string, unknown>,
  });
}
