import type { Label } from '../core/label.ts';
import { DEFAULT_LEVEL } from '../statistics/score-options.ts';
import { decisionTable } from './act/decision-table.ts';
import type { DecisionTable } from './act/tally-decisions.ts';
import type { SubgroupGap } from './behaviour/subgroups.ts';
import { ABSTAINED, ANSWERED, type Columns, type RowTable } from './columns.ts';
import { type ConfidenceBlocks, isUsable } from './confidence-blocks.ts';
import {
  type Bar,
  buildBars,
  type CurvePoint,
  equalWidth,
  thin,
  traceCurve,
} from './confidence-summaries.ts';
import { countDeferrals, deferralConfusion } from './deferral/deferral-table.ts';
import { classOrder, type GroupDot, stratumDots, subgroupDots } from './figures/group-dots.ts';
import { type Share, type ShareOptions, share, unitsPerRow } from './figures/share.ts';
import { NO_LABEL } from './label-table.ts';
import { Sample } from './sample.ts';
import { countGradedOutcomes } from './tables.ts';
import { type DecisionCurvePoint, decisionCurve } from './utility/utility-metrics.ts';

export type { GroupDot };

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

const CONFIDENCE_STEPS = 20;
const CURVE_THRESHOLDS = Array.from({ length: 99 }, (_, i) => (i + 1) / 100);

/**
 * Computes plot data from columns, without an object per row. Where records were asked several times, intervals count records, not rows.
 *
 * @example
 * ```ts
 * const figures = buildFigures(buildTable([
 *   evaluationResult({ prediction: 'no', groundTruth: 'yes', confidence: 0.9 }),
 *   evaluationResult({ groundTruth: 'yes', abstained: true }),
 * ]), { labels: ['yes', 'no'] });
 * figures.confusion // => { truths: ['yes'], answers: ['yes', 'no', 'abstained', 'invalid'], counts: [[0, 1, 1, 0]] }
 * figures.riskCoverage.points[0].coverage // => 0.5
 * ```
 */
