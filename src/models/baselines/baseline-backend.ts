import { KrisisError } from '../../core/index.ts';
import { asksUrgency, type Task } from '../../suites/index.ts';
import type { Backend, VisibleRecord } from '../backend.ts';
import { type Answer, defineBackend } from '../define-backend.ts';

/** A baseline's answer to one record. `says` is a short text about what the rule did; it contains no patient data. */
interface BaselineAnswer extends Pick<Answer, 'prediction' | 'confidence' | 'confidenceSource'> {
  /** Default: false. */
  readonly urgent?: boolean;
  /** Default: false. */
  readonly abstained?: boolean;
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
 * backend.name; // => 'baseline/yes-sayer'
 * (await backend.evaluate({ id: 'a', features: {} }, { id: 'demo/yes-no' })).prediction // => 'yes'
 * ```
 */
export function baselineBackend(name: string, madeFor: Pick<Task, 'id'>, rule: BaselineRule): Backend {
  return defineBackend({
    name: `baseline/${name}`,
    asksUrgency: true,
    evaluate(record, task) {
      if (task.id !== madeFor.id)
        throw new KrisisError(
          `baseline/${name} was made for ${madeFor.id} but was asked ${task.id}; create one with the suite of ${task.id}`,
          { value: task.id, code: 'ERR_BASELINE_NOT_APPLICABLE' },
        );
      const { says, abstained = false, urgent = false, ...answer } = rule(record);
      return { ...answer, abstained, ...(asksUrgency(task) && { urgent }), rawResponse: says };
    },
  });
}
