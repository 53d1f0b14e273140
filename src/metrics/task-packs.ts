import type { Label } from '../core/index.ts';
import type { BundleOptions } from './bundle-options.ts';
import type { DefinedMetric } from './define-metric.ts';
import { f1 } from './detection/f1.ts';
import { likelihoodRatioNegative, likelihoodRatioPositive } from './detection/likelihood-ratios.ts';
import { mcc } from './detection/mcc.ts';
import { npv } from './detection/npv.ts';
import { ppv } from './detection/ppv.ts';
import { npvAtPrevalence, ppvAtPrevalence } from './detection/predictive-value-at-prevalence.ts';
import { prevalence } from './detection/prevalence.ts';
import { sensitivity } from './detection/sensitivity.ts';
import { specificity } from './detection/specificity.ts';
import { falseReassuranceRate } from './progression/false-reassurance-rate.ts';
import { unsafeImprovementRate } from './progression/unsafe-improvement-rate.ts';
import { worseningRecall } from './progression/worsening-recall.ts';
import { maeStages } from './staging/mae-stages.ts';
import { offByOneAccuracy } from './staging/off-by-one-accuracy.ts';
import { overStagingRate } from './staging/over-staging-rate.ts';
import { qwk } from './staging/qwk.ts';
import { severeUnderStagingRate } from './staging/severe-under-staging-rate.ts';
import { somersD } from './staging/somers-d.ts';
import { underStagingAcrossLine } from './staging/under-staging-across-line.ts';
import { underStagingRate } from './staging/under-staging-rate.ts';
import { netBenefit, netBenefitTreatAll } from './utility/net-benefit.ts';

export const FIVE_STAGES: readonly Label[] = [1, 2, 3, 4, 5];
export const G_STAGES: readonly Label[] = ['G1', 'G2', 'G3a', 'G3b', 'G4', 'G5'];
const COURSE: readonly Label[] = ['improving', 'stable', 'worsening'];

/** What a task adds to the default bundle. */
export function taskPack(options: BundleOptions): DefinedMetric[] {
  const { task, positiveLabel, labels = FIVE_STAGES, targetPrevalence } = options;
  if (task === 'detection') {
    const versions = (['answered', 'itd'] as const).flatMap((abstentions) =>
      [sensitivity, specificity, ppv, npv, f1, mcc].map((metric) => metric({ positiveLabel, abstentions })),
    );
    const there = { positiveLabel, prevalence: targetPrevalence ?? 0 };
    return [
      ...versions,
      prevalence({ positiveLabel }),
      ...(targetPrevalence === undefined ? [] : [ppvAtPrevalence(there), npvAtPrevalence(there)]),
    ];
  }
  if (task === 'staging') {
    return [qwk, maeStages, offByOneAccuracy, underStagingRate, severeUnderStagingRate, overStagingRate].map(
      (metric) => metric({ labels }),
    );
  }
  if (task === 'progression') {
    return (['all', 'answered'] as const).flatMap((denominator) =>
      [worseningRecall, unsafeImprovementRate, falseReassuranceRate].map((metric) => metric({ denominator })),
    );
  }
  return [];
}

/** What a task adds to the extended bundle. */
export function taskPackExtended(options: BundleOptions): DefinedMetric[] {
  const { task, positiveLabel, labels = FIVE_STAGES } = options;
  if (task === 'detection') {
    return [
      likelihoodRatioPositive({ positiveLabel }),
      likelihoodRatioNegative({ positiveLabel }),
      netBenefit({ positiveLabel }),
      netBenefitTreatAll({ positiveLabel }),
    ];
  }
  if (task === 'staging') {
    // KDIGO refers at G4, the last but one of either scale.
    const line = labels.at(-2);
    return [somersD({ labels }), ...(line === undefined ? [] : [underStagingAcrossLine({ labels, line })])];
  }
  return task === 'progression' ? [qwk({ labels: COURSE, name: 'qwk_progression' })] : [];
}
