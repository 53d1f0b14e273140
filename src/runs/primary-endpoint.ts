import { KrisisError } from '../core/errors.ts';
import { didYouMean, nearNames } from '../core/near-names.ts';
import { quoted } from '../core/plain-text.ts';
import { canonicalMetricName, type Metric } from '../metrics/metric.ts';
import { extendedMetrics } from '../metrics/registry.ts';
import { bundleMetrics, type ScoringOptions } from '../metrics/score.ts';
import { scoringFor } from './scoring-for.ts';

interface EndpointScoring {
  /** Options beside those of the task. Default: none. */
  readonly scoring?: ScoringOptions | undefined;
  /** Metrics beside the built-in ones. Default: none. */
  readonly ownMetrics?: readonly Metric[] | undefined;
}

/**
 * What is wrong with the metric that a suite names as its primary endpoint; null where the task can
 * be scored by it.
 *
 * @example
 * ```ts
 * const task = { ordered: false, labels: ['yes', 'no'] };
 * endpointProblem('decison_accuracy', task) // => 'primary_endpoint: no metric "decison_accuracy"; did you mean decision_accuracy?'
 * ```
 */
export function endpointProblem(
  metric: string,
  task: Parameters<typeof scoringFor>[0],
  { scoring = {}, ownMetrics = [] }: EndpointScoring = {},
): string | null {
  const metrics = [
    ...extendedMetrics({ ...scoringFor(task), ...scoring }),
    ...(scoring.metrics ?? []),
    ...ownMetrics,
  ];
  const known = metrics.map(({ name }) => name);
  if (known.includes(metric) || known.includes(canonicalMetricName(metric))) return null;
  const [near] = nearNames(metric, known);
  const hint = near === undefined ? didYouMean(metric, known) : `did you mean ${near}?`;
  return `primary_endpoint: no metric ${quoted(metric)}; ${hint}`;
}

/**
 * Refuses a suite whose primary endpoint is no metric, since a report would promise a number that it
 * never has, and a metric of the user with the name of another one, which would hide its number.
 *
 * @throws KrisisError with the metric that was probably meant.
 */
export function checkEndpoint(
  suite: {
    readonly name: string;
    readonly task: Parameters<typeof scoringFor>[0] & {
      readonly primaryEndpoint: { readonly metric: string };
    };
  },
  options: EndpointScoring,
): void {
  const { scoring = {}, ownMetrics = [] } = options;
  const names = [
    ...(scoring.metrics ?? bundleMetrics({ ...scoringFor(suite.task), ...scoring })),
    ...ownMetrics,
  ].map(({ name }) => name);
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  if (twice !== undefined)
    throw new KrisisError(
      `metric ${quoted(twice)}: another metric has this name; expected a name of its own`,
      { code: 'ERR_ARGUMENT', value: twice },
    );
  const { metric } = suite.task.primaryEndpoint;
  const problem = endpointProblem(metric, suite.task, options);
  if (problem !== null)
    throw new KrisisError(`suite ${suite.name}: ${problem}`, { code: 'ERR_SUITE_DEFINITION', value: metric });
}
