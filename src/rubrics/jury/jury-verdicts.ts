import { z } from 'zod';
import { count, type Shape } from '../../core/codec.ts';
import { argumentError } from '../../core/errors.ts';
import { krippendorffAlpha } from '../../statistics/methods/rater-agreement.ts';
import { isVerdict, type Verdict } from '../verdict.ts';

/** What several judges said of one item: by judge, the verdict of each pass. Unverified, judge errors and null are not votes. */
export type JuryItem = Readonly<Record<string, readonly (string | null)[] | undefined>>;

/** What a jury says of one item. */
export interface JuryVerdict {
  /** Null without a quorum. */
  readonly verdict: Verdict | null;
  /** Share of the usable votes for this verdict; null without a quorum. */
  readonly support: number | null;
  /** Judges with a usable vote. */
  readonly nJudges: number;
  readonly reason: 'no_majority' | 'no_quorum' | null;
}

/**
 * The verdict of one judge from its passes: more than half of the usable ones, otherwise unclear; null where none is usable. However often a judge was asked, it has one vote.
 *
 * @example
 * ```ts
 * settledVerdict(['present', 'present', 'absent']) // => 'present'
 * settledVerdict(['present', 'absent']) // => 'unclear'
 * settledVerdict(['judge_error']) // => null
 * ```
 */
export function settledVerdict(passes: readonly (string | null)[]): Verdict | null {
  const votes = passes.filter(isVerdict).map((verdict) => ({ verdict, weight: 1 }));
  return votes.length === 0 ? null : findMajority(votes).verdict;
}

/**
 * The verdicts of a jury: passes are settled first, then each judge has one vote. More than half of the usable votes is the verdict; otherwise it is unclear (`no_majority`). Fewer usable judges than the
 * quorum give no verdict (`no_quorum`). No order among verdicts is assumed.
 * `weights` say how much each judge's vote counts (see `juryWeight`; default: 1 each); the quorum is by default more than half of the jury.
 *
 * @example
 * ```ts
 * const items = [{ a: ['present'], b: ['present'], c: ['absent'] }, { a: ['present'], b: ['absent'], c: ['unverified'] }];
 * juryVerdicts(['a', 'b', 'c'], items).map(({ verdict, reason }) => [verdict, reason]) // => [['present', null], ['unclear', 'no_majority']]
 * ```
 */
export function juryVerdicts(
  judges: readonly string[],
  items: readonly JuryItem[],
  {
    weights,
    quorum = Math.floor(judges.length / 2) + 1,
  }: { readonly weights?: Readonly<Record<string, number>>; readonly quorum?: number } = {},
): JuryVerdict[] {
  for (const judge of judges) {
    const weight = weights?.[judge] ?? (weights === undefined ? 1 : undefined);
    if (!(weight !== undefined && Number.isFinite(weight) && weight >= 0))
      throw argumentError(`the weight of judge "${judge}" is ${weight}; expected a number from 0 on`, weight);
  }
  return items.map((item) => {
    const votes = judges.flatMap((judge) => {
      const verdict = settledVerdict((Object.hasOwn(item, judge) ? item[judge] : null) ?? []);
      return verdict === null ? [] : [{ verdict, weight: weights?.[judge] ?? 1 }];
    });
    const nJudges = votes.length;
    if (nJudges === 0 || nJudges < quorum)
      return { verdict: null, support: null, nJudges, reason: 'no_quorum' };
    const { verdict, support, hasMajority } = findMajority(votes);
    return { verdict, support, nJudges, reason: hasMajority ? null : 'no_majority' };
  });
}

function findMajority(votes: readonly { readonly verdict: Verdict; readonly weight: number }[]) {
  const totals = new Map<Verdict, number>();
  let total = 0;
  for (const { verdict, weight } of votes) {
    totals.set(verdict, (totals.get(verdict) ?? 0) + weight);
    total += weight;
  }
  const winner = [...totals].find(([, own]) => own > total / 2 + 1e-12);
  const verdict = winner?.[0] ?? 'unclear';
  const support = total === 0 ? 0 : (totals.get(verdict) ?? 0) / total;
  return { verdict, support, hasMajority: winner !== undefined };
}

/**
 * The weight of a judge from labels: max(0, ln(a(K-1)/(1-a))), a = (right+1)/(n+K). Needs 100 or more labels that are not used again for the jury's own accuracy.
 *
 * @example
 * ```ts
 * juryWeight(88, 100).toFixed(6) // => '2.879198'
 * juryWeight(10, 100) // => 0
 * ```
 */
