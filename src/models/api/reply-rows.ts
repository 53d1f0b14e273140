import type { TokenUsage } from '../../core/index.ts';
import type { Task } from '../../suites/index.ts';
import type { BackendResponse } from '../backend.ts';
import { BackendError } from '../backend-error.ts';
import { looksLikeRefusal, parseBatch, parseSingle } from './parse-reply.ts';
import type { BuiltPrompt } from './prompt.ts';
import type { ModelReply } from './read-result.ts';
import { shareOf } from './share-of.ts';

/** The row of a reply to a single question. A reply that cannot be read as an answer is the model's fault, and makes an invalid row. */
export function singleRow(
  reply: ModelReply,
  prompt: BuiltPrompt,
  task: Task,
  model: string,
): BackendResponse {
  const row = (answer: Partial<BackendResponse>, rawResponse = reply.text): BackendResponse => ({
    ...frame(reply, prompt, 'single', reply.usage),
    rawResponse,
    ...answer,
  });
  if (reply.refusal !== null) return row({ refused: true }, reply.refusal);
  if (reply.text.trim() === '')
    throw new BackendError('empty', `${model}: the reply is empty`, { usage: reply.usage });
  const parsed = parseSingle(reply.text, task);
  if (parsed.ok) return row({ ...parsed.value, ...(parsed.repaired ? { repaired: true } : {}) });
  return row(looksLikeRefusal(reply.text) ? { refused: true } : { invalid: parsed.reason });
}

/** The row of a question that a provider's filter refused: there is no reply, so the tokens are unknown. */
export function filteredRow({ message }: BackendError, prompt: BuiltPrompt): BackendResponse {
  const usage = { inputTokens: null, outputTokens: null };
  const reply = { text: message, modelId: null };
  return { ...frame(reply, prompt, 'single', usage), refused: true };
}

/** The rows of a reply to a batch, in the order asked. A reply that is not complete throws an error with its usable rows: the rest is asked in smaller batches. */
export function batchRows(
  reply: ModelReply,
  prompt: BuiltPrompt,
  task: Task,
  model: string,
): BackendResponse[] {
  const { text, refusal, usage } = reply;
  const fail = (
    fault: 'refused' | 'empty' | 'malformed' | 'short',
    why: string,
    partial: readonly (BackendResponse | null)[] = [],
  ) => new BackendError(fault, `${model}: ${why}`, { usage, rawResponse: refusal ?? text, partial });
  if (refusal !== null) throw fail('refused', 'the batch was refused');
  if (text.trim() === '') throw fail('empty', 'the reply is empty');
  const parsed = parseBatch(text, task, prompt.caseIds);
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
    return {
      ...frame(reply, prompt, 'batch', share),
      ...answer,
      ...(parsed.repaired ? { repaired: true } : {}),
    };
  });
  const given = rows.filter((row) => row !== null);
  if (given.length < n) throw fail('short', `${given.length} answers for ${n} cases`, rows);
  return given;
}

function frame(
  reply: Pick<ModelReply, 'text' | 'modelId'>,
  { template }: BuiltPrompt,
  promptMode: 'single' | 'batch',
  { inputTokens, outputTokens }: TokenUsage,
): BackendResponse {
  return {
    prediction: null,
    abstained: false,
    confidence: null,
    confidenceSource: 'stated',
    rawResponse: reply.text,
    prompt: template,
    promptMode,
    inputTokens,
    outputTokens,
    totalTokens: inputTokens === null || outputTokens === null ? null : inputTokens + outputTokens,
    ...(reply.modelId === null ? {} : { modelId: reply.modelId }),
  };
}
