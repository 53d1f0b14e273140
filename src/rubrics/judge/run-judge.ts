import type { TextReply, TextRequest } from '../../core/index.ts';
import { type AskedItem, type AskedTrait, type JudgeQuestion, traitsToAsk } from './asked.ts';
import {
  combineReplies,
  emptyAnswerOutcome,
  isEmptyAnswer,
  type JudgeOutcome,
  judgeOutcome,
} from './judge-outcome.ts';
import { JUDGE_PROMPT_HASH, type JudgePrompt, judgePrompt, repairPrompt } from './judge-prompt.ts';
import { type JudgeReply, parseJudgeReply, unusableReply } from './judge-reply.ts';

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

interface RunJudgeOptions extends JudgeQuestion {
  /** One call to a text model, with whatever retries it takes. When it throws `JudgeCallFailed`, what was asked becomes an error of the judge; anything else passes through. */
  readonly ask: (request: TextRequest) => Promise<TextReply>;
  /** Default: enough for reasoning and for a quote of a few lines on every item, at most 16,384. */
  readonly maxOutputTokens?: number;
}

const TOKENS_TO_REASON = 2_048;
const TOKENS_PER_ENTRY = 256;
/** Every current model can write at least this many. */
const MOST_TOKENS = 16_384;

/**
 * Judges one answer: asks for everything in one call, once more for what could not be used, and combines the replies. A refusal is not asked again, a repair that
 * fails costs nothing that the first reply had, and an answer without a word is not sent at all.
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
export async function runJudge({ ask, maxOutputTokens, ...asked }: RunJudgeOptions): Promise<JudgeOutcome> {
  const { answer, items } = asked;
  const traits = traitsToAsk(asked.llmTraits);
  if (isEmptyAnswer(answer)) return emptyAnswerOutcome(items, traits);
  const enough = TOKENS_TO_REASON + TOKENS_PER_ENTRY * (items.length + traits.length);
  const replies: TextReply[] = [];
  const parsed: JudgeReply[] = [];
  const send = async (prompt: JudgePrompt, open: Open): Promise<Open> => {
    const { messages, template, schema } = prompt;
    const request = {
      messages,
      template,
      schema,
      maxOutputTokens: maxOutputTokens ?? Math.min(enough, MOST_TOKENS),
    };
    const reply = await ask(request).catch(onlyFailedCalls);
    if (!(reply instanceof JudgeCallFailed)) replies.push(reply);
    parsed.push(read(reply, open, answer));
    return openAfter(parsed.at(-1)!, open);
  };

  const open = await send(judgePrompt(asked), { items, traits });
  const { problems } = parsed[0]!;
  const cannotRepair = problems.some(({ code }) => code === 'refused' || code === 'failed');
  if (!cannotRepair && open.items.length + open.traits.length > 0) {
    await send(repairPrompt(asked, open, problems), open);
  }
  return judgeOutcome(combineReplies(asked, traits, parsed), {
    nRepairs: parsed.length - 1,
    problems: parsed.flatMap(({ problems }) => problems),
    promptHash: JUDGE_PROMPT_HASH,
    replies,
  });
}

interface Open {
  readonly items: readonly AskedItem[];
  readonly traits: readonly AskedTrait[];
}

function read(reply: TextReply | JudgeCallFailed, { items, traits }: Open, answer: string): JudgeReply {
  if (reply instanceof JudgeCallFailed) return unusableReply('failed', reply.reason);
  return reply.refused === true
    ? unusableReply('refused')
    : parseJudgeReply(reply.text, items, traits, answer);
}

/** What is still without a usable entry. */
function openAfter(reply: JudgeReply, { items, traits }: Open): Open {
  return {
    items: items.filter(({ id }) => !reply.verdicts.has(id)),
    traits: traits.filter(({ name }) => !reply.traits.has(name)),
  };
}

function onlyFailedCalls(thrown: unknown): JudgeCallFailed {
  if (thrown instanceof JudgeCallFailed) return thrown;
  throw thrown;
}
