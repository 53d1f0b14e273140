import { didYouMean, KrisisError } from '../../core/index.ts';
import type { Suite } from '../../suites/index.ts';
import type { Backend } from '../backend.ts';
import { alwaysDefer } from './always-defer.ts';
import { type BaselineRule, baselineBackend } from './baseline-backend.ts';
import { guidelineRule, guidelineWithDeferral, oneLookRule } from './guideline.ts';
import { logistic } from './logistic/logistic.ts';
import { majority } from './majority.ts';
import { randomLabel } from './random-label.ts';
import { trainingRows } from './training-rows.ts';

export interface BaselineOptions {
  /** The seed of `random`; the other baselines draw nothing. Default: 42. */
  readonly seed?: number;
}

type RuleMaker = (suite: Suite, seed: number) => BaselineRule | Promise<BaselineRule>;

const RULES: Readonly<Record<string, RuleMaker>> = {
  majority: async (suite) => majority(suite.task, await trainingRows(suite)),
  random: ({ task }, seed) => randomLabel(task, seed),
  'always-defer': () => alwaysDefer(),
  guideline: ({ task }) => guidelineRule(task),
  'guideline-defer': ({ task }) => guidelineWithDeferral(task),
  'one-look': ({ task }) => oneLookRule(task),
  logistic: async (suite) => logistic(suite.task, await trainingRows(suite)),
};

/**
 * The baselines that every suite is compared with. `majority` and `logistic` need a training part; `guideline`
 * (answers wherever the rule does) and `guideline-defer` need `task.guideline`, `one-look` needs `task.oneLook`; `random` and `always-defer` need nothing.
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
  { seed = 42 }: BaselineOptions = {},
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
