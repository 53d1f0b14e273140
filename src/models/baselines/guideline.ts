import { KrisisError } from '../../core/index.ts';
import type { Features, Guideline, Task } from '../../suites/index.ts';
import type { BaselineRule } from './baseline-backend.ts';

const NEED_NO_RULE =
  'baseline/majority and baseline/logistic learn from training rows, baseline/random and baseline/always-defer need nothing';

type GuidedTask = Pick<Task, 'id' | 'guideline' | 'isEmergency'>;

/**
 * The published rule, applied to the features of every record. It answers wherever the rule gives an answer, also where the features call for deferring, and abstains where the rule cannot be applied. It states no
 * confidence, because a rule states none.
 *
 * @example
 * ```ts
 * const task = { id: 'demo/fever', guideline: { answer: ({ t }) => (t === null ? null : t >= 38 ? 'yes' : 'no'), shouldDefer: ({ t }) => t === 38 } };
 * guidelineRule(task)({ id: 'a', features: { t: 38 } }).prediction // => 'yes'
 * const { prediction, abstained } = guidelineRule(task)({ id: 'a', features: { t: null } });
 * [prediction, abstained] // => [null, true]
 * ```
 */
export function guidelineRule(task: GuidedTask): BaselineRule {
  const { answer, plainAnswer = answer } = guidelineOf(task);
  return ({ features }) => {
    const prediction = plainAnswer(features);
    const says = `guideline: ${prediction ?? 'abstains, the rule has nothing to go on'}`;
    return { prediction, abstained: prediction === null, ...urgency(task, features), says };
  };
}

/**
 * The published rule with deferral: it abstains where the features call for it or the rule has nothing to go on, and answers otherwise.
 * It is what a careful reader of the features can reach, not the hidden truth.
 *
 * @example
 * ```ts
 * const task = { id: 'demo/fever', guideline: { answer: ({ t }) => (t === null ? null : t >= 38 ? 'yes' : 'no'), shouldDefer: ({ t }) => t === 38 } };
 * guidelineWithDeferral(task)({ id: 'a', features: { t: 38 } }).abstained // => true
 * guidelineWithDeferral(task)({ id: 'a', features: { t: null } }).abstained // => true
 * guidelineWithDeferral(task)({ id: 'a', features: { t: 39 } }).prediction // => 'yes'
 * ```
 */
export function guidelineWithDeferral(task: GuidedTask): BaselineRule {
  const rule = deferringRule('guideline', guidelineOf(task));
  return (record) => ({ ...rule(record), ...urgency(task, record.features) });
}

/**
 * What deferral without reasoning earns: the task's rule of one look, which defers on any remark or missing critical value and otherwise answers by a raw cut.
 *
 * @example
 * ```ts
 * const task = { id: 'demo/fever', oneLook: { answer: ({ t }) => (t >= 38 ? 'yes' : 'no'), shouldDefer: ({ note }) => note !== undefined } };
 * oneLookRule(task)({ id: 'a', features: { t: 39, note: 'left-handed' } }).abstained // => true
 * oneLookRule(task)({ id: 'a', features: { t: 39 } }).prediction // => 'yes'
 * ```
 */
export function oneLookRule({ id, oneLook }: Pick<Task, 'id' | 'oneLook'>): BaselineRule {
  if (oneLook) return deferringRule('one look', oneLook);
  throw new KrisisError(
    `task ${id} has no rule of one look; the baseline one-look needs task.oneLook with answer and shouldDefer, which a suite in TypeScript can have (defineSuite); ${NEED_NO_RULE}`,
    { value: id, code: 'ERR_BASELINE_NOT_APPLICABLE' },
  );
}

function deferringRule(name: string, { answer, shouldDefer }: Guideline): BaselineRule {
  const defer = (why: string) => ({ prediction: null, abstained: true, says: `${name}: defers, ${why}` });
  return ({ features }) => {
    if (shouldDefer(features)) return defer('the features call for it');
    const prediction = answer(features);
    if (prediction === null) return defer('the rule has nothing to go on');
    return { prediction, says: `${name}: ${prediction}` };
  };
}

/** The rule of the suite for what must be acted upon, on what is shown. */
function urgency({ isEmergency }: GuidedTask, features: Features): { urgent?: boolean } {
  return isEmergency === undefined ? {} : { urgent: isEmergency(features) };
}

function guidelineOf({ id, guideline }: GuidedTask): Guideline {
  if (guideline) return guideline;
  throw new KrisisError(
    `task ${id} has no guideline; the baselines guideline and guideline-defer need task.guideline with answer and shouldDefer, which a suite in TypeScript can have (defineSuite); ${NEED_NO_RULE}`,
    { value: id, code: 'ERR_BASELINE_NOT_APPLICABLE' },
  );
}
