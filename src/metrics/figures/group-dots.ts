import type { Label } from '../../core/index.ts';
import type { SubgroupGap } from '../behaviour/subgroups.ts';
import { ABSTAINED } from '../columns.ts';
import { NO_LABEL } from '../label-table.ts';
import type { Sample } from '../sample.ts';
import { classOrder } from './class-order.ts';
import { type Share, type ShareOptions, share } from './share.ts';

/** A share in one group: a stratum, a class, a value of a metadata key. */
export interface GroupDot extends Share {
  readonly metric: string;
  /** The metadata key; `ground_truth` for classes. */
  readonly by: string;
  readonly group: string;
  /** Rows the share rests on. */
  readonly n: number;
}

interface Count {
  n: number;
  correct: number;
  abstained: number;
}

/** Accuracy, selective accuracy and abstention rate in each stratum; in each true class where rows have none. */
export function stratumDots(sample: Sample, scale: readonly Label[], options: ShareOptions): GroupDot[] {
  const { key } = sample.columns.stratum;
  const strata = sample.columns.metadata.get(key)!.values;
  const byStratum = strata.length > 0;
  const counts = countBy(sample, byStratum ? sample.cells.stratum : sample.cells.truth);
  const codes = [...counts.keys()].filter((code) => code !== NO_LABEL);
  const order = byStratum
    ? codes.sort((a, b) => strata[a]!.localeCompare(strata[b]!, 'en', { numeric: true }))
    : classOrder(codes, sample.columns.labels, scale);
  const nameOf = (code: number) => {
    if (code === NO_LABEL) return byStratum ? 'none' : 'null';
    return byStratum ? strata[code]! : String(sample.columns.labels.display[code]);
  };
  const by = byStratum ? key : 'ground_truth';
  const groups = counts.has(NO_LABEL) ? [...order, NO_LABEL] : order;
  const dots = (metric: string, successes: (count: Count) => number, of: (count: Count) => number) =>
    groups.map((code): GroupDot => {
      const count = counts.get(code)!;
      return {
        metric,
        by,
        group: nameOf(code),
        n: of(count),
        ...share(successes(count), of(count), options),
      };
    });
  return [
    ...dots(
      'accuracy',
      ({ correct }) => correct,
      ({ n }) => n,
    ),
    ...dots(
      'selective_accuracy',
      ({ correct }) => correct,
      ({ n, abstained }) => n - abstained,
    ),
    ...dots(
      'abstention_rate',
      ({ abstained }) => abstained,
      ({ n }) => n,
    ),
  ];
}

/** Groups as they were scored. */
export function subgroupDots(gaps: readonly SubgroupGap[]): GroupDot[] {
  return gaps.flatMap(({ metric, by, groups }) =>
    groups.map(({ group, n, value, interval }) => ({
      metric,
      by,
      group,
      n,
      value,
      lower: interval?.lower ?? null,
      upper: interval?.upper ?? null,
    })),
  );
}

function countBy({ cells, counts }: Sample, codes: Int32Array): Map<number, Count> {
  const found = new Map<number, Count>();
  for (let c = 0; c < cells.size; c++) {
    const entry = found.get(codes[c]!) ?? { n: 0, correct: 0, abstained: 0 };
    found.set(codes[c]!, entry);
    entry.n += counts[c]!;
    if (cells.correct[c] === 1) entry.correct += counts[c]!;
    if (cells.state[c] === ABSTAINED) entry.abstained += counts[c]!;
  }
  return found;
}
