import { type DefinedMetric, defineMetric } from './define-metric.ts';
import type { MetricSpec } from './metric.ts';
import { outcomesOf } from './outcomes.ts';

type BuiltIn = MetricSpec & Required<Pick<MetricSpec, 'label' | 'family' | 'reads' | 'better'>>;

/** A built-in that needs nothing but counts of rows. */
export function countMetric(spec: BuiltIn): DefinedMetric {
  return defineMetric({ nEvaluated: (sample) => outcomesOf(sample).n, ...spec, restsOn: 'counts' });
}

/** A built-in on the usable rows: answered, truth known, a valid confidence stated. */
export function confidenceMetric(spec: BuiltIn): DefinedMetric {
  return defineMetric({ nEvaluated: (sample) => sample.confidence.n, ...spec, restsOn: 'confidence' });
}

/** Why a confidence metric has no value when nothing is usable. */
export const NO_CONFIDENCE = 'no_usable_confidence';
