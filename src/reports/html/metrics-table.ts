import type { Interval } from '../../core/index.ts';
import { METRIC_FAMILIES, type MetricFamily, type MetricScore, type Scorecard } from '../../metrics/index.ts';
import { whole } from '../charts/index.ts';
import { html, type Markup } from './html.ts';
import { table } from './table.ts';
import { DASH, levelText, number, range, why } from './words.ts';

const FAMILIES: Record<MetricFamily, string> = {
  correctness: 'Right, and how often it answers',
  deferral: 'Knows when not to answer',
  calibration: 'How sure to be',
  selective: 'Answering only when sure',
  detection: 'Detection',
  staging: 'Staging',
  progression: 'Progression',
  utility: 'What its decisions are worth',
  behaviour: 'Repeated runs',
  custom: 'Own metrics',
};

/** Every number of the run, by family. */
export function metricsTable({ scores, method }: Scorecard): Markup {
  const bounded = scores.some(({ bounds }) => bounds !== null);
  return table({
    caption: 'All metrics',
    hideCaption: true,
    className: 'wide',
    columns: [
      { title: 'metric' },
      { title: 'value', kind: 'number' },
      { title: `${levelText(method.level)} interval`, kind: 'number' },
      ...(bounded ? [{ title: 'bounds', kind: 'number' as const }] : []),
      { title: 'n', kind: 'number' },
      { title: 'reads as', kind: 'text' },
      { title: 'interval method' },
    ],
    rows: METRIC_FAMILIES.map((family) => ({
      title: FAMILIES[family],
      rows: scores
        .filter((score) => score.family === family)
        .map((score) => [
          score.label,
          number(score.value),
          range(score.interval),
          ...(bounded ? [range(score.bounds)] : []),
          whole(score.nEvaluated),
          score.value === null ? html`<em>no value: ${why(score.reason)}</em>` : score.reads,
          methodText(score),
        ]),
    })).filter(({ rows }) => rows.length > 0),
  });
}

const METHODS: Record<Interval['method'], string> = {
  wilson: 'Wilson',
  wilson_clusters: 'Wilson over clusters',
  bca: 'bootstrap, BCa',
  percentile: 'bootstrap, percentile',
};

function methodText({ value, interval, intervalReason }: MetricScore): string {
  if (interval !== null) return METHODS[interval.method] ?? interval.method;
  return value === null ? DASH : `none: ${why(intervalReason)}`;
}
