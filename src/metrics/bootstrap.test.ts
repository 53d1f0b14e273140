import { describe, expect, it } from 'vitest';
import { evaluationResult } from '../core/evaluation-result.ts';
import { bcaInterval } from '../statistics/bootstrap.ts';
import { bootstrap } from './bootstrap.ts';
import { accuracy } from './catalogue.ts';
import { buildTable } from './columns.ts';
import { planFor } from './resample.ts';
import { Sample } from './sample.ts';

/** Accuracy of rows of which every twentieth is right, in this order. */
function replicates(order: readonly number[], cluster?: string) {
  const rows = order.map((i) =>
    evaluationResult({
      id: `r${i}`,
      prediction: i % 20 === 0 ? 1 : 0,
      groundTruth: 1,
      metadata: { patient: `p${i >> 1}` },
    }),
  );
  const { scored } = buildTable(rows, { keep: ['patient'] });
  const plan = planFor(scored, cluster === undefined ? {} : { cluster });
  const metric = accuracy();
  return bootstrap(Sample.from(scored), [metric], plan, { resamples: 100 }).get(metric)!;
}

const N = 2000;
const inOrder = Array.from({ length: N }, (_, i) => i);
const backwards = inOrder.toReversed();

describe('the jackknife', () => {
  it('leaves out single rows below 1,000, and equal ones once', () => {
    const { jackknife } = replicates(inOrder.slice(0, 999));
    expect([...jackknife!.weights].toSorted((a, b) => a - b)).toEqual([50, 949]);
  });

  it.each([undefined, 'patient'])('leaves out 200 groups from 1,000 on, clustered by %s', (cluster) => {
    const { jackknife } = replicates(inOrder, cluster);
    expect(jackknife!.values).toHaveLength(200);
    expect(new Set(jackknife!.weights)).toEqual(new Set([1]));
    // The order of the rows does not matter.
    const sorted = (values: Float64Array) => [...values].toSorted((a, b) => a - b);
    expect(sorted(replicates(backwards, cluster).jackknife!.values)).toEqual(sorted(jackknife!.values));
  });

  it('gives the acceleration of single rows, but for chance', () => {
    const { values, jackknife } = replicates(inOrder);
    const { acceleration } = bcaInterval({
      estimate: 0.05,
      replicates: values,
      jackknife: jackknife!.values,
    })!;
    // The skewness of a share p of n rows, divided by 6.
    const exact = (1 - 2 * 0.05) / (6 * Math.sqrt(N * 0.05 * 0.95));
    expect(Math.abs(acceleration - exact)).toBeLessThan(0.005);
  });
});
