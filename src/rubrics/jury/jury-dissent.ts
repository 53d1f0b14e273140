import { z } from 'zod';
import { count, type Shape } from '../../core/index.ts';
import { krippendorffAlpha } from '../../statistics/methods/index.ts';
import { isVerdict, type Verdict } from '../verdict.ts';
import { juryVerdicts, settledVerdict } from './jury-verdicts.ts';

export const judgeDissentSchema = z.object({
  /** Items on which it has a verdict and the others have a majority. */
  n: count,
  /** Share of these on which it differs from that majority. */
  dissentRate: z.number().nullable(),
  /** Share of its verdicts that the jury changed. */
  changedByJury: z.number().nullable(),
});
/** How far one judge differs. */
export type JudgeDissent = Shape<typeof judgeDissentSchema>;

/** How far the judges of a jury differ. It says nothing about who is right. */
export interface JuryDissent {
  readonly byJudge: Readonly<Record<string, JudgeDissent>>;
  /** Share of items on which two judges agree, by `first|second`. */
  readonly pairwise: Readonly<Record<string, number | null>>;
  /** Krippendorff's alpha over judges. */
  readonly alpha: number | null;
  /** The judge that differs most; null on a tie. */
  readonly mostDifferent: string | null;
}

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
): JuryDissent {
  const said = items.map(
    (item) =>
      new Map(judges.map((judge) => [judge, verdictOf(Object.hasOwn(item, judge) ? item[judge] : null)])),
  );
  const jury = juryVerdicts(
    judges,
    said.map((votes) => Object.fromEntries([...votes].map(([judge, verdict]) => [judge, [verdict]]))),
  );
  const byJudge = Object.fromEntries(judges.map((judge) => [judge, dissentOf(judge, judges, said, jury)]));
  const pairs = judges.flatMap((a, i) => judges.slice(i + 1).map((b) => [a, b] as const));
  const rates = judges.flatMap((judge) => {
    const rate = byJudge[judge]!.dissentRate;
    return rate === null ? [] : [{ judge, rate }];
  });
  const most = Math.max(...rates.map(({ rate }) => rate));
  const furthest = rates.filter(({ rate }) => rate === most);
  return {
    byJudge,
    pairwise: Object.fromEntries(
      pairs.map(([a, b]) => {
        const both = said.filter((votes) => votes.get(a) && votes.get(b));
        return [
          `${a}|${b}`,
          share(both.filter((votes) => votes.get(a) === votes.get(b)).length, both.length),
        ];
      }),
    ),
    alpha: krippendorffAlpha(said.map((votes) => judges.map((judge) => votes.get(judge) ?? null))).alpha,
    mostDifferent: furthest.length === 1 ? furthest[0]!.judge : null,
  };
}

function dissentOf(
  judge: string,
  judges: readonly string[],
  said: readonly ReadonlyMap<string, Verdict | null>[],
  jury: readonly { readonly verdict: Verdict | null }[],
): JudgeDissent {
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

function verdictOf(word: string | null | undefined): Verdict | null {
  return isVerdict(word) ? word : null;
}

function share(part: number, whole: number): number | null {
  return whole === 0 ? null : part / whole;
}
