import { KrisisError } from '../../core/errors.ts';
import { didYouMean } from '../../core/near-names.ts';
import type { Suite } from '../../suites/suite.ts';
import { asksUrgency, type Task } from '../../suites/task.ts';
import type { Backend } from '../backend.ts';
import { defineBackend } from '../define-backend.ts';
import { logistic } from './logistic/logistic.ts';
import {
  type BaselineRule,
  guidelineRule,
  guidelineWithDeferral,
  labelAt,
  majority,
  oneLookRule,
  randomLabel,
} from './rules.ts';
import { trainingRows } from './training-rows.ts';

const RULES: Readonly<Record<string, (suite: Suite, seed: number) => BaselineRule | Promise<BaselineRule>>> =
  {
    majority: async (suite) => majority(suite.task, await trainingRows(suite)),
    random: ({ task }, seed) => randomLabel(task, seed),
    // Its deferral recall is 1 and its answer rate 0, so it shows how much a metric rewards caution alone.
    'always-defer': () => () => ({ prediction: null, abstained: true, rawResponse: 'always defers' }),
    guideline: ({ task }) => guidelineRule(task),
    'guideline-defer': ({ task }) => guidelineWithDeferral(task),
    'one-look': ({ task }) => oneLookRule(task),
    logistic: async (suite) => logistic(suite.task, await trainingRows(suite)),
    'always-first': ({ task }) => labelAt(task, 0),
  };

/**
 * The baselines that every suite is compared with. `majority` and `logistic` need a training part; `guideline`
 * (answers wherever the rule does) and `guideline-defer` need `task.guideline`, `one-look` needs `task.oneLook`; `random`, `always-first` and `always-defer` need nothing.
 */
export const BASELINES: readonly string[] = Object.keys(RULES);

/**
 * The named baseline for a suite, as a backend called `baseline/<name>`. It learns once, here, from the suite's training
 * part; the records to be evaluated are not loaded.
 *
 * @example
 * ```ts
 * const suite = { name: 'demo/yes-no', task: { id: 'demo/yes-no', labels: ['yes', 'no'] } };
 * const backend = await createBaseline('always-defer', suite);
 * backend.name; // => 'baseline/always-defer'
 * (await backend.evaluate({ id: 'a', features: { age: 61 } }, suite.task)).abstained // => true
 * ```
 */
export async function createBaseline(
  name: string,
  suite: Suite,
  /** The seed of `random`; the other baselines draw nothing. Default: 42. */
  { seed = 42 }: { readonly seed?: number } = {},
): Promise<Backend> {
  const rule = Object.hasOwn(RULES, name) ? RULES[name] : undefined;
  if (rule === undefined)
    throw new KrisisError(`no baseline "${name}"; ${didYouMean(name, BASELINES)}`, {
      value: name,
      code: 'ERR_MODEL_NOT_FOUND',
    });
  const backend = baselineBackend(name, suite.task, await rule(suite, seed));
  // Another seed is another run.
  return name === 'random' ? { ...backend, parameters: { seed } } : backend;
}

/**
 * A rule as a backend: no prompt, no tokens, batches answered record by record. It answers only the task it was made for: the labels
 * of another may mean something else.
 *
 * @example
 * ```ts
 * const backend = baselineBackend('yes-sayer', { id: 'demo/yes-no' }, () => ({ prediction: 'yes', abstained: false }));
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
      const { urgent = false, ...answer } = rule(record);
      return { ...answer, ...(asksUrgency(task) && { urgent }) };
    },
  });
}
