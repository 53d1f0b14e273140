import type { TextReply, TextRequest } from '../../core/text-request.ts';
import { ABSTENTION_TRAIT, type AskedPart, type JudgeQuestion, traitsToAsk } from './asked.ts';
import {
  combineReplies,
  type EarlierAttempt,
  emptyAnswerOutcome,
  isEmptyAnswer,
  isQuoteProblem,
  type JudgeOutcome,
  judgeOutcome,
  settledBy,
  textProblem,
  verifyEntry,
} from './judge-outcome.ts';
import { itemOrder, judgePrompt, judgePromptHash } from './judge-prompt.ts';
import { type JudgeReply, parseJudgeReply, unusableReply } from './judge-reply.ts';
import type { JudgeProblem } from './judge-text.ts';
import { askedOnce, type JudgeCall, planCalls, splitCall } from './plan-calls.ts';

/** A call to a judge that failed, retries included. The items asked in it become errors of the judge; they are never scores. */
export class JudgeCallFailed extends Error {
  override readonly name = 'JudgeCallFailed';
  /** A short code, e.g. `timeout`. */
  readonly reason: string;

  constructor(reason: string, cause?: unknown) {
    super(`the judge gave no reply: ${reason}`, cause === undefined ? undefined : { cause });
    this.reason = reason;
  }
}

/** The reply to a call, or why there is none. Other errors pass through. */
export function catchFailedCall(call: Promise<TextReply>): Promise<TextReply | JudgeCallFailed> {
  return call.catch((thrown: unknown) => {
    if (thrown instanceof JudgeCallFailed) return thrown;
    throw thrown;
  });
}

export interface RunJudgeOptions extends JudgeQuestion {
  /** One call to a text model, with whatever retries it takes. When it throws `JudgeCallFailed`, what was asked becomes an error of the judge; anything else passes through. */
  readonly ask: (request: TextRequest) => Promise<TextReply>;
  /** Longest reply that may be asked for; what would not fit is split into several calls. Default: enough for reasoning and for a quote of a few lines on every item, at most 16,384. */
  readonly maxOutputTokens?: number | undefined;
  /** An earlier attempt at the same judgement: what it settled is kept, and only the rest is asked. Default: everything is asked. */
  readonly earlier?: EarlierAttempt | null;
}

/**
 * Judges one answer: asks for everything in one call (several where the reply would not fit), once
 * more for what could not be used, and once more for quotes that are not in the answer, cut a
 * quantity or stand under a negation. A reply that was cut off is asked again in halves. An item
 * that several traits share is asked once. A refusal is not asked again, a repair that fails costs
 * nothing that the first reply had, and an answer without a word is not sent at all.
 *
 * @example
 * ```ts
 * const verdict = { id: 'a', verdict: 'present', quotes: ['chromosome 18'] };
 * const reply = { verdicts: [verdict], traits: [{ name: 'krisis.abstained', value: false }] };
 * const outcome = await runJudge({
 *   ask: async () => ({ text: JSON.stringify(reply), inputTokens: 700, outputTokens: 40 }),
 *   question: 'Where is BCL2?',
 *   answer: 'It is on chromosome 18.',
 *   items: [{ id: 'a', instruction: 'States BCL2 is on chromosome 18' }],
 *   seed: 42,
 *   pass: 0,
 * });
 * outcome.verdicts[0].quotes // => [{ text: 'chromosome 18', start: 9, end: 22 }]
 * outcome.abstained // => false
 * ```
 */
export async function runJudge({
  ask,
  maxOutputTokens,
  earlier,
  ...given
}: RunJudgeOptions): Promise<JudgeOutcome> {
  const allTraits = traitsToAsk(given.llmTraits);
  if (isEmptyAnswer(given.answer)) return emptyAnswerOutcome(given.items, allTraits);
  const settled = settledBy(earlier ?? {});
  const traits = allTraits.filter(({ name }) => !settled.traits.has(name));
  const { items, idsOf } = askedOnce(given.items.filter(({ id }) => !settled.verdicts.has(id)));
  const asked = { ...given, items };
  const replies: TextReply[] = [];
  const send = async (request: TextRequest) => {
    const reply = await catchFailedCall(ask(request));
    if (!(reply instanceof JudgeCallFailed)) replies.push(reply);
    return reply;
  };

  const isSettled = items.length + traits.length === 0;
  const planned = isSettled ? [] : planCalls(itemOrder(items, asked), traits, maxOutputTokens);
  const parts: JudgedPart[] = [];
  // One after another: calls have numbers, and a provider's cache is filled by the first.
  for (const call of planned) parts.push(await judgePart(asked, call, send, MAX_SPLITS));
  const verdicts = new Map(settled.verdicts);
  for (const verdict of parts.flatMap((part) => part.verdicts))
    for (const id of idsOf.get(verdict.id)!) verdicts.set(id, { ...verdict, id });
  const judged = new Map(settled.traits);
  for (const trait of parts.flatMap((part) => part.traits)) judged.set(trait.name, trait);
  return judgeOutcome({
    verdicts: given.items.map(({ id }) => verdicts.get(id)!),
    traits: allTraits.map(({ name }) => judged.get(name)!),
    nRepairs: parts.reduce((sum, { nRepairs }) => sum + nRepairs, 0),
    problems: parts.flatMap(({ problems }) => problems),
    promptHash: judgePromptHash(given.rules),
    replies,
  });
}

