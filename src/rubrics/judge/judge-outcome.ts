import type { TextReply } from '../../core/text-request.ts';
import { checkValue } from '../checks/typed-check.ts';
import type { ItemVerdict, VerifiedQuote } from '../verdict.ts';
import { findQuotePlaces, searchQuote, verifyQuote } from '../verify-quote.ts';
import {
  ABSTENTION_TRAIT,
  type AskedItem,
  type AskedPart,
  type AskedTrait,
  type TraitValue,
} from './asked.ts';
import { type JudgedItem, type JudgeReply, needsQuote } from './judge-reply.ts';
import { type JudgeProblem, problemReason } from './judge-text.ts';

/** What a judge said of one trait: its value, or why there is none. */
export interface JudgedTrait {
  readonly name: string;
  readonly value: TraitValue | null;
  /** Why there is no value. */
  readonly reason: string | null;
  /** Why the judge gave this value, in its words. Absent where no model was asked. */
  readonly explanation?: string | null;
  /** The words of the answer that the judge quoted for it; offsets are null where the answer does not contain them. Absent where no model was asked. */
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

/** The abstention is asked as a trait; here it is separated from the traits of the rubric. */
export function judgeOutcome({
  verdicts,
  traits,
  ...asked
}: Pick<JudgeOutcome, 'verdicts' | 'traits'> & Partial<JudgeOutcome>): JudgeOutcome {
  const abstention = traits.find(({ name }) => name === ABSTENTION_TRAIT.name)!;
  return {
    verdicts,
    traits: traits.filter((trait) => trait !== abstention),
    abstained: typeof abstention.value === 'boolean' ? abstention.value : null,
    abstainedReason: abstention.reason,
    nRepairs: 0,
    problems: [],
    promptHash: null,
    replies: [],
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

/**
 * Combines the replies of a judge to one list of items: the first, and those to repairs. Of an item
 * the first verified entry counts; one that no reply has is a `judge_error` by itself, for the last
 * reason given. A positive verdict whose quotes are not in the answer, cut a quantity or stand
 * under a negation, after one more request, is `unverified`. The value of a typed check is compared
 * here, by code.
 */
export function combineReplies(
  answer: string,
  { items, traits }: AskedPart,
  replies: readonly JudgeReply[],
): Pick<JudgeOutcome, 'verdicts' | 'traits'> {
  const problems = replies.flatMap((reply) => reply.problems);
  return {
    verdicts: items.map((item) => combineItem(answer, item, replies, problems)),
    traits: traits.map(({ name }) => {
      const given = replies.flatMap((reply) => reply.traits.get(name) ?? []);
      const verified = given.find(({ quotes }) => textProblem(answer, quotes) === null);
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
  const judged = given.find((entry) => verifyEntry(answer, entry, item).problem === null) ?? given.at(-1);
  if (judged === undefined) {
    const reason = lastReason(problems, (problem) => problem.id === id);
    return { id, verdict: 'judge_error', quotes: [], reason };
  }
  const { verdict } = judged;
  const { problem, value } = verifyEntry(answer, judged, item);
  const quotes = locateQuotes(answer, judged.quotes, allQuotes);
  const copied = value === undefined ? {} : { value };
  if (problem !== null)
    return { id, verdict: 'unverified', quotes, reason: UNVERIFIED[problem](verdict), ...copied };
  if (check === undefined || value === undefined || !needsQuote(verdict))
    return { id, verdict, quotes, reason: null, ...copied };
  const { passed, reason } = checkValue(check, value);
  const compared = passed === null ? 'unclear' : passed ? 'present' : 'contradicted';
  return { id, verdict: compared, quotes, reason: reason && `value_${reason}`, value };
}

/** Reasons as stored: with the verdict where the quotes alone fail. */
const UNVERIFIED = {
  quote_not_found: (verdict: string) => `${verdict}_quote_not_in_answer`,
  quote_cuts_quantity: (verdict: string) => `${verdict}_quote_cuts_quantity`,
  quote_negated: (verdict: string) => `${verdict}_quote_negated`,
  value_not_in_quote: () => 'value_not_in_quote',
  value_negated: () => 'value_negated',
};

/** Whether a problem is that a positive verdict is not verified by its quotes. */
export function isQuoteProblem({ code }: JudgeProblem): boolean {
  return Object.hasOwn(UNVERIFIED, code);
}

/**
 * Verifies the quotes of an entry against the answer, and the value of a typed check against the
 * quotes. The problem is null where the quotes verify the verdict, or it needs none. The value is
 * what a typed check compares: as the judge copied it or, where that cuts a quantity, the whole
 * quantity.
 */
export function verifyEntry(
  answer: string,
  { verdict, quotes, value }: JudgedItem,
  { check }: AskedItem,
): { readonly problem: keyof typeof UNVERIFIED | null; readonly value: string | undefined } {
  if (!needsQuote(verdict)) return { problem: null, value };
  const isAffirmed = (quote: string) => {
    const { place, negatedContext } = searchQuote(answer, quote);
    return place !== null && !negatedContext;
  };
  const affirmed = quotes.filter(isAffirmed);
  if (affirmed.length === 0) return { problem: textProblem(answer, quotes) ?? 'quote_negated', value };
  if (check === undefined || value === undefined) return { problem: null, value };
  const searches = affirmed.map((quote) => searchQuote(quote, value));
  if (searches.some(({ place, negatedContext }) => place !== null && !negatedContext))
    return { problem: null, value };
  if (searches.some(({ place }) => place !== null)) return { problem: 'value_negated', value };
  const whole = searches.find(({ quantity }) => quantity !== null)?.quantity;
  return 'number' in check && whole != null
    ? { problem: null, value: whole }
    : { problem: 'value_not_in_quote', value };
}

/**
 * Why none of the quotes is in the answer, negated or not; null where one is, or none was given.
 */
export function textProblem(
  answer: string,
  quotes: readonly string[],
): 'quote_not_found' | 'quote_cuts_quantity' | null {
  const searches = quotes.map((quote) => searchQuote(answer, quote));
  if (searches.length === 0 || searches.some(({ place }) => place !== null)) return null;
  return searches.some(({ quantity }) => quantity !== null) ? 'quote_cuts_quantity' : 'quote_not_found';
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
 * without a next place it is not verified. Places without a negation before them come first.
 */
export function locateQuotes(answer: string, quotes: readonly string[], allQuotes = false): VerifiedQuote[] {
  if (!allQuotes)
    return [...new Set(quotes)].map((text) => ({
      text,
      ...(verifyQuote(answer, text) ?? { start: null, end: null }),
    }));
  const places = new Map([...new Set(quotes)].map((text) => [text, findQuotePlaces(answer, text)]));
  // One place counts once, in whatever spelling it was quoted.
  const taken = new Set<number>();
  return quotes.map((text) => {
    const place = places.get(text)!.find(({ start }) => !taken.has(start));
    if (place === undefined) return { text, start: null, end: null };
    taken.add(place.start);
    return { text, start: place.start, end: place.end };
  });
}

/** A stored judgement: as much of it as its store has. */
export type EarlierAttempt = Partial<
  Pick<JudgeOutcome, 'verdicts' | 'traits' | 'abstained' | 'abstainedReason'>
>;

/** Reasons why a trait has no value that asking again would not change. */
const NOT_FAILED = new Set(['empty_answer', 'not_asked', 'text_withheld']);

/**
 * Whether a judgement is to be asked again: an item or a trait has no usable entry, because the call failed, the reply could not be read or was cut off, or the judge refused. What the judge could not decide
 * (`unclear`) and quotes that were not found (`unverified`) are verdicts.
 *
 * @example
 * ```ts
 * hasFailed({ verdicts: [{ id: 'a', verdict: 'judge_error', quotes: [], reason: 'failed_timeout' }] }) // => true
 * hasFailed({ verdicts: [{ id: 'a', verdict: 'unclear', quotes: [], reason: null }] }) // => false
 * ```
 */
export function hasFailed({
  verdicts = [],
  traits = [],
  abstained,
  abstainedReason,
}: EarlierAttempt): boolean {
  return (
    verdicts.some(({ verdict }) => verdict === 'judge_error') ||
    traits.some(isOpen) ||
    (abstained === null && !NOT_FAILED.has(abstainedReason ?? ''))
  );
}

/** What an earlier attempt settled: verdicts by item, and traits by name, the abstention among them. */
export function settledBy({ verdicts = [], traits = [], abstained }: EarlierAttempt) {
  const found = traits.filter((trait) => !isOpen(trait));
  if (typeof abstained === 'boolean')
    found.push({ name: ABSTENTION_TRAIT.name, value: abstained, reason: null });
  return {
    verdicts: new Map<string, ItemVerdict>(
      verdicts.filter(({ verdict }) => verdict !== 'judge_error').map((verdict) => [verdict.id, verdict]),
    ),
    traits: new Map<string, JudgedTrait>(found.map((trait) => [trait.name, trait])),
  };
}

function isOpen({ value, reason }: JudgedTrait): boolean {
  return value === null && !NOT_FAILED.has(reason ?? '');
}