export function juryWeight(right: number, n: number, nVerdicts = 4): number {
  if (!(right >= 0 && right <= n))
    throw argumentError(`${right} right of ${n}; expected a count between 0 and n`, right);
  const accuracy = (right + 1) / (n + nVerdicts);
  return Math.max(0, Math.log((accuracy * (nVerdicts - 1)) / (1 - accuracy)));
}

export const judgeDissentSchema = z.object({
  /** Items on which it has a verdict and the others have a majority. */
  n: count,
  /** Share of these on which it differs from that majority. */
  dissentRate: z.number().nullable(),
  /** Share of its verdicts that the jury changed. */
  changedByJury: z.number().nullable(),
});
/**
 * How far judges differ from each other, and how often the jury changed what one of them said. Each judge has one verdict per item (`settledVerdict` of its passes), or null.
 *
 * @example
 * ```ts
 * const items = [{ a: 'present', b: 'present', c: 'absent' }, { a: 'absent', b: 'absent', c: 'absent' }];
 * const { byJudge, mostDifferent } = juryDissent(['a', 'b', 'c'], items);
 * [byJudge.c!.dissentRate, mostDifferent] // => [0.5, 'c']
 * ```
 */
export function juryDissent(
  judges: readonly string[],
  items: readonly Readonly<Record<string, string | null | undefined>>[],
) {
  const said = items.map(
    (item) =>
      new Map(
        judges.map((judge) => {
          const word = Object.hasOwn(item, judge) ? item[judge] : null;
          return [judge, isVerdict(word) ? word : null];
        }),
      ),
  );
  const jury = juryVerdicts(
    judges,
    said.map((votes) => Object.fromEntries([...votes].map(([judge, verdict]) => [judge, [verdict]]))),
  );
  const byJudge = Object.fromEntries(
    judges.map((judge) => [judge, measureDissent(judge, judges, said, jury)]),
  );
  const pairs = judges.flatMap((a, i) => judges.slice(i + 1).map((b) => [a, b] as const));
  const rates = judges.flatMap((judge) => {
    const rate = byJudge[judge]!.dissentRate;
    return rate === null ? [] : [{ judge, rate }];
  });
  const most = Math.max(...rates.map(({ rate }) => rate));
  const furthest = rates.filter(({ rate }) => rate === most);
  return {
    byJudge,
    /** Share of items on which two judges agree, by `first|second`. */
    pairwise: Object.fromEntries(
      pairs.map(([a, b]) => {
        const both = said.filter((votes) => votes.get(a) && votes.get(b));
        return [
          `${a}|${b}`,
          share(both.filter((votes) => votes.get(a) === votes.get(b)).length, both.length),
        ];
      }),
    ),
    /** Krippendorff's alpha over judges. */
    alpha: krippendorffAlpha(said.map((votes) => judges.map((judge) => votes.get(judge) ?? null))).alpha,
    /** The judge that differs most; null on a tie. */
    mostDifferent: furthest.length === 1 ? furthest[0]!.judge : null,
  };
}

function measureDissent(
  judge: string,
  judges: readonly string[],
  said: readonly ReadonlyMap<string, Verdict | null>[],
  jury: readonly { readonly verdict: Verdict | null }[],
): Shape<typeof judgeDissentSchema> {
  let [n, dissents, judged, changed] = [0, 0, 0, 0];
  for (const [i, votes] of said.entries()) {
    const own = votes.get(judge) ?? null;
    if (own === null) continue;
    const others = judges.flatMap((other) => (other === judge ? [] : (votes.get(other) ?? [])));
    const majority = majorityVerdict(others);
    if (majority !== null) {
      n += 1;
      dissents += Number(own !== majority);
    }
    const verdict = jury[i]!.verdict;
    if (verdict === null) continue;
    judged += 1;
    changed += Number(own !== verdict);
  }
  return { n, dissentRate: share(dissents, n), changedByJury: share(changed, judged) };
}

/** What more than half say; null where no verdict has that. */
function majorityVerdict(votes: readonly Verdict[]): Verdict | null {
  const verdict = settledVerdict(votes);
  return verdict !== null && votes.filter((vote) => vote === verdict).length * 2 > votes.length
    ? verdict
    : null;
}

function share(part: number, whole: number): number | null {
  return whole === 0 ? null : part / whole;
}
