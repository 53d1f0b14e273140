import type { JudgedTrait } from '../../rubrics/judge/judge-outcome.ts';
import type { RubricTrait } from '../../rubrics/traits/kinds.ts';
import { type Trait, type TraitOutcome, unscored, type ValueKind } from '../../rubrics/traits/trait.ts';
import type { VerifiedQuote } from '../../rubrics/verdict.ts';
import type { Row } from '../../store/tables.ts';

/** A trait with one value for each answer, on one answer. */
export interface OtherTraitResult {
  readonly kind: ValueKind;
  /** The id of the kind: `llm`, `regex`, `callable`, ... */
  readonly source: string;
  readonly trait: Trait;
  /** The judge that gave the value; null for kinds that need none, and before anything is judged. */
  readonly judge: string | null;
  readonly outcome: TraitOutcome;
  /** Why the judge gave the value, in its words; null where no judge was asked, or none was stored. */
  readonly explanation: string | null;
  /** What the judge quoted for it; offsets are null where the answer does not contain it. */
  readonly quotes: readonly VerifiedQuote[];
}

/** Why a kind has no value where nothing was given for it. */
const NOTHING_GIVEN = { judge: 'not_judged', function: 'function_not_given', answer: 'not_judged' } as const;

/** The result of a trait on an answer, from what was stored for it: the judge's word, the value of the user's function, or the answer itself. */
export function otherTraitResult(
  { kind, trait }: RubricTrait & { readonly scoredBy: 'value' },
  { state, rawResponse: answer }: Pick<Row, 'state' | 'rawResponse'>,
  judge: string | null,
  given: JudgedTrait | undefined,
): OtherTraitResult {
  const outcome = (): TraitOutcome => {
    if (state !== 'answered') return unscored(`answer_${state}`);
    if (kind.needs === 'answer' && answer !== null) return kind.outcome(trait, answer, null);
    if (given === undefined) return unscored(NOTHING_GIVEN[kind.needs]);
    if (given.value === null) return unscored(given.reason ?? 'no_value');
    // A text that was not kept was decided on when it was judged.
    if (kind.needs === 'answer') return { kind: 'boolean', value: given.value === true };
    return kind.outcome(trait, answer ?? '', given.value);
  };
  return {
    kind,
    source: kind.id,
    trait,
    judge: kind.needs === 'judge' ? judge : null,
    outcome: outcome(),
    explanation: given?.explanation ?? null,
    // A quote from an answer whose text is not kept is stored as its offsets.
    quotes: (given?.quotes ?? []).map((quote) => ({
      ...quote,
      text: quote.text ?? `[${quote.start}-${quote.end}]`,
    })),
  };
}
