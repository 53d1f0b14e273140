import type { Label } from '../core/index.ts';
import { DEFAULT_LEVEL } from '../statistics/index.ts';
import { type DecisionTable, decisionTable } from './act/decision-table.ts';
import type { SubgroupGap } from './behaviour/subgroups.ts';
import { equalWidth } from './calibration/bins.ts';
import type { RowTable } from './columns.ts';
import type { ConfidenceBlocks } from './confidence-blocks.ts';
import { deferralConfusion, deferralOf } from './deferral/deferral-table.ts';
import { type Confusion, confusion } from './figures/confusion.ts';
import { type GroupDot, stratumDots, subgroupDots } from './figures/group-dots.ts';
import { type ReliabilityBin, reliabilityBins } from './figures/reliability-bins.ts';
import { type RiskCoverage, riskCoverage } from './figures/risk-coverage.ts';
import { unitsPerRow } from './figures/share.ts';
import { gradedOutcomesOf } from './outcomes.ts';
import { Sample } from './sample.ts';
import { type DecisionCurvePoint, decisionCurve } from './utility/net-benefit.ts';

export type { DecisionCurvePoint, GroupDot, ReliabilityBin };

/** Plot data for charts: everything is counted here, so that charts compute nothing. */
export interface Figures {
  /** By strict confidence: an answer on a row that should be deferred is not right. */
  readonly reliability: readonly ReliabilityBin[];
  readonly riskCoverage: RiskCoverage;
  /** Truth by answer; the last columns are abstained and invalid. */
  readonly confusion: Confusion;
  /** Scored rows by what the case calls for and how the decision turned out. */
  readonly decisions: DecisionTable['classes'];
  /** What the model should do by what it did; null without deferral labels. */
  readonly deferral: ReturnType<typeof deferralConfusion> | null;
  /** Strata (or classes) and subgroups, each with interval and n. */
  readonly dots: readonly GroupDot[];
  /** Stated confidence in steps of 0.05, right and wrong answers separately. */
  readonly confidence: readonly ConfidenceStep[];
  /** Net benefit by threshold; null unless there are two labels, one of them positive, and confidences. Default: null. */
  readonly decisionCurve?: readonly DecisionCurvePoint[] | null;
}

interface ConfidenceStep {
  readonly low: number;
  readonly high: number;
  readonly right: number;
  readonly wrong: number;
}

interface FiguresOptions {
  /** The labels of the task, in its order. */
  readonly labels?: readonly Label[] | undefined;
  /** Groups as they were scored. */
  readonly subgroups?: readonly SubgroupGap[];
  readonly level?: number | undefined;
  /** The label that means that the condition is there. Default: none. */
  readonly positiveLabel?: Label | null | undefined;
}

const CONFIDENCE_STEPS = 20;
const CURVE_THRESHOLDS = Array.from({ length: 99 }, (_, i) => (i + 1) / 100);

/**
 * Computes plot data from columns, without an object per row. Where records were asked several times, intervals count records, not rows.
 *
 * @example
 * ```ts
 * const figures = figuresOf(tableOf([
 *   evaluationResult({ prediction: 'no', groundTruth: 'yes', confidence: 0.9 }),
 *   evaluationResult({ groundTruth: 'yes', abstained: true }),
 * ]), { labels: ['yes', 'no'] });
 * figures.confusion // => { truths: ['yes'], answers: ['yes', 'no', 'abstained', 'invalid'], counts: [[0, 1, 1, 0]] }
 * figures.riskCoverage.points[0].coverage // => 0.5
 * ```
 */
export function figuresOf({ scored }: RowTable, options: FiguresOptions = {}): Figures {
  const { labels = [], subgroups = [], level = DEFAULT_LEVEL, positiveLabel } = options;
  const sample = Sample.from(scored);
  const deferral = deferralOf(sample);
  const shares = { level, unitsPerRow: unitsPerRow(scored) };
  return {
    reliability: reliabilityBins(sample.strictConfidence, shares),
    riskCoverage: riskCoverage(sample.strictConfidence, gradedOutcomesOf(sample).n, scored),
    confusion: confusion(sample, labels),
    deferral: deferral.n === 0 ? null : deferralConfusion(deferral),
    decisions: decisionTable(sample).classes,
    dots: [...stratumDots(sample, labels, shares), ...subgroupDots(subgroups)],
    confidence: confidenceSteps(sample.confidence),
    decisionCurve:
      positiveLabel == null || labels.length !== 2 || sample.confidence.n === 0
        ? null
        : decisionCurve(sample, positiveLabel, CURVE_THRESHOLDS),
  };
}

function confidenceSteps(blocks: ConfidenceBlocks): ConfidenceStep[] {
  const { count, correct } = equalWidth(blocks, CONFIDENCE_STEPS);
  return Array.from(count, (n, step) => ({
    low: step / CONFIDENCE_STEPS,
    high: (step + 1) / CONFIDENCE_STEPS,
    right: correct[step]!,
    wrong: n - correct[step]!,
  }));
}
