import type { TextReply } from '../../core/index.ts';
import type { ItemVerdict, VerifiedQuote } from '../verdict.ts';
import { verifyQuote } from '../verify-quote.ts';
import {
  ABSTENTION_TRAIT,
  type AskedItem,
  type AskedTrait,
  type JudgeQuestion,
  type TraitValue,
} from './asked.ts';
import { type JudgeProblem, problemReason } from './judge-problem.ts';
import type { JudgeReply } from './judge-reply.ts';

/** What a judge said of one trait: its value, or why there is none. */
export interface JudgedTrait {
  readonly name: string;
  readonly value: TraitValue | null;
  readonly reason: string | null;
}

/** What a judge said of one answer in one pass. */
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

type Asked = Pick<JudgeOutcome, 'nRepairs' | 'problems' | 'promptHash' | 'replies'>;

const NOT_ASKED: Asked = { nRepairs: 0, problems: [], promptHash: null, replies: [] };

/** The abstention is asked as a trait; here it is separated from the traits of the rubric. */
export function judgeOutcome({ verdicts, traits }: CombinedReplies, asked: Asked = NOT_ASKED): JudgeOutcome {
  const abstention = traits.find(({ name }) => name === ABSTENTION_TRAIT.name)!;
  return {
    verdicts,
    traits: traits.filter((trait) => trait !== abstention),
    abstained: typeof abstention.value === 'boolean' ? abstention.value : null,
    abstainedReason: abstention.reason,
    ...asked,
  };
}

/** The outcome of an answer without a word: every item is absent; whether it abstains, and any other trait, has nothing to be read from. */
export function emptyAnswerOutcome(
  items: readonly { readonly id: string }[],
  traits: readonly AskedTrait[],
): JudgeOutcome {
  return judgeOutcome({
    verdicts: items.map(({ id }) => ({ id, verdict: 'absent', quotes: [], reason: null })),
    traits: traits.map(({ name }) => ({ name, value: null, reason: 'empty_answer' })),
  });
}

/** Whether an answer has no words: nothing but white space and invisible characters. */
export function isEmptyAnswer(answer: string): boolean {
  return /^[\s\p{Cf}]*$/u.test(answer);
}

interface CombinedReplies {
  /** In the order of the items as they were given. */
  readonly verdicts: readonly ItemVerdict[];
  readonly traits: readonly JudgedTrait[];
}

/**
 * Combines the replies of a judge on one answer: the first, and the one to the repair where there was one. An item or trait is taken from the first reply that has it; one that
 * none has is a `judge_error` by itself, for the last reason given. A positive verdict without a quote verified against the answer is `unverified`.
 */
export function combineReplies(
  { answer, items }: Pick<JudgeQuestion, 'answer' | 'items'>,
  traits: readonly AskedTrait[],
  replies: readonly JudgeReply[],
): CombinedReplies {
  const problems = replies.flatMap((reply) => reply.problems);
  return {
    verdicts: items.map((item) => combineItem(answer, item, replies, problems)),
    traits: traits.map(({ name }) => {
      const value = replies.map((reply) => reply.traits.get(name)).find((given) => given !== undefined);
      return value === undefined
        ? { name, value: null, reason: lastReason(problems, ({ trait }) => trait === name) }
        : { name, value, reason: null };
    }),
  };
}

function combineItem(
  answer: string,
  { id, allQuotes }: AskedItem,
  replies: readonly JudgeReply[],
  problems: readonly JudgeProblem[],
): ItemVerdict {
  const judged = replies.map((reply) => reply.verdicts.get(id)).find((given) => given !== undefined);
  if (judged === undefined) {
    const reason = lastReason(problems, (problem) => problem.id === id);
    return { id, verdict: 'judge_error', quotes: [], reason };
  }
  const { verdict } = judged;
  const quotes = locateQuotes(answer, judged.quotes, allQuotes);
  const needsQuote = verdict === 'present' || verdict === 'contradicted';
  return needsQuote && quotes.every(({ start }) => start === null)
    ? { id, verdict: 'unverified', quotes, reason: `${verdict}_quote_not_in_answer` }
    : { id, verdict, quotes, reason: null };
}

/** A fault of the whole reply is the fault of everything that was asked in it. */
function lastReason(problems: readonly JudgeProblem[], isAbout: (problem: JudgeProblem) => boolean): string {
  const last = problems.findLast(
    (problem) =>
      isAbout(problem) || (problem.id === null && problem.trait === null && problem.code !== 'bad_entry'),
  );
  return last === undefined ? 'missing' : problemReason(last);
}

/**
 * Looks up quotes in the answer. A quote given again means the next place where it occurs, so that a judge asked for every occurrence cannot count one place twice;
 * without a next place it is not verified.
 */
export function locateQuotes(answer: string, quotes: readonly string[], allQuotes = false): VerifiedQuote[] {
  const nextFrom = new Map<string, number>();
  const given = allQuotes ? quotes : [...new Set(quotes)];
  return given.map((text) => {
    const place = verifyQuote(answer, text, nextFrom.get(text));
    if (place === null) return { text, start: null, end: null };
    nextFrom.set(text, place.end);
    return { text, ...place };
  });
}
