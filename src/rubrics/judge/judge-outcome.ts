import type { TextReply } from '../../core/index.ts';
import type { ItemVerdict } from '../verdict.ts';
import { ABSTENTION_TRAIT, type AskedTrait } from './asked-trait.ts';
import type { JudgeProblem } from './judge-problem.ts';
import type { JudgedTrait, Settled } from './settle.ts';

/** What a judge made of one answer in one pass. */
export interface JudgeOutcome {
  /** One for each item, in the order in which the items were given. */
  readonly verdicts: readonly ItemVerdict[];
  /** One for each LLM trait, without the abstention. */
  readonly traits: readonly JudgedTrait[];
  /** Whether the answer declines, defers or says that there is no answer; null with a reason where the judge did not say. */
  readonly abstained: boolean | null;
  readonly abstainedReason: string | null;
  /** 0 or 1. */
  readonly nRepairs: number;
  /** Everything that was wrong with the replies, what a repair mended included. */
  readonly problems: readonly JudgeProblem[];
  /** Of the wording; null when no model was asked. */
  readonly promptHash: string | null;
  /** Every reply as it came, with its tokens; none when no model was asked. */
  readonly replies: readonly TextReply[];
}

type Told = Pick<JudgeOutcome, 'nRepairs' | 'problems' | 'promptHash' | 'replies'>;

const UNASKED: Told = { nRepairs: 0, problems: [], promptHash: null, replies: [] };

/** The abstention is asked as a trait, and told apart from the traits of the rubric. */
export function judgeOutcome({ verdicts, traits }: Settled, told: Told = UNASKED): JudgeOutcome {
  const abstention = traits.find(({ name }) => name === ABSTENTION_TRAIT.name)!;
  return {
    verdicts,
    traits: traits.filter((trait) => trait !== abstention),
    abstained: typeof abstention.value === 'boolean' ? abstention.value : null,
    abstainedReason: abstention.reason,
    ...told,
  };
}

/** An answer without a word: nothing can stand in it, so every item is absent; whether it abstains, and any other trait, has nothing to be read from. */
export function wordlessOutcome(
  items: readonly { readonly id: string }[],
  traits: readonly AskedTrait[],
): JudgeOutcome {
  return judgeOutcome({
    verdicts: items.map(({ id }) => ({ id, verdict: 'absent', quotes: [], reason: null })),
    traits: traits.map(({ name }) => ({ name, value: null, reason: 'empty_answer' })),
  });
}

/** White space and characters without a shape are no words. */
export function isWordless(answer: string): boolean {
  return /^[\s\p{Cf}]*$/u.test(answer);
}
