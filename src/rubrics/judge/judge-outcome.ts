import type { TextReply } from '../../core/index.ts';
import { checkValue } from '../checks/typed-check.ts';
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
import { type JudgedItem, type JudgeReply, needsQuote } from './judge-reply.ts';

/** What a judge said of one trait: its value, or why there is none. */
export interface JudgedTrait {
  readonly name: string;
  readonly value: TraitValue | null;
  /** Why there is no value. */
  readonly reason: string | null;
  /** Why the judge gave this value, in its words. Absent in judgements of older versions. */
  readonly explanation?: string | null;
  /** The words of the answer that the judge quoted for it; offsets are null where the answer does not contain them. Absent in judgements of older versions. */
  readonly quotes?: readonly VerifiedQuote[];
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
  /** Calls that asked again for something: for entries that could not be used, for quotes that were not found, for a reply that was cut off. */
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

export interface CombinedReplies {
  /** In the order of the items as they were given. */
  readonly verdicts: readonly ItemVerdict[];
  readonly traits: readonly JudgedTrait[];
}

/**
 * Combines the replies of a judge to one list of items: the first, and those to repairs. Of an item the first verified entry counts; one that no reply has is a `judge_error` by itself, for the last reason
 * given. A positive verdict whose quotes are not in the answer, after one more request, is `unverified`. The value of a typed check is compared here, by code.
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
      const given = replies.flatMap((reply) => reply.traits.get(name) ?? []);
      const verified = given.find(({ quotes }) => quotes.length === 0 || isVerified(answer, quotes));
      const judged = verified ?? given[0];
      return judged === undefined
        ? { name, value: null, reason: lastReason(problems, ({ trait }) => trait === name) }
        : {
            name,
            value: judged.value,
            reason: null,
            explanation: judged.explanation,
            quotes: locateQuotes(answer, judged.quotes),
          };
    }),
  };
}

function combineItem(
  answer: string,
  item: AskedItem,
  replies: readonly JudgeReply[],
  problems: readonly JudgeProblem[],
): ItemVerdict {
  const { id, allQuotes, check } = item;
  const given = replies.flatMap((reply) => reply.verdicts.get(id) ?? []);
  const judged = given.find((entry) => quoteProblem(answer, entry, item) === null) ?? given.at(-1);
  if (judged === undefined) {
    const reason = lastReason(problems, (problem) => problem.id === id);
    return { id, verdict: 'judge_error', quotes: [], reason };
  }
  const { verdict, value } = judged;
  const quotes = locateQuotes(answer, judged.quotes, allQuotes);
  const problem = quoteProblem(answer, judged, item);
  const copied = value === undefined ? {} : { value };
  if (problem !== null) {
    const reason = problem === 'quote_not_found' ? `${verdict}_quote_not_in_answer` : problem;
    return { id, verdict: 'unverified', quotes, reason, ...copied };
  }
  if (check === undefined || value === undefined || !needsQuote(verdict))
    return { id, verdict, quotes, reason: null, ...copied };
  const { passed, reason } = checkValue(check, value);
  const compared = passed === null ? 'unclear' : passed ? 'present' : 'contradicted';
  return { id, verdict: compared, quotes, reason: reason && `value_${reason}`, value };
}

/** Why a positive verdict is not verified: its words are not in the answer, or the value is not in its words. Null where it is, or needs no quote. */
export function quoteProblem(
  answer: string,
  { verdict, quotes, value }: JudgedItem,
  { check }: AskedItem,
): 'quote_not_found' | 'value_not_in_quote' | null {
  if (!needsQuote(verdict)) return null;
  if (!isVerified(answer, quotes)) return 'quote_not_found';
  if (check === undefined || value === undefined) return null;
  const held = quotes.some((quote) => isVerified(answer, [quote]) && verifyQuote(quote, value) !== null);
  return held ? null : 'value_not_in_quote';
}

/** Whether at least one quote is in the answer. */
export function isVerified(answer: string, quotes: readonly string[]): boolean {
  return quotes.some((quote) => verifyQuote(answer, quote) !== null);
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
