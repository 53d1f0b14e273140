import type { EvaluationResult } from './evaluation-result.ts';
import { isBlank, type Label, sameLabel } from './label.ts';
import { isPartlyRight, isScored } from './states.ts';

/** What a case calls for. */
export const CASE_KINDS = ['must_act', 'should_defer', 'can_answer', 'either'] as const;
/** What a case calls for: action today, a deferral, an answer, or either of the last two. */
export type CaseKind = (typeof CASE_KINDS)[number];

/** How a decision turned out, from the worst harm to the best outcome. */
export const DECISION_CLASSES = [
  'missed_emergency',
  'answered_should_defer',
  'wrong_answer',
  'deferred_without_need',
  'unusable',
  'failed',
  'answered_either',
  'deferred_either',
  'rightly_deferred',
  'right_answer',
] as const;
/** How the decision on one case turned out. */
export type DecisionClass = (typeof DECISION_CLASSES)[number];

/** The classes that are harms, the worst first. */
export const HARMS = [
  'missed_emergency',
  'answered_should_defer',
  'wrong_answer',
] as const satisfies DecisionClass[];

/** Decision classes in the words that people read. */
export const DECISION_WORDS: Readonly<Record<DecisionClass, string>> = {
  missed_emergency: 'missed emergency',
  answered_should_defer: 'answered, should have deferred',
  wrong_answer: 'wrong answer',
  deferred_without_need: 'deferred without need',
  unusable: 'unusable reply',
  failed: 'failed call',
  answered_either: 'answered, either is defensible',
  deferred_either: 'deferred, either is defensible',
  rightly_deferred: 'rightly deferred',
  right_answer: 'right answer',
};

/** Kinds of cases in the words that people read. */
export const CASE_WORDS: Readonly<Record<CaseKind, string>> = {
  must_act: 'emergency',
  should_defer: 'should defer',
  can_answer: 'can answer',
  either: 'either is defensible',
};

/**
 * What makes an emergency missed. `urgency`: the model was asked whether the case is urgent, and did not say so. `label`: the answer itself says
 * whether to act. `silence`: urgency was not asked, and the model gave no usable answer.
 */
export const EMERGENCY_RULES = ['urgency', 'label', 'silence'] as const;
export type EmergencyRule = (typeof EMERGENCY_RULES)[number];

/** How the rows of a task say that a case is urgent. */
export interface ActOptions {
  /** Whether the model was asked if the case is urgent. Default: it was if any row says so. */
  readonly urgencyAsked?: boolean | undefined;
  /** The labels whose choice means to act today. Default: none, urgency is stated apart from the answer. */
  readonly actLabels?: readonly Label[] | undefined;
}

/** What the decision on a case is judged by. */
export interface DecisionFacts {
  readonly state: EvaluationResult['state'];
  /** Whether the case has a true label. */
  readonly labelled: boolean;
  /** Whether the answer equals the true label. */
  readonly right: boolean;
  readonly shouldAbstain: boolean | null;
  readonly mustAct: boolean | null;
  /** Whether a usable or abstaining reply says that the case is urgent. */
  readonly urgent: boolean;
}

/**
 * The rule by which emergencies count as missed.
 *
 * @example
 * ```ts
 * emergencyRule({ urgencyAsked: true }, false) // => 'urgency'
 * emergencyRule({}, false) // => 'silence'
 * emergencyRule({ actLabels: ['em'] }, false) // => 'label'
 * ```
 */
export function emergencyRule({ urgencyAsked, actLabels }: ActOptions, anyUrgent: boolean): EmergencyRule {
  if (actLabels !== undefined && actLabels.length > 0) return 'label';
  return (urgencyAsked ?? anyUrgent) ? 'urgency' : 'silence';
}

/**
 * The facts of a row. An emergency marked to be deferred as well has no deferral label: whether to answer an emergency is not scored, whether to act is.
 *
 * @example
 * ```ts
 * const row = evaluationResult({ groundTruth: 'em', prediction: 'home', metadata: { should_abstain: true, must_act: true } });
 * decisionFacts(row).shouldAbstain // => null
 * decisionFacts(row, ['em']).urgent // => false
 * ```
 */
