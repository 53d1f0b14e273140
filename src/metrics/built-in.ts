import { type DefinedMetric, defineMetric } from './define-metric.ts';
import type { MetricSpec } from './metric.ts';
import { outcomesOf } from './outcomes.ts';

type BuiltIn = MetricSpec & Required<Pick<MetricSpec, 'label' | 'family' | 'reads' | 'better'>>;

/** A built-in metric that rests on counts of rows only. */
export function countMetric(spec: BuiltIn): DefinedMetric {
  return defineMetric({ nEvaluated: (sample) => outcomesOf(sample).n, ...spec, restsOn: 'counts' });
}

/** A built-in metric on the usable rows: answered, truth known, a valid confidence stated. */
export function confidenceMetric(spec: BuiltIn): DefinedMetric {
  return defineMetric({ nEvaluated: (sample) => sample.confidence.n, ...spec, restsOn: 'confidence' });
}

/** The reason of a confidence metric without usable rows. */
export const NO_CONFIDENCE = 'no_usable_confidence';
