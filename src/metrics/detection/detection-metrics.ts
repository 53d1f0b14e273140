import type { Label } from '../../core/label.ts';
import { type DefinedMetric, defineMetric, type TableSpec, tableMetric } from '../define-metric.ts';
import type { Sample } from '../sample.ts';
import { f1Of, matthews } from '../tables.ts';
import { detectionTable, type Fourfold, fourfold } from './detection-table.ts';

interface DetectionOptions {
  /** The label that means the condition is present. Never guessed: without it the metric is null. */
  readonly positiveLabel: Label | undefined;
  /** How abstentions enter: left out, or counted against the model (intention to diagnose: FN if the truth is positive, FP if negative). Default: `answered`. */
  readonly abstentions?: 'answered' | 'itd';
}

type DetectionSpec = Omit<TableSpec<Fourfold>, 'family' | 'restsOn' | 'better'> &
  Pick<Partial<TableSpec<Fourfold>>, 'better'>;

/** A metric of the fourfold table. */
function fourfoldMetric(
  { positiveLabel, abstentions = 'answered' }: DetectionOptions,
  spec: DetectionSpec,
): DefinedMetric {
  const shared = { better: 'higher', family: 'detection', restsOn: 'counts' } as const;
  if (positiveLabel === undefined) {
    const { name, label, reads, formula, range, misleads, better = shared.better } = spec;
    return defineMetric({
      ...shared,
      name,
      label,
      reads,
      formula,
      range: range ?? '0 to 1',
      misleads,
      better,
      estimate: () => 'positive_label_not_given',
    });
  }
  const readTable = (sample: Sample) => fourfold(detectionTable(sample, positiveLabel), abstentions);
  return tableMetric(readTable, { ...shared, ...spec });
}

/** Such a metric in its two versions: `<name>` on what was answered, `<name>_itd` by intention to diagnose. */
function detectionMetric(spec: DetectionSpec): (options: DetectionOptions) => DefinedMetric {
  return (options) => {
    const { positiveLabel, abstentions = 'answered' } = options;
    const table = (sample: Sample) => detectionTable(sample, positiveLabel!);
    const itd = abstentions === 'itd';
    return fourfoldMetric(options, {
      ...spec,
      name: itd ? `${spec.name}_itd` : spec.name,
      label: itd ? `${spec.label} (intention to diagnose)` : spec.label,
      reads: itd ? `${spec.reads}, deferrals wrong` : spec.reads,
      answeredOnly: !itd,
      fixedDenominator: itd && spec.fixedDenominator === true,
      comparesGroups: !itd && spec.comparesGroups === true,
      nAbstained: (_, sample) => table(sample).abstained_positive + table(sample).abstained_negative,
      details: (_, sample) => ({ positive_label: positiveLabel, abstentions, table: table(sample) }),
    });
  };
}

/**
 * Found among those who have the condition: TP / (TP + FN). No such rows: null.
 * With `abstentions: 'itd'` an abstention counts as FN or FP. Sources: Schuetz 2012, Shinkins 2013.
 *
 * @example
 * ```ts
 * sensitivity({ positiveLabel: 'present' }).compute([
 *   evaluationResult({ prediction: 'present', groundTruth: 'present' }),
 *   evaluationResult({ prediction: 'absent', groundTruth: 'present' }),
 *   evaluationResult({ prediction: 'absent', groundTruth: 'absent' }),
 * ]).value // => 0.5
 * ```
 */
export const sensitivity = detectionMetric({
  name: 'sensitivity',
  fixedDenominator: true,
  comparesGroups: true,
  label: 'Sensitivity',
  reads: 'found, of those with the condition',
  formula: 'TP / (TP + FN)',
  misleads: 'Rises by deferring on doubtful cases, and by calling every case positive.',
  bounded: true,
  emptyReason: 'no_positive_rows',
  proportion: ({ fn, tp }) => ({ successes: tp, n: tp + fn }),
});

/**
 * Cleared among those who do not have the condition: TN / (TN + FP). No such rows: null.
 * With `abstentions: 'itd'` an abstention counts as FN or FP. Sources: Schuetz 2012, Shinkins 2013.
 *
 * @example
 * ```ts
 * specificity({ positiveLabel: 'present' }).compute([
 *   evaluationResult({ prediction: 'present', groundTruth: 'present' }),
 *   evaluationResult({ prediction: 'absent', groundTruth: 'present' }),
 *   evaluationResult({ prediction: 'absent', groundTruth: 'absent' }),
 * ]).value // => 1
 * ```
 */
export const specificity = detectionMetric({
  name: 'specificity',
  fixedDenominator: true,
  comparesGroups: true,
  label: 'Specificity',
  reads: 'cleared, of those without it',
  formula: 'TN / (TN + FP)',
  misleads: 'Rises by calling no case positive. Healthy controls make it easy.',
  bounded: true,
  emptyReason: 'no_negative_rows',
  proportion: ({ fp, tn }) => ({ successes: tn, n: tn + fp }),
});