type JudgedPart = Pick<JudgeOutcome, 'verdicts' | 'traits' | 'problems' | 'nRepairs'>;

/** How often a list is halved when its reply is cut off. */
const MAX_SPLITS = 2;

/**
 * Asks for a part of the items until nothing is left that asking again can mend: once for what was
 * unusable, once for what its quotes do not verify.
 */
async function judgePart(
  asked: JudgeQuestion,
  call: JudgeCall,
  send: (request: TextRequest) => Promise<TextReply | JudgeCallFailed>,
  splits: number,
): Promise<JudgedPart> {
  const { answer } = asked;
  const parsed: JudgeReply[] = [];
  const askedAgain = new Set<string>();
  const { maxOutputTokens } = call;
  let open: AskedPart = call;
  let prompt = judgePrompt(asked, call);
  for (;;) {
    const reply = read(await send({ ...prompt, maxOutputTokens }), open, answer);
    parsed.push(reply);
    const isCut = reply.problems.some(({ code }) => code === 'cut');
    const halves = isCut && splits > 0 && parsed.length === 1 ? splitCall(call) : null;
    if (halves !== null) {
      const parts: JudgedPart[] = [];
      for (const half of halves) parts.push(await judgePart(asked, half, send, splits - 1));
      return {
        verdicts: parts.flatMap(({ verdicts }) => verdicts),
        traits: parts.flatMap(({ traits }) => traits),
        problems: [...reply.problems, ...parts.flatMap(({ problems }) => problems)],
        nRepairs: parts.reduce((sum, { nRepairs }) => sum + nRepairs + 1, 0),
      };
    }
    open = stillOpen(reply, open, askedAgain);
    const cannotRepair = reply.problems.some(({ code }) => code === 'refused' || code === 'failed');
    if (cannotRepair || open.items.length + open.traits.length === 0) break;
    prompt = judgePrompt(asked, open, reply.problems);
  }
  return {
    ...combineReplies(answer, call, parsed),
    problems: parsed.flatMap(({ problems }) => problems),
    nRepairs: parsed.length - 1,
  };
}

function read(reply: TextReply | JudgeCallFailed, { items, traits }: AskedPart, answer: string): JudgeReply {
  if (reply instanceof JudgeCallFailed)
    return reply.reason === 'truncated' ? unusableReply('cut') : unusableReply('failed', reply.reason);
  if (reply.refused === true) return unusableReply('refused');
  const parsed = parseJudgeReply(reply.text, items, traits, answer);
  if (parsed.problems.some(({ code, detail }) => code === 'unreadable' && detail === 'cut_off'))
    return unusableReply('cut');
  return { ...parsed, problems: [...parsed.problems, ...quoteProblems(parsed, { items, traits }, answer)] };
}

/** Entries whose words do not verify them. */
function quoteProblems({ verdicts, traits }: JudgeReply, open: AskedPart, answer: string): JudgeProblem[] {
  return [
    ...open.items.flatMap((item): JudgeProblem[] => {
      const entry = verdicts.get(item.id);
      const code = entry === undefined ? null : verifyEntry(answer, entry, item).problem;
      return code === null ? [] : [{ code, id: item.id, trait: null }];
    }),
    ...open.traits.flatMap(({ name }): JudgeProblem[] => {
      const quotes = name === ABSTENTION_TRAIT.name ? [] : (traits.get(name)?.quotes ?? []);
      const code = textProblem(answer, quotes);
      return code === null ? [] : [{ code, id: null, trait: name }];
    }),
  ];
}

/**
 * What to ask for again. Each entry is asked again once because it was unusable, and once because
 * its words do not verify it.
 */
function stillOpen(reply: JudgeReply, { items, traits }: AskedPart, askedAgain: Set<string>): AskedPart {
  const unverified = new Set(reply.problems.filter(isQuoteProblem).map(({ id, trait }) => id ?? trait));
  const isOpen = (name: string, isUsable: boolean): boolean => {
    const why = isUsable ? (unverified.has(name) ? 'quote' : null) : 'unusable';
    if (why === null || askedAgain.has(`${why} ${name}`)) return false;
    askedAgain.add(`${why} ${name}`);
    return true;
  };
  return {
    items: items.filter(({ id }) => isOpen(id, reply.verdicts.has(id))),
    traits: traits.filter(({ name }) => isOpen(name, reply.traits.has(name))),
  };
}
