import { bootstrap } from '../src/metrics/bootstrap.ts';
import { accuracy } from '../src/metrics/catalogue.ts';
import type { Columns } from '../src/metrics/columns.ts';
import { defaultBenchmarkMetrics } from '../src/metrics/registry.ts';
import { rowPlan } from '../src/metrics/resample.ts';
import { Sample } from '../src/metrics/sample.ts';
import { metricValues } from '../src/metrics/score-metrics.ts';
import { columns, fastest, report } from './fixture.ts';

/** Metrics against the cheapest thing that has to happen: a sort of the confidences, and the draws of the bootstrap. */
const bundle = defaultBenchmarkMetrics({ task: 'detection', positiveLabel: 'present' });

for (const confidences of ['stated', 'continuous'] as const) {
  const million = columns(1_000_000, confidences);
  console.log(`\n1,000,000 rows, ${confidences} confidences, ${bytesPerRow(million).toFixed(0)} bytes a row`);
  const sort = fastest(5, () => void Float64Array.from(million.confidence).sort());
  const values = fastest(5, () => void metricValues(Sample.from(million), bundle));
  report('default bundle, values / one sort of the confidences', values / sort, 3);
}

for (const confidences of ['stated', 'continuous'] as const) {
  const sample = Sample.from(columns(1000, confidences));
  const plan = rowPlan(sample.columns);
  const resamples = 10_000;
  console.log(`\n${resamples} resamples of 1,000 rows, ${confidences} confidences`);
  const draw = (metrics: Parameters<typeof bootstrap>[1]) =>
    fastest(3, () => void bootstrap(sample, metrics, plan, { resamples }));
  report('default bundle / accuracy alone', draw(bundle) / draw([accuracy()]), 10);
}

function bytesPerRow(table: Columns): number {
  const arrays = [
    table.state,
    table.truth,
    table.prediction,
    table.confidence,
    table.shouldAbstain,
    table.mustAct,
    table.record.codes,
    table.call.codes,
  ];
  const metadata = [...table.metadata.values()].map(({ codes }) => codes);
  return [...arrays, ...metadata].reduce((sum, array) => sum + array.BYTES_PER_ELEMENT, 0);
}
