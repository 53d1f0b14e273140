import { type Label, labelKey } from '../../core/label.ts';
import type { SubgroupGap } from '../behaviour/subgroups.ts';
import { countDeferrals } from '../deferral/deferral-table.ts';
import { type LabelTable, NO_LABEL } from '../label-table.ts';
import type { Sample } from '../sample.ts';
import { countBy, type GroupCount } from '../tables.ts';
import { type Share, type ShareOptions, share } from './share.ts';

/** A share in one group: a stratum, a class, a value of a metadata key. */
export interface GroupDot extends Share {
  readonly metric: string;
  /** The metadata key; `ground_truth` for classes. */
  readonly by: string;
  readonly group: string;
  /** Rows the share rests on. */
  readonly n: number;
  /** The numerator of the share; null where it is not a share or is withheld. Default: null. */
  readonly n_successes?: number | null;
}

/** Successes and denominator of a share. */
type ShareOf = (count: GroupCount) => readonly [number, number];
const right: ShareOf = ({ correct, n }) => [correct, n];
const rightIfAnswered: ShareOf = ({ correct, notAbstained }) => [correct, notAbstained];
const abstained: ShareOf = ({ notAbstained, n }) => [n - notAbstained, n];

/**
 * Accuracy, selective accuracy and abstention rate in each stratum; in each true class where rows have none. Where deferral labels exist, the
 * first two are over the rows that call for an answer, and decision accuracy comes before them.
 */
export function stratumDots(sample: Sample, scale: readonly Label[], options: ShareOptions): GroupDot[] {
  const { key } = sample.columns.stratum;
  const strata = sample.columns.metadata.get(key)!.values;
  const byStratum = strata.length > 0;
  const { stratum, truth, gradable, shouldAbstain } = sample.cells;
  const own = byStratum ? stratum : truth;
  const counts = countBy(sample, own);
  const codes = [...counts.keys()].filter((code) => code !== NO_LABEL);
  const order = byStratum
    ? codes.sort((a, b) => strata[a]!.localeCompare(strata[b]!, 'en', { numeric: true }))
    : classOrder(codes, sample.columns.labels, scale);
  const nameGroup = (code: number) => {
    if (code === NO_LABEL) return byStratum ? 'none' : 'null';
    return byStratum ? strata[code]! : String(sample.columns.labels.display[code]);
  };
  const by = byStratum ? key : 'ground_truth';
  const groups = counts.has(NO_LABEL) ? [...order, NO_LABEL] : order;
  const expected = countDeferrals(sample).answerable.n > 0;
  const answerable = countBy(sample, own, (c) => shouldAbstain[c] === 0 && truth[c] !== NO_LABEL);
  const graded = expected ? answerable : countBy(sample, own, (c) => gradable[c] === 1);
  const mustDefer = countBy(sample, own, (c) => shouldAbstain[c] === 1);
  const shares: [metric: string, of: ReadonlyMap<number, GroupCount>, shareOf: ShareOf][] = [
    ['decision_accuracy', decisionsIn(answerable, mustDefer), right],
    [expected ? 'answerable_accuracy' : 'accuracy', graded, right],
    [expected ? 'answerable_selective_accuracy' : 'selective_accuracy', graded, rightIfAnswered],
    ['abstention_rate', counts, abstained],
  ];
  return shares.flatMap(([metric, of, shareOf]) =>
    groups
      .filter((code) => of.has(code))
      .map((code): GroupDot => {
        const [successes, n] = shareOf(of.get(code)!);
        return {
          metric,
          by,
          group: nameGroup(code),
          n,
          n_successes: successes,
          ...share(successes, n, options),
        };
      }),
  );
}

/** Rows with a deferral label; `correct` counts the right decisions. */
function decisionsIn(
  answerable: ReadonlyMap<number, GroupCount>,
  mustDefer: ReadonlyMap<number, GroupCount>,
): Map<number, GroupCount> {
  const none: GroupCount = { n: 0, correct: 0, notAbstained: 0 };
  const codes = new Set([...answerable.keys(), ...mustDefer.keys()]);
  return new Map(
    [...codes].map((code) => {
      const [answer, defer] = [answerable.get(code) ?? none, mustDefer.get(code) ?? none];
      const deferred = defer.n - defer.notAbstained;
      return [
        code,
        {
          n: answer.n + defer.n,
          correct: answer.correct + deferred,
          notAbstained: answer.notAbstained + defer.notAbstained,
        },
      ];
    }),
  );
}

/** Groups as they were scored. Of the two kinds of accuracy, those over the rows that call for an answer where there are such rows. */
export function subgroupDots(gaps: readonly SubgroupGap[]): GroupDot[] {
  const isAnswerable = ({ metric }: SubgroupGap) => metric.startsWith('answerable_');
  const expected = gaps.some((gap) => isAnswerable(gap) && gap.groups.some(({ n }) => n > 0));
  const isHidden = (gap: SubgroupGap) =>
    expected ? ['accuracy', 'selective_accuracy'].includes(gap.metric) : isAnswerable(gap);
  const drawn = gaps.filter((gap) => !isHidden(gap));
  return drawn.flatMap(({ metric, by, groups }) =>
    groups.map(({ group, n, n_successes, value, interval }) => {
      const { lower = null, upper = null } = interval ?? {};
      return { metric, by, group, n, n_successes, value, lower, upper };
    }),
  );
}

/** Label codes in reading order: the task's scale first, then the rest by name, numbers numerically. */
export function classOrder(codes: Iterable<number>, table: LabelTable, scale: readonly Label[]): number[] {
  const places = new Map(scale.map((label, place) => [labelKey(label), place]));
  const findPlace = (code: number) => places.get(table.keys[code]!) ?? places.size;
  return [...codes].sort(
    (a, b) =>
      findPlace(a) - findPlace(b) ||
      String(table.display[a]).localeCompare(String(table.display[b]), 'en', { numeric: true }),
  );
}
