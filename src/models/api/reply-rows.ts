import { type ReplyFault, type TokenUsage, withoutReasoning } from '../../core/index.ts';
import type { Task } from '../../suites/index.ts';
import type { BackendResponse, VisibleRecord } from '../backend.ts';
import { type BackendError, ownError } from '../backend-error.ts';
import { type Answer, complete } from '../define-backend.ts';
import { parseBatch, parseSingle } from './parse-reply.ts';
import type { BuiltPrompt } from './prompt.ts';
import type { ModelReply } from './read-result.ts';
import { tokenConfidence } from './token-confidence.ts';

/** What was asked. */
interface Question {
  readonly prompt: BuiltPrompt;
  readonly task: Task;
  /** The records in the prompt. */
  readonly records: readonly VisibleRecord[];
  /** The model as the user names it. */
  readonly model: string;
}

/** The row of a reply to a single question. A reply that cannot be read as an answer is the model's fault, and makes an invalid row. */
export function singleRow(reply: ModelReply, { prompt, task, records, model }: Question): BackendResponse {
  const { text, refusal, usage } = reply;
  const row = (answer: Partial<Answer>) => rowOf(reply, prompt, 'single', usage, answer);
  if (refusal !== null) return row({ refused: true, rawResponse: refusal });
  if (text.trim() === '') throw ownError('empty', `${model}: the reply is empty`, { usage });
  const parsed = parseSingle(text, task, records);
  // The whole reply is about this one record.
  if (parsed.ok)
    return row({
      ...parsed.value,
      ...byTokens(reply, parsed.value, task),
      replySpan: null,
      ...(parsed.repaired && { repaired: true }),
    });
  return row(looksLikeRefusal(text) ? { refused: true } : { invalid: parsed.reason });
}

/** The row of a question that a provider's filter refused: there is no reply, so the tokens are unknown. */
export function filteredRow(error: BackendError, prompt: BuiltPrompt): BackendResponse {
  return rowOf({ text: error.message, modelId: null }, prompt, 'single', error.usage, {
    refused: true,
    ...(error.unbilled && { unbilled: true }),
  });
}

/** The rows of a reply to a batch, in the order asked. A reply that is not complete throws an error with its usable rows: the rest is asked in smaller batches. */
export function batchRows(reply: ModelReply, { prompt, task, records, model }: Question): BackendResponse[] {
  const { text, refusal, usage } = reply;
  const fail = (fault: ReplyFault, why: string, partial: BackendError['partial'] = []) =>
    ownError(fault, `${model}: ${why}`, { usage, rawResponse: refusal ?? text, partial });
  if (refusal !== null) throw fail('refused', 'the batch was refused');
  if (text.trim() === '') throw fail('empty', 'the reply is empty');
  const parsed = parseBatch(text, task, prompt.caseIds, records);
  if (!parsed.ok) {
    throw looksLikeRefusal(text)
      ? fail('refused', 'the batch was refused')
      : fail('malformed', `the reply could not be read: ${parsed.reason}`);
  }
  const n = parsed.value.length;
  const rows = parsed.value.map((answer, i): BackendResponse | null => {
    if (answer === null) return null;
    const share = {
      inputTokens: shareOf(usage.inputTokens, i, n),
      outputTokens: shareOf(usage.outputTokens, i, n),
    };
    return rowOf(reply, prompt, 'batch', share, {
      ...answer,
      ...byTokens(reply, answer, task),
      ...(parsed.repaired && { repaired: true }),
    });
  });
  const given = rows.filter((row) => row !== null);
  if (given.length < n) throw fail('short', `${given.length} answers for ${n} cases`, rows);
  return given;
}

/** What the tokens of a reply say of an answer; nothing where they were not asked for. */
function byTokens(
  reply: ModelReply,
  { prediction, abstained, invalid, replySpan }: Partial<Answer>,
  { labels }: Task,
): Pick<Answer, 'tokenConfidence'> {
  if (!reply.tokens || abstained || invalid !== undefined || prediction == null) return {};
  return { tokenConfidence: tokenConfidence(reply, replySpan ?? null, prediction, labels) };
}

function rowOf(
  { text, modelId }: Pick<ModelReply, 'text' | 'modelId'>,
  { template }: BuiltPrompt,
  mode: 'single' | 'batch',
  usage: TokenUsage,
  answer: Partial<Answer>,
): BackendResponse {
  const { inputTokens, outputTokens } = usage;
  const totalTokens = inputTokens === null || outputTokens === null ? null : inputTokens + outputTokens;
  const about = { rawResponse: text, prompt: template, ...usage, totalTokens, ...(modelId && { modelId }) };
  return complete({ prediction: null, abstained: false, ...about, ...answer }, mode);
}

/** The tokens of row `i` of `n`: as even as whole numbers allow, and the shares add up to the total. */
export function shareOf(tokens: number | null, i: number, n: number): number | null {
  return tokens === null ? null : Math.floor(((i + 1) * tokens) / n) - Math.floor((i * tokens) / n);
}

const AS_AN_AI = String.raw`as an? (?:ai|artificial intelligence|(?:large )?language model)\b[^.!?\n]{0,80}?,? `;
const SORRY = `(?:(?:i'm|i am) )?(?:very |really |so )?sorry[,.:]? (?:but )?|i apologi[sz]e[,.:]? (?:but )?|unfortunately, `;
const CANNOT = `i(?: (?:can't|cannot|can not|won't|will not|must decline to|have to decline to|decline to|am (?:unable|not able) to)|'m (?:unable|not able) to) `;

/** What a refusal declines to do. Verbs of judgement ("exclude", "determine", "tell") are left out: they are about the case, and so is abstaining. */
const TO_HELP = String.raw`(?:help(?! but\b)|assist|comply|do (?:that|this)|fulfil|engage (?:in|with)|participate|complete (?:this|that|your) (?:request|task)|answer (?:this|that|your) (?:question|request)|(?:provide|give|offer) (?:you )?(?:with )?(?:an? |any |specific |personal )*(?:medical|health|advice|(?:this|that) (?:information|advice|kind|type)))\b`;
const TO_PRACTISE = String.raw`(?:diagnose|make (?:an? |any )?(?:medical |clinical )?(?:diagnos[ei]s|decisions?)|(?:provide|give|offer) (?:an? |any )?diagnos[ei]s|interpret|assess|evaluate|practi[sc]e)\b`;

const REFUSALS = [
  `(?:${SORRY})?(?:${AS_AN_AI})?${CANNOT}${TO_HELP}`,
  `(?:${SORRY})?${AS_AN_AI}${CANNOT}${TO_PRACTISE}`,
  `(?:${SORRY})i (?:can't|cannot|can not|won't)[.!]?$`,
].map((opening) => new RegExp(`^[^a-z]*(?:${opening})`));

/** Only the opening of a reply is searched. */
const OPENING_CHARACTERS = 300;

/**
 * Whether a reply without readable JSON opens like a policy refusal. The list is short on purpose: any other reply counts as malformed,
 * and a clinical text that declines to judge is not a refusal.
 */
export function looksLikeRefusal(text: string): boolean {
  const opening = withoutReasoning(text)
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, OPENING_CHARACTERS)
    .toLowerCase()
    .replace(/[’ʼ‘]/g, "'");
  return REFUSALS.some((refusal) => refusal.test(opening));
}
