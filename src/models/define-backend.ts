import { isObject } from '../core/collections.ts';
import { argumentError, placeInUserCode } from '../core/errors.ts';
import { shown } from '../core/plain-text.ts';
import { tokenCount } from '../core/text-request.ts';
import type { Task } from '../suites/task.ts';
import type { Backend, BackendResponse, BackendSettings, CallRef, VisibleRecord } from './backend.ts';
import { type BackendError, ownError } from './backend-error.ts';

/** The fields an answer must have; the rest have defaults. */
export type Answer = Pick<BackendResponse, 'prediction' | 'abstained'> & Partial<BackendResponse>;

interface BackendDefinition extends BackendSettings {
  readonly name: string;
  evaluate(record: VisibleRecord, task: Task, call?: CallRef): Promise<Answer> | Answer;
  evaluateBatch?(records: readonly VisibleRecord[], task: Task, call?: CallRef): Promise<Answer[]> | Answer[];
}

/**
 * Defines a backend from a name and a function that answers one record. Without `evaluateBatch`, every record is a call of its own, whatever the batch size.
 *
 * @example
 * ```ts
 * const backend = defineBackend({ name: 'always-yes', evaluate: () => ({ prediction: 'yes', abstained: false, confidence: 0.5 }) });
 * const task = { labels: ['yes', 'no'] } as never;
 * (await backend.evaluate({ id: 'a', features: {} }, task)).prediction; // => 'yes'
 * (await backend.evaluateBatch([{ id: 'a', features: {} }], task)).length // => 1
 * ```
 */
export function defineBackend({ evaluate, evaluateBatch, ...settings }: BackendDefinition): Backend {
  if (typeof settings.name !== 'string' || settings.name === '' || typeof evaluate !== 'function')
    throw argumentError(
      `defineBackend${placeInUserCode()}: expected an object with name, a text, and evaluate, a function`,
      settings.name,
    );
  const one = async (record: VisibleRecord, task: Task, call?: CallRef) => {
    const answer: unknown = await evaluate(record, task, call);
    if (!isObject(answer)) throw noAnswer(settings.name, record.id, answer);
    return complete(answer as Answer, 'single');
  };
  return {
    ...settings,
    ...(evaluateBatch === undefined && { answersSingly: true }),
    evaluate: one,
    evaluateBatch: evaluateBatch
      ? async (records, task, call) => completeAll(await evaluateBatch(records, task, call))
      : mapBatch(one),
  };
}

function noAnswer(name: string, id: string, found: unknown): BackendError {
  return ownError(
    'programming_error',
    `backend ${name}: evaluate gave ${shown(found)} for the record ${id}; expected an object with prediction and abstained (is there a return?)`,
    {
      summary: `backend ${name}: evaluate gave no answer; expected an object with prediction and abstained (is there a return?)`,
    },
  );
}

/** What is no list of answers goes to the engine as it is, which asks again with fewer records. */
function completeAll(answers: readonly Answer[]): BackendResponse[] {
  if (!Array.isArray(answers)) return answers as never;
  return Array.from(answers, (answer) => (isObject(answer) ? complete(answer as Answer, 'batch') : answer));
}

/** An `evaluateBatch` that answers one record at a time. */
export function mapBatch(evaluate: Backend['evaluate']): Backend['evaluateBatch'] {
  return async (records, task, call) => {
    const responses: BackendResponse[] = [];
    for (const record of records) responses.push(await evaluate(record, task, call));
    return responses;
  };
}

/** Fills in the fields that an answer leaves out or gives as undefined. */
export function complete(answer: Answer, mode: 'single' | 'batch'): BackendResponse {
  return {
    ...answer,
    prediction: answer.prediction ?? null,
    confidence: answer.confidence ?? null,
    confidenceSource: answer.confidenceSource ?? 'stated',
    rawResponse: answer.rawResponse ?? null,
    prompt: readPrompt(answer.prompt),
    promptMode: answer.promptMode ?? mode,
    inputTokens: tokenCount(answer.inputTokens),
    outputTokens: tokenCount(answer.outputTokens),
    totalTokens: tokenCount(answer.totalTokens),
  };
}

/** A text, which plain JavaScript may give, is the message of the user. */
function readPrompt(prompt: unknown): BackendResponse['prompt'] {
  if (typeof prompt === 'string') return [{ role: 'user', content: prompt }];
  return Array.isArray(prompt) ? prompt : null;
}
