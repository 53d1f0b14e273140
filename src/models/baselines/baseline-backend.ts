import { KrisisError, type Label } from '../../core/index.ts';
import type { Task } from '../../suites/index.ts';
import type { Backend, BackendResponse, VisibleRecord } from '../backend.ts';

/** What a baseline makes of one record. `says` is a short text of what the rule did; it never holds patient data. */
interface BaselineAnswer {
  readonly prediction: Label | null;
  /** False unless said. */
  readonly abstained?: boolean;
  /** Null unless given: a rule that states no probability has none. */
  readonly confidence?: number;
  /** `calibrated` where the confidence was measured on the training part; `stated` unless said. */
  readonly confidenceSource?: BackendResponse['confidenceSource'];
  readonly says: string;
}

/** A baseline is a function of what a model would see, and of nothing else. */
export type BaselineRule = (record: VisibleRecord) => BaselineAnswer;

/**
 * A rule as a backend: no prompt, no tokens, and a batch is its records one by one. It answers the task it was made for and
 * refuses another, whose labels may mean something else.
 *
 * @example
 * ```ts
 * const backend = baselineBackend('yes-sayer', { id: 'demo/yes-no' }, () => ({ prediction: 'yes', says: 'always yes' }));
 * backend.name // => 'baseline/yes-sayer'
 * (await backend.evaluate({ id: 'a', features: {} }, { id: 'demo/yes-no' })).prediction // => 'yes'
 * ```
 */
export function baselineBackend(name: string, madeFor: Pick<Task, 'id'>, rule: BaselineRule): Backend {
  const respond = (
    record: VisibleRecord,
    task: Pick<Task, 'id'>,
    promptMode: BackendResponse['promptMode'],
  ): BackendResponse => {
    if (task.id !== madeFor.id) {
      throw new KrisisError(
        `baseline/${name} was made for ${madeFor.id} and is asked ${task.id}; create one with the suite of ${task.id}`,
        { value: task.id },
      );
    }
    const {
      prediction,
      abstained = false,
      confidence = null,
      confidenceSource = 'stated',
      says,
    } = rule(record);
    return {
      prediction,
      abstained,
      confidence,
      confidenceSource,
      rawResponse: says,
      prompt: null,
      promptMode,
      inputTokens: null,
      outputTokens: null,
      totalTokens: null,
    };
  };
  return {
    name: `baseline/${name}`,
    evaluate: async (record, task) => respond(record, task, 'single'),
    evaluateBatch: async (records, task) => records.map((record) => respond(record, task, 'batch')),
  };
}