/**
 * Right among positive calls: TP / (TP + FP). No positive call: null. It depends on prevalence; `ppvAtPrevalence` re-weights it.
 * With `abstentions: 'itd'` an abstention counts as FN or FP. Sources: Schuetz 2012, Shinkins 2013.
 *
 * @example
 * ```ts
 * ppv({ positiveLabel: 'present' }).compute([
 *   evaluationResult({ prediction: 'present', groundTruth: 'present' }),
 *   evaluationResult({ prediction: 'absent', groundTruth: 'present' }),
 *   evaluationResult({ prediction: 'absent', groundTruth: 'absent' }),
 * ]).value // => 1
 * ```
 */
export const ppv = detectionMetric({
  name: 'ppv',
  label: 'Positive Predictive Value',
  reads: 'right, of its positive calls',
  formula: 'TP / (TP + FP)',
  misleads: 'Depends on how common the condition is in the suite.',
  emptyReason: 'no_positive_calls',
  proportion: ({ fp, tp }) => ({ successes: tp, n: tp + fp }),
});

/**
 * Right among negative calls: TN / (TN + FN). No negative call: null. It depends on prevalence; `npvAtPrevalence` re-weights it.
 * With `abstentions: 'itd'` an abstention counts as FN or FP. Sources: Schuetz 2012, Shinkins 2013.
 *
 * @example
 * ```ts
 * npv({ positiveLabel: 'present' }).compute([
 *   evaluationResult({ prediction: 'present', groundTruth: 'present' }),
 *   evaluationResult({ prediction: 'absent', groundTruth: 'present' }),
 *   evaluationResult({ prediction: 'absent', groundTruth: 'absent' }),
 * ]).value // => 0.5
 * ```
 */
export const npv = detectionMetric({
  name: 'npv',
  label: 'Negative Predictive Value',
  reads: 'right, of its negative calls',
  formula: 'TN / (TN + FN)',
  misleads: 'High without skill where the condition is rare.',
  emptyReason: 'no_negative_calls',
  proportion: ({ fn, tn }) => ({ successes: tn, n: tn + fn }),
});

/**
 * F1 of the positive class: 2TP / (2TP + FP + FN); 0/0 is null.
 *
 * @example
 * ```ts
 * f1({ positiveLabel: 'present' }).compute([
 *   evaluationResult({ prediction: 'present', groundTruth: 'present' }),
 *   evaluationResult({ prediction: 'absent', groundTruth: 'present' }),
 *   evaluationResult({ prediction: 'absent', groundTruth: 'absent' }),
 * ]).value // => 0.6666666666666666
 * ```
 */
export const f1 = detectionMetric({
  name: 'f1',
  label: 'F1',
  reads: 'sensitivity and PPV in one',
  formula: '2 TP / (2 TP + FP + FN)',
  range: '0 to 1',
  misleads: 'Ignores true negatives and depends on prevalence.',
  emptyReason: 'no_positives',
  estimate: f1Of,
});

/**
 * Matthews' correlation of calls with the truth. One class in the truth: null; constant calls against two classes: 0.
 * Source: Chicco & Jurman 2020.
 *
 * @example
 * ```ts
 * mcc({ positiveLabel: 'present' }).compute([
 *   evaluationResult({ prediction: 'present', groundTruth: 'present' }),
 *   evaluationResult({ prediction: 'absent', groundTruth: 'present' }),
 *   evaluationResult({ prediction: 'absent', groundTruth: 'absent' }),
 * ]).value // => 0.5
 * ```
 */
export const mcc = detectionMetric({
  name: 'mcc',
  label: 'MCC',
  reads: 'skill: 0 none, 1 perfect',
  formula: "Matthews' correlation of calls with the truth",
  range: '-1 to 1',
  misleads: 'Depends on prevalence.',
  estimate: matthews,
});

/**
 * The share of rows that have the condition, abstentions included: what PPV and NPV rest on. No rows: null.
 *
 * @example
 * ```ts
 * prevalence({ positiveLabel: 'present' }).compute([
 *   evaluationResult({ prediction: 'present', groundTruth: 'present' }),
 *   evaluationResult({ prediction: 'absent', groundTruth: 'present' }),
 *   evaluationResult({ prediction: 'absent', groundTruth: 'absent' }),
 * ]).value // => 0.6666666666666666
 * ```
 */
export function prevalence({ positiveLabel }: Pick<DetectionOptions, 'positiveLabel'>) {
  return fourfoldMetric(
    { positiveLabel, abstentions: 'itd' },
    {
      name: 'prevalence',
      label: 'Prevalence',
      reads: 'have the condition, of all',
      formula: 'cases with the condition / cases with a known truth',
      misleads: 'In a generated suite it was chosen.',
      better: null,
      proportion: ({ tp, fn, n }) => ({ successes: tp + fn, n }),
    },
  );
}

