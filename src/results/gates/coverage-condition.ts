import { builtInMetric, type Metric } from '../../metrics/index.ts';
import type { Gate } from './expression.ts';
import type { GateVerdict } from './verdict.ts';

/** For each gate on a metric over answered rows only: the warning that a model can pass it by answering little. A gate on coverage beside it takes the warning away. */
export function coverageWarnings(
  gates: readonly Gate[],
  metrics: readonly Metric[] = [],
): readonly Pick<GateVerdict, 'warning'>[] {
  const hasCoverage = gates.some(limitsCoverage);
  const isOverAnswered = (name: string) =>
    (metrics.find((metric) => metric.name === name) ?? builtInMetric(name))?.answeredOnly === true;
  return gates.map(({ metric }) =>
    hasCoverage || !isOverAnswered(metric)
      ? {}
      : {
          warning: `${metric} is over answered rows only, so a model can pass by answering little: add a condition on coverage, such as lower(answer_rate) >= 0.7`,
        },
  );
}

/** Whether a condition asks for coverage. */
function limitsCoverage({ metric, operator }: Gate): boolean {
  if (metric === 'answer_rate' || metric === 'usable_answer_rate')
    return operator === '>=' || operator === '>';
  return metric === 'abstention_rate' && (operator === '<=' || operator === '<');
}