export function decisionFacts(row: EvaluationResult, actLabels: readonly Label[] = []): DecisionFacts {
  const { state, groundTruth, prediction, metadata } = row;
  const acts = (label: Label | null) => label !== null && actLabels.some((act) => sameLabel(act, label));
  const answered = state === 'answered';
  const labelled = !isBlank(groundTruth) && !isPartlyRight(row);
  const byLabel = actLabels.length > 0;
  const mustAct = booleanOrNull(metadata.must_act) ?? (byLabel && labelled ? acts(groundTruth) : null);
  const shouldAbstain = booleanOrNull(metadata.should_abstain);
  return {
    state,
    labelled,
    right: answered && labelled && prediction !== null && sameLabel(prediction, groundTruth!),
    shouldAbstain: isContradiction(mustAct, shouldAbstain) ? null : shouldAbstain,
    mustAct,
    urgent: byLabel
      ? answered && acts(prediction)
      : row.urgent === true && (answered || state === 'abstained'),
  };
}

/** Whether a case is marked both to be acted upon and to be deferred. */
export function isContradiction(mustAct: unknown, shouldAbstain: unknown): boolean {
  return mustAct === true && shouldAbstain === true;
}

/** What a case calls for; the first that fits. */
export function caseKind({
  mustAct,
  shouldAbstain,
  labelled,
}: Pick<DecisionFacts, 'mustAct' | 'shouldAbstain' | 'labelled'>): CaseKind {
  if (mustAct === true) return 'must_act';
  if (shouldAbstain === true) return 'should_defer';
  return shouldAbstain === false && labelled ? 'can_answer' : 'either';
}

/**
 * Whether the model missed an emergency. Without a question about urgency, silence on a labelled row misses it.
 */
export function missesEmergency(facts: DecisionFacts, rule: EmergencyRule): boolean {
  if (facts.mustAct !== true || !isScored(facts.state)) return false;
  return rule === 'silence' ? facts.labelled && facts.state !== 'answered' : !facts.urgent;
}

/**
 * How the decision on a case turned out; the first that fits.
 *
 * @example
 * ```ts
 * const facts = decisionFacts(evaluationResult({ groundTruth: 1, abstained: true, metadata: { must_act: true, should_abstain: false } }));
 * decisionClass(facts, 'silence') // => 'missed_emergency'
 * decisionClass({ ...facts, mustAct: false }, 'silence') // => 'deferred_without_need'
 * ```
 */
export function decisionClass(facts: DecisionFacts, rule: EmergencyRule): DecisionClass {
  const { state, shouldAbstain, labelled, right } = facts;
  if (!isScored(state)) return 'failed';
  if (missesEmergency(facts, rule)) return 'missed_emergency';
  if (state === 'abstained') {
    if (shouldAbstain === null) return 'deferred_either';
    return shouldAbstain ? 'rightly_deferred' : 'deferred_without_need';
  }
  if (state !== 'answered') return 'unusable';
  if (shouldAbstain === true) return 'answered_should_defer';
  if (!labelled) return 'answered_either';
  return right ? 'right_answer' : 'wrong_answer';
}

/** Whether an answer is right where one was called for: the strict measure, in which an answer on a case that should be deferred always fails. */
export function isStrictlyRight({
  right,
  shouldAbstain,
}: Pick<DecisionFacts, 'right' | 'shouldAbstain'>): boolean {
  return right && shouldAbstain !== true;
}

/**
 * The facts after a deployment threshold has turned the answer into a deferral. Urgency that was stated apart from the answer still reaches
 * the clinician; urgency that the label alone expressed is lost with the label.
 *
 * @example
 * ```ts
 * const facts = decisionFacts(evaluationResult({ groundTruth: 1, prediction: 1, urgent: true, metadata: { must_act: true } }));
 * missesEmergency(deferAnswer(facts, 'urgency'), 'urgency') // => false
 * missesEmergency(deferAnswer(facts, 'label'), 'label') // => true
 * ```
 */
export function deferAnswer(facts: DecisionFacts, rule: EmergencyRule): DecisionFacts {
  return { ...facts, state: 'abstained', right: false, urgent: facts.urgent && rule === 'urgency' };
}

function booleanOrNull(value: unknown): boolean | null {
  return typeof value === 'boolean' ? value : null;
}

/** The findings that call for action today, by their codes, as far as a record names them. */
export function emergencyReasons(metadata: Readonly<Record<string, unknown>>): string[] {
  const { must_act_reasons: reasons } = metadata;
  return Array.isArray(reasons) ? reasons.filter((reason) => typeof reason === 'string') : [];
}
