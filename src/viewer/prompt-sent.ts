import type { PromptMessage } from '../core/index.ts';
import { filledPrompt } from '../models/index.ts';
import { promptFeatures, type RunDatabase } from '../store/index.ts';
import type { RecordPayload } from './api.ts';

type PromptSent = Pick<RecordPayload, 'prompt_sent' | 'prompt_sent_reason'>;

/** The prompt of a row as it was sent: its template, filled again with the features that the file has. */
export function promptSent(
  run: RunDatabase,
  row: Pick<RecordPayload, 'id' | 'repeat' | 'prompt' | 'prompt_mode'>,
  hidesFeatures: boolean,
): PromptSent {
  const no = (reason: string): PromptSent => ({ prompt_sent: null, prompt_sent_reason: reason });
  if (row.prompt === null) return no('the run file has no prompt for this row');
  if (!isTemplate(row.prompt)) return no('the stored prompt is not a list of messages');
  if (hidesFeatures) return no('the suite is protected, so its features are not shown');
  const features = promptFeatures(run, row);
  if (features === null) return no('the run file does not have the features of every record in the call');
  const messages = filledPrompt(row.prompt, features, row.prompt_mode === 'batch' ? 'batch' : 'single');
  return messages === null
    ? no('the stored prompt has no slot to fill: it comes from a backend with prompts of its own')
    : { prompt_sent: messages, prompt_sent_reason: null };
}

function isTemplate(prompt: unknown): prompt is readonly PromptMessage[] {
  return (
    Array.isArray(prompt) &&
    prompt.every(
      (message: Partial<PromptMessage> | null) =>
        typeof message?.content === 'string' && typeof message.role === 'string',
    )
  );
}
