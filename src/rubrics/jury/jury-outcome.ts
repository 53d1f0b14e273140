import type { TraitValue } from '../judge/asked.ts';
import type { JudgedTrait, JudgeOutcome } from '../judge/judge-outcome.ts';
import type { ItemVerdict } from '../verdict.ts';
import { juryVerdicts, settledVerdict } from './jury-verdicts.ts';

/**
 * What a jury says of one answer, from what its judges said in each of their passes. Passes are settled first, then each judge has one vote; see `juryVerdicts`. Without a quorum an item is `unverified` where a
 * judge's quote was not found, and otherwise a `judge_error`. Traits with a closed list of values go by majority, numbers by the median of the judges.
 *
 * @example
 * ```ts
 * const says = (verdict: 'present' | 'absent') => [{ verdicts: [{ id: 'a', verdict, quotes: [], reason: null }] }];
 * const outcome = juryOutcome(['x', 'y', 'z'], { x: says('present'), y: says('present'), z: says('absent') });
 * outcome.verdicts![0].verdict // => 'present'
 * ```
 */
export function juryOutcome(
  judges: readonly string[],
  passesByJudge: Readonly<Record<string, readonly Partial<JudgeOutcome>[] | undefined>>,
): Partial<JudgeOutcome> {
  const passes = judges.map((judge) => passesByJudge[judge] ?? []);
  const all = passes.flat();
  const ids = new Set(all.flatMap(({ verdicts = [] }) => verdicts.map(({ id }) => id)));
  const names = new Set(all.flatMap(({ traits = [] }) => traits.map(({ name }) => name)));
  const abstained = voteOn(passes.map((own) => own.map((outcome) => outcome.abstained ?? null)));
  // What every judge says for its own reason: the answer is empty, or the judge was not to say it.
  const shared = ['empty_answer', 'not_asked'].find(
    (reason) => all.length > 0 && all.every(({ abstainedReason }) => abstainedReason === reason),
  );
  const findAll = <T extends object>(find: (outcome: Partial<JudgeOutcome>) => T | undefined) =>
    passes.map((own) => own.flatMap((outcome) => find(outcome) ?? []));
  return {
    verdicts: [...ids].map((id) =>
      itemVerdict(
        id,
        judges,
        findAll(({ verdicts }) => verdicts?.find((verdict) => verdict.id === id)),
      ),
    ),
    traits: [...names].map((name) =>
      traitValue(
        name,
        findAll(({ traits }) => traits?.find((trait) => trait.name === name)),
      ),
    ),
    abstained: typeof abstained.value === 'boolean' ? abstained.value : null,
    abstainedReason: shared ?? abstained.reason,
    problems: all.flatMap(({ problems = [] }) => problems),
  };
}

/** `said`: by judge, its verdicts in each pass. */
function itemVerdict(
  id: string,
  judges: readonly string[],
  said: readonly (readonly ItemVerdict[])[],
): ItemVerdict {
  const item = Object.fromEntries(
    judges.map((judge, i) => [judge, said[i]!.map(({ verdict }) => verdict)] as const),
  );
  const { verdict, reason } = juryVerdicts(judges, [item])[0]!;
  if (verdict === null) {
    const isUnverified = said.flat().some((given) => given.verdict === 'unverified');
    return { id, verdict: isUnverified ? 'unverified' : 'judge_error', quotes: [], reason };
  }
  // The words of the first judge that says what the jury says.
  const speaker = said.find((own) => settledVerdict(own.map((given) => given.verdict)) === verdict);
  const { id: _, ...spoken } = speaker?.find((given) => given.verdict === verdict) ?? { id, quotes: [] };
  return { ...spoken, id, verdict, reason };
}

/** `said`: by judge, what it said of a trait in each pass. */
function traitValue(name: string, said: readonly (readonly JudgedTrait[])[]): JudgedTrait {
  const { value, reason } = voteOn(said.map((own) => own.map((trait) => trait.value)));
  if (value === null) {
    const own = said.flat().find((trait) => trait.value === null)?.reason;
    return { name, value, reason: reason === 'no_quorum' ? (own ?? reason) : reason };
  }
  const speaker = said.flat().find((trait) => trait.value === value);
  return { ...speaker, name, value, reason: null };
}

/** One value from the values of each judge's passes: the median of numbers, of everything else what more than half of the judges say. */
function voteOn(said: readonly (readonly (TraitValue | null)[])[]): {
  readonly value: TraitValue | null;
  readonly reason: 'no_quorum' | 'no_majority' | null;
} {
  const votes = said.flatMap((passes) => {
    const usable = passes.filter((value) => value !== null);
    return usable.length === 0 ? [] : [chosen(usable)];
  });
  if (votes.length === 0 || votes.length <= said.length / 2) return { value: null, reason: 'no_quorum' };
  const usable = votes.filter((value) => value !== null);
  const value = usable.length * 2 > votes.length ? chosen(usable, votes.length) : null;
  return { value, reason: value === null ? 'no_majority' : null };
}

function chosen(values: readonly TraitValue[], n = values.length): TraitValue | null {
  if (values.every((value) => typeof value === 'number')) {
    const sorted = values.toSorted((a, b) => a - b);
    const middle = (sorted.length - 1) / 2;
    return (sorted[Math.floor(middle)]! + sorted[Math.ceil(middle)]!) / 2;
  }
  return values.find((value) => values.filter((other) => other === value).length * 2 > n) ?? null;
}
