import { contentHash, type TextReply } from '../../core/index.ts';
import type { NewRow } from '../../store/index.ts';
import type { Question, TextTask } from '../../suites/index.ts';
import type { CallContext } from '../call-request.ts';
import { isWithheld, keptReply } from '../kept-reply.ts';
import { makeTextCall } from '../text-call.ts';
import { answerRequest } from './answer-prompt.ts';
import { keptWords, recordOf } from './kept-outcome.ts';

/** A row, and the answer that is judged; `isEntered` is false for an answer whose text is withheld: its row is entered with its judgements, since it cannot be judged later. */
interface Asked {
  readonly row: NewRow;
  readonly answer: string;
  readonly isEntered: boolean;
}

/** Asks one question, and enters its row. */
export async function askQuestion(
  question: Question,
  { repeat, round }: { readonly repeat: number; readonly round: number },
  task: TextTask,
  context: CallContext,
): Promise<Asked> {
  const record = recordOf(question);
  const keep = keptWords(question);
  const request = answerRequest(task, question);
  const empty = { id: question.id, repeat, attempt: round, state: 'failed' as const };
  const toRow = ({ refused, text, inputTokens, outputTokens }: TextReply): NewRow => ({
    ...empty,
    state: refused ? 'refused' : 'answered',
    ...keptReply(text, [record], context, keep),
    prompt: request.template,
    inputTokens,
    outputTokens,
    totalTokens: inputTokens === null || outputTokens === null ? null : inputTokens + outputTokens,
  });
  const isEntered = !isWithheld(context);
  const { reply, error } = await makeTextCall(
    {
      key: contentHash({ answer: question.id, repeat, ...(round > 0 && { round }) }).slice(0, 24),
      mode: 'single',
      repeat,
      record,
      request,
      keep,
      ...(isEntered && { toRow }),
    },
    context,
  );
  if (reply !== null) {
    const row = toRow(reply);
    return { row, answer: row.rawResponse ?? reply.text, isEntered };
  }
  const kept = keptReply(error?.rawResponse ?? null, [record], context, keep);
  const row = {
    ...empty,
    stateReason: error?.fault ?? 'empty',
    problem: error?.problem ?? 'empty',
    httpStatus: error?.status ?? null,
    ...kept,
  };
  context.journal.rows.enter([row]);
  return { row, answer: '', isEntered: true };
}
