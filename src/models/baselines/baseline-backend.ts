import { KrisisError, type Label } from '../../core/index.ts';
import type { Task } from '../../suites/index.ts';
import type { Backend, BackendResponse, VisibleRecord } from '../backend.ts';

/** A baseline's answer to one record. `says` is a short text about what the rule did; it contains no patient data. */
interface BaselineAnswer {
  readonly prediction: Label | null;
  /** Default: false. */
  readonly abstained?: boolean;
  /** Default: null, the rule states no probability. */
  readonly confidence?: number;
  /** `calibrated` where the confidence was measured on the training part. Default: `stated`. */
  readonly confidenceSource?: BackendResponse['confidenceSource'];
  readonly says: string;
}

/** A baseline: a function of what a model would see, and of nothing else. */
export type BaselineRule = (record: VisibleRecord) => BaselineAnswer;

/**
 * A rule as a backend: no prompt, no tokens, batches answered record by record. It answers only the task it was made for: the labels
 * of another may mean something else.
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
        `baseline/${name} was made for ${madeFor.id} but was asked ${task.id}; create one with the suite of ${task.id}`,
        { value: task.id, code: 'ERR_BASELINE_NOT_APPLICABLE' },
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
