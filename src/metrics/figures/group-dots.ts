import type { Label } from '../../core/index.ts';
import type { SubgroupGap } from '../behaviour/subgroups.ts';
import { countBy, type GroupCount } from '../classes.ts';
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

/** Successes and denominator of each share. */
const SHARES: Readonly<Record<string, (count: GroupCount) => readonly [number, number]>> = {
  accuracy: ({ correct, n }) => [correct, n],
  selective_accuracy: ({ correct, notAbstained }) => [correct, notAbstained],
  abstention_rate: ({ notAbstained, n }) => [n - notAbstained, n],
};

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
  return Object.entries(SHARES).flatMap(([metric, sharesOf]) =>
    groups.map((code): GroupDot => {
      const [successes, n] = sharesOf(counts.get(code)!);
      return { metric, by, group: nameOf(code), n, ...share(successes, n, options) };
    }),
  );
}

/** Groups as they were scored. */
export function subgroupDots(gaps: readonly SubgroupGap[]): GroupDot[] {
  return gaps.flatMap(({ metric, by, groups }) =>
    groups.map(({ group, n, value, interval }) => {
      const { lower = null, upper = null } = interval ?? {};
      return { metric, by, group, n, value, lower, upper };
    }),
  );
}
