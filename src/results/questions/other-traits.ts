import type { RowState } from '../../core/index.ts';
import {
  type CallableRubricTrait,
  type JudgedTrait,
  type LlmRubricTrait,
  llmOutcome,
  type RegexRubricTrait,
  regexOutcome,
  type TraitOutcome,
  unscored,
} from '../../rubrics/index.ts';

/** A trait of another kind on one answer. */
export type OtherTraitResult = {
  /** Whose word it is; null for a pattern, a function, and before anybody has judged. */
  readonly judge: string | null;
  readonly outcome: TraitOutcome;
} & (
  | { readonly source: 'llm'; readonly trait: LlmRubricTrait }
  | { readonly source: 'regex'; readonly trait: RegexRubricTrait }
  | { readonly source: 'callable'; readonly trait: CallableRubricTrait }
);

/** Why nothing can be said of an answer that is not there; null where it is. */
function whyNoAnswer(state: RowState): string | null {
  return state === 'answered' ? null : `answer_${state}`;
}

export function llmResult(
  trait: LlmRubricTrait,
  judge: string | null,
  state: RowState,
  said: JudgedTrait | undefined,
): OtherTraitResult {
  const missing = whyNoAnswer(state) ?? (said === undefined ? 'not_judged' : null);
  const outcome =
    missing !== null ? unscored(missing) : valueOrReason(said!, () => llmOutcome(trait, said!.value));
  return { source: 'llm', trait, judge, outcome };
}

/** A pattern needs no judge: it is looked for in the stored answer. */
export function regexResult(
  trait: RegexRubricTrait,
  state: RowState,
  answer: string | null,
): OtherTraitResult {
  const missing = whyNoAnswer(state);
  return {
    source: 'regex',
    trait,
    judge: null,
    outcome: missing === null ? regexOutcome(trait, answer ?? '') : unscored(missing),
  };
}

/** What the user's function said when the answer came: the function itself is never stored. */
export function callableResult(
  trait: CallableRubricTrait,
  state: RowState,
  said: JudgedTrait | undefined,
): OtherTraitResult {
  const missing = whyNoAnswer(state) ?? (said === undefined ? 'function_not_given' : null);
  const outcome = missing !== null ? unscored(missing) : valueOrReason(said!, () => tagged(said!.value!));
  return { source: 'callable', trait, judge: null, outcome };
}

function valueOrReason({ value, reason }: JudgedTrait, read: () => TraitOutcome): TraitOutcome {
  return value === null ? unscored(reason ?? 'no_value') : read();
}

function tagged(value: boolean | number | string): TraitOutcome {
  if (typeof value === 'boolean') return { kind: 'boolean', value };
  if (typeof value === 'number') return { kind: 'score', value };
  return { kind: 'literal', value, position: null };
}
