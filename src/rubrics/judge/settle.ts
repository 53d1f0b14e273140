import type { ItemVerdict } from '../verdict.ts';
import type { AskedItem } from './asked-item.ts';
import type { AskedTrait, TraitValue } from './asked-trait.ts';
import { type JudgeProblem, problemReason } from './judge-problem.ts';
import type { JudgeReply } from './judge-reply.ts';
import { placeQuotes } from './place-quotes.ts';

/** What became of one trait: its value, or why there is none. */
export interface JudgedTrait {
  readonly name: string;
  readonly value: TraitValue | null;
  readonly reason: string | null;
}

export interface Settled {
  /** In the order of the items as they were given. */
  readonly verdicts: readonly ItemVerdict[];
  readonly traits: readonly JudgedTrait[];
}

/**
 * What the replies to one question come to: the first, and the one to the repair where there was one. An item or trait is taken from the first reply that has it; one that
 * none has is a `judge_error` by itself, for the last reason given. A positive verdict without a quote that stands in the answer is `unverified`.
 */
export function settle({
  answer,
  items,
  traits,
  replies,
}: {
  readonly answer: string;
  readonly items: readonly AskedItem[];
  readonly traits: readonly AskedTrait[];
  readonly replies: readonly JudgeReply[];
}): Settled {
  const problems = replies.flatMap((reply) => reply.problems);
  return {
    verdicts: items.map((item) => settleItem(answer, item, replies, problems)),
    traits: traits.map(({ name }) => {
      const value = replies.map((reply) => reply.traits.get(name)).find((given) => given !== undefined);
      return value === undefined
        ? { name, value: null, reason: lastReason(problems, ({ trait }) => trait === name) }
        : { name, value, reason: null };
    }),
  };
}

function settleItem(
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
  const quotes = placeQuotes(answer, judged.quotes, allQuotes);
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
