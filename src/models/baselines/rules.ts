import { createHash } from 'node:crypto';
import { argumentError, KrisisError } from '../../core/errors.ts';
import { createRandom } from '../../statistics/random.ts';
import type { Features, Guideline, Task } from '../../suites/task.ts';
import type { VisibleRecord } from '../backend.ts';
import type { Answer } from '../define-backend.ts';
import type { TrainingRow } from './training-rows.ts';

/** A baseline: a function of what a model would see, and of nothing else. `rawResponse` says what the rule did; it contains no patient data. */
export type BaselineRule = (record: VisibleRecord) => Answer;

/**
 * Always answers the most frequent label of the training part, with that label's share there as confidence. Ties go to the first label
 * in the task's order. A model that does not beat it has learned nothing from the features.
 *
 * @example
 * ```ts
 * const rule = majority({ labels: ['yes', 'no'] }, [{ label: 1 }, { label: 1 }, { label: 0 }, { label: 1 }]);
 * const { prediction, confidence } = rule({ id: 'a', features: {} });
 * [prediction, confidence] // => ['no', 0.75]
 * ```
 */
export function majority(
  { labels }: Pick<Task, 'labels'>,
  training: readonly Pick<TrainingRow, 'label'>[],
): BaselineRule {
  const counts = labels.map((_, place) => training.filter(({ label }) => label === place).length);
  const most = Math.max(...counts);
  const prediction = labels[counts.indexOf(most)]!;
  return () => ({
    prediction,
    abstained: false,
    confidence: most / training.length,
    confidenceSource: 'calibrated',
    rawResponse: `majority: ${prediction}, the label of ${most} of ${training.length} training rows`,
  });
}

/**
 * Answers each of the k labels with probability 1/k, which is also the confidence it states.
 *
 * The label of a record follows from the seed and the record's id (through SHA-256) and from nothing else, so that neither the
 * order of calls, nor batches, nor a resumed run can change it.
 *
 * @example
 * ```ts
 * const rule = randomLabel({ labels: ['yes', 'no', 'unclear', 'other'] }, 42);
 * rule({ id: 'a', features: {} }).confidence // => 0.25
 * rule({ id: 'a', features: {} }).prediction === rule({ id: 'a', features: { age: 61 } }).prediction // => true
 * ```
 */
export function randomLabel(
  { labels: all, choices }: Pick<Task, 'labels' | 'choices'>,
  seed: number,
): BaselineRule {
  if (!Number.isInteger(seed)) {
    throw argumentError(`seed is ${seed}; expected a whole number`, seed);
  }
  return ({ id, features }) => {
    const labels = choices?.(features) ?? all;
    const digest = createHash('sha256').update(`${seed}\n${id}`).digest();
    const prediction = labels[createRandom(digest.readUInt32LE(0), 'randomLabel').integer(labels.length)]!;
    return {
      prediction,
      abstained: false,
      confidence: 1 / labels.length,
      rawResponse: `random (seed ${seed}): ${prediction}, one of ${labels.length} labels`,
    };
  };
}

/**
 * Always answers the label in this place among those that a record lets one choose, 0 for the first: what a multiple-choice set gives to a position.
 *
 * @example
 * ```ts
 * const rule = labelAt({ labels: ['A', 'B'] }, 0);
 * rule({ id: 'a', features: {} }).prediction // => 'A'
 * ```
 */
export function labelAt({ labels, choices }: Pick<Task, 'labels' | 'choices'>, place: number): BaselineRule {
  return ({ features }) => {
    const prediction = (choices?.(features) ?? labels)[place]!;
    return { prediction, abstained: false, confidence: null, rawResponse: `always ${prediction}` };
  };
}

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
export function guidelineRule(task: Pick<Task, 'id' | 'guideline' | 'isEmergency'>): BaselineRule {
  const { answer, plainAnswer = answer } = expectGuideline(task);
  return ({ features }) => {
    const prediction = plainAnswer(features);
    const rawResponse = `guideline: ${prediction ?? 'defers, the rule has nothing to go on'}`;
    return { prediction, abstained: prediction === null, ...readUrgency(task, features), rawResponse };
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
export function guidelineWithDeferral(task: Pick<Task, 'id' | 'guideline' | 'isEmergency'>): BaselineRule {
  const rule = deferringRule('guideline', expectGuideline(task));
  return (record) => ({ ...rule(record), ...readUrgency(task, record.features) });
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
  throw missingRule(id, 'rule of one look', 'baseline one-look needs task.oneLook');
}

function deferringRule(name: string, { answer, shouldDefer }: Guideline): BaselineRule {
  const defer = (why: string) => ({
    prediction: null,
    abstained: true,
    rawResponse: `${name}: defers, ${why}`,
  });
  return ({ features }) => {
    if (shouldDefer(features)) return defer('the features call for it');
    const prediction = answer(features);
    if (prediction === null) return defer('the rule has nothing to go on');
    return { prediction, abstained: false, rawResponse: `${name}: ${prediction}` };
  };
}

/** The rule of the suite for what must be acted upon, on what is shown. */
function readUrgency({ isEmergency }: Pick<Task, 'isEmergency'>, features: Features): { urgent?: boolean } {
  return isEmergency === undefined ? {} : { urgent: isEmergency(features) };
}

function expectGuideline({ id, guideline }: Pick<Task, 'id' | 'guideline'>): Guideline {
  if (guideline) return guideline;
  throw missingRule(id, 'guideline', 'baselines guideline and guideline-defer need task.guideline');
}

function missingRule(id: string, what: string, need: string): KrisisError {
  return new KrisisError(
    `task ${id} has no ${what}; the ${need} with answer and shouldDefer, which a suite in TypeScript can have (defineSuite); baseline/majority and baseline/logistic learn from training rows, baseline/random and baseline/always-defer need nothing`,
    { value: id, code: 'ERR_BASELINE_NOT_APPLICABLE' },
  );
}
