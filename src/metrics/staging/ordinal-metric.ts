import type { Label } from '../../core/index.ts';
import { countMetric } from '../built-in.ts';
import type { DefinedMetric } from '../define-metric.ts';
import type { Estimate } from '../metric.ts';
import { type OrdinalTable, ordinalTable, sumOver } from './ordinal-table.ts';

export interface OrdinalOptions {
  /** The labels from lowest to highest; distance is by position. */
  readonly labels: readonly Label[];
}

interface OrdinalSpec {
  readonly name: string;
  readonly label: string;
  readonly reads: string;
  readonly better: 'higher' | 'lower';
  /** For a share: which pairs of positions count. */
  readonly share?: (truth: number, prediction: number) => boolean;
  readonly estimate?: (table: OrdinalTable) => Estimate;
}

/** A metric on answered rows whose answer is on the scale; the details count the rows left out. */
export function ordinalMetric({
  share,
  estimate,
  ...spec
}: OrdinalSpec): (options: OrdinalOptions) => DefinedMetric {
  return ({ labels }) => {
    return countMetric({
      ...spec,
      family: 'staging',
      emptyReason: 'nothing_answered_on_the_scale',
      ...(share && {
        proportion: (sample) => {
          const table = ordinalTable(sample, labels);
          return { successes: sumOver(table, (i, j) => Number(share(i, j))), n: table.n };
        },
      }),
      ...(estimate && {
        estimate: (sample) => {
          const table = ordinalTable(sample, labels);
          return table.n === 0 ? 'nothing_answered_on_the_scale' : estimate(table);
        },
      }),
      nEvaluated: (sample) => ordinalTable(sample, labels).n,
      details: (sample) => {
        const { offScale, withoutTruth } = ordinalTable(sample, labels);
        return { scale: labels, n_off_scale: offScale, n_without_truth_on_scale: withoutTruth };
      },
    });
  };
}