/**
 * How much a positive call raises the odds of the condition: sensitivity / (1 - specificity). No false alarm at all: null.
 *
 * @example
 * ```ts
 * likelihoodRatioPositive({ positiveLabel: 1 }).compute([
 *   evaluationResult({ prediction: 1, groundTruth: 1 }),
 *   evaluationResult({ prediction: 1, groundTruth: 0 }),
 *   evaluationResult({ prediction: 0, groundTruth: 0 }),
 * ]).value // => 2
 * ```
 */
export const likelihoodRatioPositive = detectionMetric({
  name: 'likelihood_ratio_positive',
  label: 'Likelihood Ratio (positive)',
  reads: 'a positive call multiplies the odds',
  formula: 'sensitivity / (1 - specificity)',
  range: 'from 0',
  misleads: 'Undefined without false positives, and unstable with few.',
  emptyReason: 'one_class',
  estimate: ({ tp, fn, tn, fp }) => {
    if (tp + fn === 0 || tn + fp === 0) return 'one_class';
    return fp === 0 ? 'no_false_alarms' : tp / (tp + fn) / (fp / (tn + fp));
  },
});

/**
 * How much a negative call lowers the odds of the condition: (1 - sensitivity) / specificity. No true negative: null.
 *
 * @example
 * ```ts
 * likelihoodRatioNegative({ positiveLabel: 1 }).compute([
 *   evaluationResult({ prediction: 1, groundTruth: 1 }),
 *   evaluationResult({ prediction: 0, groundTruth: 1 }),
 *   evaluationResult({ prediction: 0, groundTruth: 0 }),
 * ]).value // => 0.5
 * ```
 */
export const likelihoodRatioNegative = detectionMetric({
  name: 'likelihood_ratio_negative',
  label: 'Likelihood Ratio (negative)',
  reads: 'a negative call multiplies the odds',
  formula: '(1 - sensitivity) / specificity',
  range: 'from 0',
  misleads: 'A few misses decide it.',
  better: 'lower',
  emptyReason: 'one_class',
  estimate: ({ tp, fn, tn, fp }) => {
    if (tp + fn === 0 || tn + fp === 0) return 'one_class';
    return tn === 0 ? 'nobody_cleared' : fn / (tp + fn) / (tn / (tn + fp));
  },
});

/**
 * PPV re-weighted to a stated prevalence pi: s pi / (s pi + (1 - sp)(1 - pi)), with sensitivity s and specificity sp of these rows.
 * Undefined where either is, or where no positive call is to be expected.
 *
 * @example
 * ```ts
 * ppvAtPrevalence({ positiveLabel: 1, prevalence: 0.1 }).compute([
 *   evaluationResult({ prediction: 1, groundTruth: 1 }),
 *   evaluationResult({ prediction: 1, groundTruth: 0 }),
 *   evaluationResult({ prediction: 0, groundTruth: 0 }),
 * ]).value // => 0.18181818181818182
 * ```
 */
export function ppvAtPrevalence({
  prevalence: pi,
  ...options
}: DetectionOptions & { readonly prevalence: number }) {
  return detectionMetric({
    name: 'ppv_at_prevalence',
    label: `PPV at prevalence ${pi}`,
    reads: 'right, of positive calls, there',
    formula: 's p / (s p + (1 - sp) (1 - p)) at prevalence p',
    range: '0 to 1',
    misleads: 'Assumes the same sensitivity s and specificity sp in the other population.',
    emptyReason: 'one_class',
    estimate: ({ tp, fn, tn, fp }) => {
      if (tp + fn === 0 || tn + fp === 0) return 'one_class';
      const hits = (tp / (tp + fn)) * pi;
      const alarms = (fp / (tn + fp)) * (1 - pi);
      return hits + alarms === 0 ? 'no_positive_calls' : hits / (hits + alarms);
    },
  })(options);
}

/**
 * NPV re-weighted to a stated prevalence pi: sp (1 - pi) / (sp (1 - pi) + (1 - s) pi).
 *
 * @example
 * ```ts
 * npvAtPrevalence({ positiveLabel: 1, prevalence: 0.5 }).compute([
 *   evaluationResult({ prediction: 0, groundTruth: 1 }),
 *   evaluationResult({ prediction: 0, groundTruth: 0 }),
 * ]).value // => 0.5
 * ```
 */
export function npvAtPrevalence({
  prevalence: pi,
  ...options
}: DetectionOptions & { readonly prevalence: number }) {
  return detectionMetric({
    name: 'npv_at_prevalence',
    label: `NPV at prevalence ${pi}`,
    reads: 'right, of negative calls, there',
    formula: 'sp (1 - p) / (sp (1 - p) + (1 - s) p) at prevalence p',
    range: '0 to 1',
    misleads: 'Assumes the same sensitivity s and specificity sp in the other population.',
    emptyReason: 'one_class',
    estimate: ({ tp, fn, tn, fp }) => {
      if (tp + fn === 0 || tn + fp === 0) return 'one_class';
      const cleared = (tn / (tn + fp)) * (1 - pi);
      const missed = (fn / (tp + fn)) * pi;
      return cleared + missed === 0 ? 'no_negative_calls' : cleared / (cleared + missed);
    },
  })(options);
}