export function buildFigures(
  { scored }: RowTable,
  {
    labels = [],
    subgroups = [],
    level = DEFAULT_LEVEL,
    positiveLabel,
  }: {
    /** The labels of the task, in its order. */
    readonly labels?: readonly Label[] | undefined;
    /** Groups as they were scored. */
    readonly subgroups?: readonly SubgroupGap[];
    readonly level?: number | undefined;
    /** The label that means that the condition is there. Default: none. */
    readonly positiveLabel?: Label | null | undefined;
  } = {},
): Figures {
  const sample = Sample.from(scored);
  const deferral = countDeferrals(sample);
  const shares = { level, unitsPerRow: unitsPerRow(scored) };
  return {
    reliability: reliabilityBins(sample.strictConfidence, shares),
    riskCoverage: riskCoverage(sample.strictConfidence, countGradedOutcomes(sample).n, scored),
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

/** One bar of the reliability diagram, with Wilson's interval of the share right. */
export interface ReliabilityBin extends Bar, Pick<Share, 'lower' | 'upper'> {}

/** The bins of ECE, so that the diagram shows what the number sums up. */
const BINS = 15;

function reliabilityBins(blocks: ConfidenceBlocks, options: ShareOptions): ReliabilityBin[] {
  const bins = equalWidth(blocks, BINS);
  return buildBars(bins).map((bar, bin) => {
    const { lower, upper } = share(bins.correct[bin]!, bar.count, options);
    return { ...bar, lower, upper };
  });
}

/** More points cannot be distinguished in a plot. */
const MAX_POINTS = 400;
const ORACLE_POINTS = 100;

interface RiskCoverage {
  /** Coverage is relative to all scored rows, so that abstaining shows. */
  readonly points: readonly CurvePoint[];
  /** Selective risk of accepting answers at random: the error rate of usable rows; null when there are none. */
  readonly random: number | null;
  /** The best curve these errors allow. */
  readonly oracle: readonly { readonly coverage: number; readonly selective_risk: number }[];
  readonly nUsable: number;
  /** Emergencies that have a label, and those of them without an answer to accept, which no point of the curve shows. */
  readonly emergencies: { readonly n: number; readonly unanswered: number };
}

/** The curve of strict risk: an answer on a row that should be deferred is a failure, right or wrong. */
function riskCoverage(blocks: ConfidenceBlocks, nScored: number, columns: Columns): RiskCoverage {
  const answered = nScored === 0 ? 0 : blocks.n / nScored;
  const points = thin(traceCurve(blocks), MAX_POINTS).map((point) => ({
    ...point,
    coverage: point.coverage * answered,
    generalized_risk: point.generalized_risk * answered,
  }));
  return {
    points,
    random: blocks.n === 0 ? null : blocks.nErrors / blocks.n,
    oracle: oracle(blocks, nScored),
    nUsable: blocks.n,
    emergencies: emergenciesIn(columns),
  };
}

function emergenciesIn(columns: Columns): RiskCoverage['emergencies'] {
  let [n, unanswered] = [0, 0];
  for (let i = 0; i < columns.n; i++) {
    if (columns.mustAct[i] !== 1 || columns.truth[i] === NO_LABEL) continue;
    n += 1;
    if (!isUsable(columns, i)) unanswered += 1;
  }
  return { n, unanswered };
}

/** All right answers first: no risk while they last, then only errors. */
function oracle({ n, nErrors }: ConfidenceBlocks, nScored: number): RiskCoverage['oracle'] {
  if (n === 0) return [];
  const nRight = n - nErrors;
  const steps = Math.min(nErrors, ORACLE_POINTS);
  const added = Array.from({ length: steps }, (_, i) => Math.round(((i + 1) / steps) * nErrors));
  const accepted = new Set([1, Math.max(1, nRight), ...added.map((errors) => nRight + errors)]);
  return [...accepted].map((k) => ({
    coverage: k / nScored,
    selective_risk: Math.max(0, k - nRight) / k,
  }));
}

/** A larger table cannot be read, and one of free text would not fit into memory: the rarest classes become `other`. */
const MAX_CLASSES = 60;

interface Confusion {
  /** Rows without a derivable answer are the truth `null`. */
  readonly truths: readonly string[];
  /** Labels, then `other` where there are other answers, and last `abstained` and `invalid`. */
  readonly answers: readonly string[];
  readonly counts: readonly (readonly number[])[];
}

/** Truth by answer. */
function confusion(sample: Sample, scale: readonly Label[]): Confusion {
  const { labels } = sample.columns;
  const classes = commonest(sample, scale);
  const columnByCode = new Map(classOrder(classes, labels, scale).map((code, i) => [code, i]));
  const names = [...columnByCode.keys()].map((code) => String(labels.display[code]));
  const other = names.length;
  const [abstained, invalid] = [other + 1, other + 2];
  const rows = new Map<number, number[]>();
  const { cells, counts } = sample;
  for (let c = 0; c < cells.size; c++) {
    const truth = cells.truth[c] === NO_LABEL ? NO_LABEL : (columnByCode.get(cells.truth[c]!) ?? other);
    const row = rows.get(truth) ?? new Array<number>(names.length + 3).fill(0);
    rows.set(truth, row);
    const said =
      cells.state[c] === ANSWERED
        ? (columnByCode.get(cells.prediction[c]!) ?? other)
        : cells.state[c] === ABSTAINED
          ? abstained
          : invalid;
    row[said]! += counts[c]!;
  }
  // Classes in order, then rows that belong to none.
  const order = [...rows.keys()].sort((a, b) => place(a) - place(b));
  const withOther = [...rows.values()].some((row) => row[other]! > 0);
  const shown = (_: unknown, i: number) => withOther || i !== other;
  return {
    truths: order.map((truth) => (truth === NO_LABEL ? 'null' : (names[truth] ?? 'other'))),
    answers: [...names, 'other', 'abstained', 'invalid'].filter(shown),
    counts: order.map((truth) => rows.get(truth)!.filter(shown)),
  };
}

function place(truth: number): number {
  return truth === NO_LABEL ? Number.POSITIVE_INFINITY : truth;
}

/** The most frequent classes of the truth and the scale. */
function commonest({ cells, counts, columns }: Sample, scale: readonly Label[]): number[] {
  const rows = new Map<number, number>();
  for (let c = 0; c < cells.size; c++) {
    if (cells.truth[c] !== NO_LABEL) rows.set(cells.truth[c]!, (rows.get(cells.truth[c]!) ?? 0) + counts[c]!);
  }
  for (const label of scale) {
    const code = columns.labels.findCode(label);
    if (code >= 0) rows.set(code, rows.get(code) ?? 0);
  }
  const byCount = [...rows].sort(([a, n], [b, m]) => m - n || a - b);
  return byCount.slice(0, MAX_CLASSES).map(([code]) => code);
}
