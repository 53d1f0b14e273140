import { GATE_FUNCTIONS } from '../analyses/registry.ts';
import {
  caseKind,
  type DecisionClass,
  decisionClass,
  decisionFacts,
  emergencyRule,
} from '../core/decision-class.ts';
import { type EvaluationResult, evaluationResult } from '../core/evaluation-result.ts';
import type { Label } from '../core/label.ts';
import {
  decisionAccuracyClear,
  falseAlarmRate,
  missedEmergencyRate,
  mustActAccuracy,
  mustActSilenceRate,
  unsafeAnswerRate,
  unsafeDecisionRate,
} from '../metrics/act/act-metrics.ts';
import { confidenceStatus } from '../metrics/act/confidence-status.ts';
import { expectedCalibrationError } from '../metrics/calibration/binned-errors.ts';
import { buildTable } from '../metrics/columns.ts';
import { decisionAccuracy } from '../metrics/deferral/deferral-metrics.ts';
import type { DefinedMetric } from '../metrics/define-metric.ts';
import { scoreTable } from '../metrics/score.ts';
import { augrc } from '../metrics/selective/risk-coverage.ts';
import { gateWarnings } from '../runs/gates/gate-warnings.ts';
import type { CaseFunction, CaseValues } from './case-function.ts';

type Row = Record<string, unknown>;

/** Reference functions on acting and silence that take rows. */
export const actRowFunctions: Readonly<
  Record<string, (rows: readonly Row[], params: CaseValues) => unknown>
> = {
  act_metrics: (rows, params) => {
    const metrics = [missedEmergencyRate(), falseAlarmRate(), mustActSilenceRate(), mustActAccuracy()];
    return Object.fromEntries(
      scoresOf(rows, params, metrics).map((score) => [score.name, shareObject(score)]),
    );
  },
  unsafe_decision_rate: (rows, params) => {
    const [score, answers] = scoresOf(rows, params, [unsafeDecisionRate(), unsafeAnswerRate()]);
    return { ...shareObject(score!), ...score!.details, unsafe_answer_rate: answers!.value };
  },
  decision_accuracy_clear: (rows, params) => {
    const [clear, all] = scoresOf(rows, params, [decisionAccuracyClear(), decisionAccuracy()]);
    return { ...shareObject(clear!), ...clear!.details, all: all!.value };
  },
  strict_confidence: (rows, { n_bins: bins = 15, ...params }) => {
    const strict = { strict: true } as const;
    const [ece, eceStrict, risk, riskStrict] = scoresOf(rows, params, [
      expectedCalibrationError({ bins }),
      expectedCalibrationError({ bins, ...strict }),
      augrc(),
      augrc(strict),
    ]);
    return {
      n: ece!.nEvaluated,
      augrc: risk!.value,
      augrc_strict: riskStrict!.value,
      ece: ece!.value,
      ece_strict: eceStrict!.value,
      reason: ece!.nEvaluated === 0 ? 'no_usable_rows' : null,
    };
  },
  decision_class: (rows, { urgency_asked: urgencyAsked }) => {
    const results = rows.map(readRow);
    const rule = emergencyRule(
      { urgencyAsked },
      results.some(({ urgent }) => urgent !== null),
    );
    const facts = results.map((row) => decisionFacts(row));
    const classes = facts.map((row) => decisionClass(row, rule));
    const kinds = facts.map(caseKind);
    const counts: Record<string, Partial<Record<DecisionClass, number>>> = {};
    for (const [i, kind] of kinds.entries()) {
      counts[kind] ??= {};
      counts[kind][classes[i]!] = (counts[kind][classes[i]!] ?? 0) + 1;
    }
    return { classes, kinds, counts };
  },
};

/** Reference functions on acting and silence that take named inputs. */
export const actFunctions: Readonly<Record<string, CaseFunction>> = {
  confidence_status: ({ n_usable: nUsable, n_errors: nErrors, auroc, interval }) =>
    confidenceStatus({ nUsable, nErrors, auroc, interval }),
  gate_warnings: ({ conditions, suite }) =>
    gateWarnings(
      conditions.map(({ metric, op, limit }: CaseValues) => ({
        metric,
        operator: op,
        limit,
        // A function of an analysis takes numbers, which a reference case leaves out.
        ...(Object.hasOwn(GATE_FUNCTIONS, metric) && { numbers: [] }),
      })),
      {
        nMustAct: suite.n_must_act,
        mustDeferShare: suite.must_defer_share,
        urgencyAsked: suite.urgency_asked,
      },
    ),
};

function scoresOf(rows: readonly Row[], params: CaseValues, metrics: readonly DefinedMetric[]) {
  const results = rows.map(readRow);
  const cluster = rows.some((row) => row.cluster !== undefined) && { cluster: 'cluster' };
  const table = buildTable(results, {
    urgencyAsked: params.urgency_asked,
    keep: cluster ? [cluster.cluster] : [],
  });
  return scoreTable(table, { metrics, ...cluster, level: params.level }).scores;
}

function shareObject(score: ReturnType<typeof scoresOf>[number]) {
  const { nEvaluated, nSuccesses, value, interval, bounds, reason } = score;
  return {
    n: nEvaluated,
    count: nSuccesses ?? 0,
    value,
    interval: interval && [interval.lower, interval.upper],
    bounds: bounds && [bounds.lower, bounds.upper],
    reason,
  };
}

function readRow(row: Row): EvaluationResult {
  const metadata = { ...(row.metadata as Row | undefined), cluster: row.cluster };
  return evaluationResult({
    ...(row.failed === true ? { state: 'failed' } : row.refused === true ? { state: 'refused' } : {}),
    prediction: (row.prediction ?? null) as Label | null,
    groundTruth: (row.ground_truth ?? null) as Label | null,
    abstained: row.abstained === true,
    confidence: typeof row.confidence === 'number' ? row.confidence : null,
    urgent: typeof row.urgent === 'boolean' ? row.urgent : null,
    metadata,
  });
}
