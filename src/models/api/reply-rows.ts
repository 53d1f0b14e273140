import type { ReplyFault } from '../../core/fault.ts';
import { type TextRequest, type TokenUsage, withoutReasoning } from '../../core/text-request.ts';
import type { Task } from '../../suites/task.ts';
import type { BackendResponse, VisibleRecord } from '../backend.ts';
import { type BackendError, ownError } from '../backend-error.ts';
import { type Answer, complete } from '../define-backend.ts';
import type { ModelReply } from './model-reply.ts';
import { parseBatch, parseSingle } from './parse-reply.ts';
import { caseId } from './prompt.ts';
import { tokenConfidence } from './token-confidence.ts';

/** What was asked. */
interface Question extends Pick<TextRequest, 'template'> {
  readonly task: Task;
  readonly records: readonly VisibleRecord[];
  /** The model as the user names it. */
  readonly model: string;
}

/** The row of a reply to a single question. A reply that cannot be read as an answer is the model's fault, and makes an invalid row. */
export function singleRow(reply: ModelReply, question: Question): BackendResponse {
  const { text, refusal, usage } = reply;
  const { task, records, model } = question;
  const row = (answer: Partial<Answer>) => completeRow(reply, question, usage, answer);
  if (refusal !== null) return row({ refused: true, rawResponse: refusal });
  if (text.trim() === '') throw ownError('empty', `${model}: the reply is empty`, { usage });
  const parsed = parseSingle(text, task, records);
  // The whole reply is about this one record.
  if (parsed.ok) return row({ ...finishAnswer(reply, parsed.value, parsed.repaired, task), replySpan: null });
  return row(looksLikeRefusal(text) ? { refused: true } : { invalid: parsed.reason });
}

/** The row of a question that a provider's filter refused: there is no reply, so the tokens are unknown. */
export function filteredRow({ message, usage, unbilled }: BackendError, question: Question): BackendResponse {
  return completeRow({ text: message, modelId: null }, question, usage, {
    refused: true,
    ...(unbilled && { unbilled }),
  });
}

/** The rows of a reply to a batch, in the order asked. A reply that is not complete throws an error with its usable rows: the rest is asked in smaller batches. */
export function batchRows(reply: ModelReply, question: Question): BackendResponse[] {
  const { text, refusal, usage } = reply;
  const { task, records, model } = question;
  const fail = (fault: ReplyFault, why: string, partial: BackendError['partial'] = []) =>
    ownError(fault, `${model}: ${why}`, { usage, rawResponse: refusal ?? text, partial });
  if (refusal !== null) throw fail('refused', 'the batch was refused');
  if (text.trim() === '') throw fail('empty', 'the reply is empty');
  const n = records.length;
  const caseIds = records.map((_, i) => caseId(i));
  const parsed = parseBatch(text, task, caseIds, records);
  if (!parsed.ok) {
    throw looksLikeRefusal(text)
      ? fail('refused', 'the batch was refused')
      : fail('malformed', `the reply could not be read: ${parsed.reason}`);
  }
  const rows = parsed.value.map((answer, i) => {
    if (answer === null) return null;
    const share = {
      inputTokens: splitTokens(usage.inputTokens, i, n),
      outputTokens: splitTokens(usage.outputTokens, i, n),
    };
    return completeRow(reply, question, share, finishAnswer(reply, answer, parsed.repaired, task));
  });
  const usable = rows.filter((row) => row !== null);
  if (usable.length < n) throw fail('short', `${usable.length} answers for ${n} cases`, rows);
  return usable;
}

/** Adds what the reply as a whole says: whether it was repaired, and the confidence by its tokens where those were asked for. */
function finishAnswer(reply: ModelReply, answer: Answer, repaired: boolean, { labels }: Task): Answer {
  const { prediction, abstained, invalid, replySpan = null } = answer;
  const isAnswer = !abstained && invalid === undefined && prediction !== null;
  return {
    ...answer,
    ...(reply.tokens &&
      isAnswer && { tokenConfidence: tokenConfidence(reply, replySpan, prediction, labels) }),
    ...(repaired && { repaired }),
  };
}

function completeRow(
  { text, modelId }: Pick<ModelReply, 'text' | 'modelId'>,
  { template, records }: Question,
  usage: TokenUsage,
  answer: Partial<Answer>,
): BackendResponse {
  const { inputTokens, outputTokens } = usage;
  const totalTokens = inputTokens === null || outputTokens === null ? null : inputTokens + outputTokens;
  const about = { rawResponse: text, prompt: template, ...usage, totalTokens, ...(modelId && { modelId }) };
  return complete(
    { prediction: null, abstained: false, ...about, ...answer },
    records.length === 1 ? 'single' : 'batch',
  );
}

/** The tokens of row `i` of `n`: as even as whole numbers allow, and the shares add up to the total. */
export function splitTokens(tokens: number | null, i: number, n: number): number | null {
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
