import { countMetric } from '../built-in.ts';
import { ABSTAINED } from '../columns.ts';
import type { DefinedMetric } from '../define-metric.ts';
import type { Sample } from '../sample.ts';

export interface ProgressionOptions {
  /** The denominator: all worsening patients (an abstention counts against the model), or those not abstained on. Default: `all`. */
  readonly denominator?: 'all' | 'answered';
}

interface ProgressionSpec {
  readonly name: string;
  readonly label: string;
  readonly reads: string;
  readonly better: 'higher' | 'lower';
  /** Answers that count. */
  readonly called: readonly string[];
}

/** A rate over rows whose truth is `worsening`. */
export function progressionMetric(spec: ProgressionSpec): (options?: ProgressionOptions) => DefinedMetric {
  return ({ denominator = 'all' } = {}) => {
    const answered = denominator === 'answered';
    const count = (sample: Sample) => worsening(sample, spec.called, answered);
    return countMetric({
      name: answered ? `${spec.name}_answered` : spec.name,
      label: answered ? `${spec.label} (answered only)` : spec.label,
      family: 'progression',
      reads: spec.reads,
      better: spec.better,
      emptyReason: 'no_worsening_rows',
      proportion: (sample) => count(sample),
      nEvaluated: (sample) => count(sample).n,
      nAbstained: (sample) => count(sample).abstained,
      details: () => ({ denominator }),
    });
  };
}

function worsening({ cells, counts, columns }: Sample, called: readonly string[], answeredOnly: boolean) {
  const truth = columns.labels.codeOf('worsening');
  const wanted = new Set(called.map((label) => columns.labels.codeOf(label)));
  let n = 0;
  let successes = 0;
  let abstained = 0;
  for (let c = 0; c < cells.size; c++) {
    if (cells.truth[c] !== truth) continue;
    const deferred = cells.state[c] === ABSTAINED;
    if (deferred) abstained += counts[c]!;
    if (!deferred || !answeredOnly) n += counts[c]!;
    if (wanted.has(cells.prediction[c]!)) successes += counts[c]!;
  }
  return { successes, n, abstained };
}
