import { contentHash, type RowState } from '../../core/index.ts';
import { emptyRow, type JournalRow } from '../../store/index.ts';
import type { Question, TextTask } from '../../suites/index.ts';
import type { CallContext } from '../call.ts';
import { scrub } from '../scrub.ts';
import { makeTextCall } from '../text-call.ts';
import { answerRequest } from './answer-prompt.ts';

/** Asks one question, and enters its row. Returns how it ended and the answer as the row holds it. */
export async function askQuestion(
  question: Question,
  repeat: number,
  task: TextTask,
  context: CallContext,
): Promise<{ state: RowState; answer: string | null }> {
  const record = { id: question.id, features: { question: question.question } };
  const redact = (text: string | null) =>
    text !== null && context.isProtected ? scrub(text, [record]) : text;
  const request = answerRequest(task, question.question);
  let row: JournalRow = emptyRow(question.id, repeat, 'failed', null);
  const { error } = await makeTextCall(
    {
      key: contentHash({ answer: question.id, repeat }).slice(0, 24),
      mode: 'single',
      repeat,
      record,
      request,
      redact,
      toRow: ({ refused, text, inputTokens, outputTokens }) => {
        const totalTokens = inputTokens === null || outputTokens === null ? null : inputTokens + outputTokens;
        const state = refused ? 'refused' : 'answered';
        const prompt = request.template;
        row = { ...row, state, rawResponse: redact(text), prompt, inputTokens, outputTokens, totalTokens };
        return row;
      },
    },
    context,
  );
  if (error !== null) {
    row = { ...row, stateReason: error.fault, rawResponse: redact(error.rawResponse) };
    context.journal.enter([row]);
  }
  return { state: row.state, answer: row.rawResponse };
}
