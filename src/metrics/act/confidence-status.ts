import { defineMetric } from '../define-metric.ts';
import type { MetricScore } from '../metric.ts';
import { aurocConfidence } from '../selective/separation.ts';

/** Below these numbers of rows, an interval of the AUROC says nothing reliable. */
const MIN_USABLE = 30;
const MIN_OF_EACH = 5;

/** Whether stated confidence tells right answers from failures. */
export interface ConfidenceStatus {
  readonly status: 'inverted' | 'uninformative' | 'informative' | null;
  readonly warning: 'confidence_inverted' | 'confidence_uninformative' | null;
  /** Why there is no status. */
  readonly reason: 'too_few_usable_rows' | 'too_few_errors' | 'too_few_right' | 'no_interval' | null;
}

/**
 * What the AUROC of confidence shows, by its interval.
 *
 * @example
 * ```ts
 * confidenceStatus({ nUsable: 120, nErrors: 40, auroc: 0.31, interval: [0.22, 0.41] }).status // => 'inverted'
 * confidenceStatus({ nUsable: 20, nErrors: 9, auroc: 0.31, interval: [0.22, 0.41] }).reason // => 'too_few_usable_rows'
 * ```
 */
export function confidenceStatus({
  nUsable,
  nErrors,
  auroc,
  interval,
}: {
  readonly nUsable: number;
  readonly nErrors: number;
  readonly auroc: number | null;
  readonly interval: readonly [number, number] | null;
}): ConfidenceStatus {
  const none = (reason: ConfidenceStatus['reason']) => ({ status: null, warning: null, reason });
  if (nUsable < MIN_USABLE) return none('too_few_usable_rows');
  if (nErrors < MIN_OF_EACH) return none('too_few_errors');
  if (nUsable - nErrors < MIN_OF_EACH) return none('too_few_right');
  const [lower, upper] = auroc === 0 || auroc === 1 ? [auroc, auroc] : (interval ?? []);
  if (lower === undefined || upper === undefined) return none('no_interval');
  if (upper < 0.5) return { status: 'inverted', warning: 'confidence_inverted', reason: null };
  if (lower > 0.5) return { status: 'informative', warning: null, reason: null };
  return { status: 'uninformative', warning: 'confidence_uninformative', reason: null };
}

/** The status behind a score of the AUROC of confidence. */
export function statusOfScore({ nEvaluated, value, interval, details }: MetricScore): ConfidenceStatus {
  return confidenceStatus({
    nUsable: nEvaluated,
    nErrors: Number(details.n_errors ?? 0),
    auroc: value,
    interval: interval && [interval.lower, interval.upper],
  });
}

/**
 * Whether confidence is inverted: 1 where failures carry more confidence than right answers, by the interval of the strict AUROC; else 0, also
 * where that cannot be said. For gates: `confidence_inverted <= 0`.
 *
 * @example
 * ```ts
 * const row = (prediction: number, confidence: number) => evaluationResult({ prediction, groundTruth: 1, confidence });
 * const rows = [...Array(30).fill(row(1, 0.6)), ...Array(10).fill(row(0, 0.9))];
 * confidenceInverted().compute(rows).value // => 1
 * ```
 */
export function confidenceInverted() {
  return defineMetric({
    name: 'confidence_inverted',
    label: 'Confidence Inverted',
    family: 'selective',
    reads: '1: higher confidence where wrong',
    formula: '1 if the upper end of the interval of `auroc_confidence_strict` is below 0.5, else 0',
    range: '0 or 1',
    misleads: '0 also where there are too few cases to say.',
    better: 'lower',
    restsOn: 'confidence',
    metBySilence: true,
    resampling: 'none',
    derived: {
      from: aurocConfidence({ strict: true }),
      score: (auroc) => {
        const { status, reason } = statusOfScore(auroc);
        return {
          value: status === 'inverted' ? 1 : 0,
          nEvaluated: auroc.nEvaluated,
          details: {
            status,
            status_reason: reason,
            auroc: auroc.value,
            auroc_interval: auroc.interval && [auroc.interval.lower, auroc.interval.upper],
            n_errors: auroc.details.n_errors,
          },
        };
      },
    },
  });
}
