import { type DeferralReasons, reasonsToGive } from '../core/deferral-reasons.ts';
import type { Label } from '../core/label.ts';
import type { PatientRecord, Stratum } from '../core/patient-record.ts';
import { strictObject } from '../core/text-request.ts';

export type Features = PatientRecord['features'];

/** One way of putting the question. Arms share the records: what differs is what is said, and what derived lines are added. */
interface TaskArm {
  /** The text that the model gets besides the case itself. */
  readonly instructions: string;
  /** Lines added to the features in this arm, worked out from nothing but the features. */
  readonly show?: (features: Features) => Features;
  /** Whether an answer is required: the reply then has no room for abstaining. Default: false. */
  readonly isForced?: boolean;
}

/** The published rules of a task, as functions of the features alone. They are baselines, and the measure of what the features support. */
export interface Guideline {
  /** Always answers; null where the rule has nothing to go on. */
  readonly answer: (features: Features) => Label | null;
  /** What the baseline `guideline` answers where that is a plainer reading than `answer`, e.g. the mean of all visits. Default: `answer`. */
  readonly plainAnswer?: (features: Features) => Label | null;
  /** Whether the features call for deferring. */
  readonly shouldDefer: (features: Features) => boolean;
}

/** What one number decides, named before anybody looks. */
export interface PrimaryEndpoint {
  readonly metric: string;
  readonly arm: string;
  readonly why: string;
}

/** What is asked of a model whose answer is a label: label space, instructions by arm, and how it is scored. */
export interface Task {
  /** Default: `labels`. */
  readonly kind?: 'labels';
  /** `<domain>/<task>`, e.g. `sepsis/triage`. */
  readonly id: string;
  /** The closed set of answers; in their order from mild to severe where `ordered` is true. */
  readonly labels: readonly Label[];
  /** Multiple choice: the labels among which a record lets one choose. Default: all, and no chance level is given. */
  readonly choices?: (features: Features) => readonly Label[];
  /** Which label means that the condition is there; binary tasks only. */
  readonly positiveLabel?: Label;
  /** True when `labels` go from mild to grave. */
  readonly ordered: boolean;
  /** The ways in which the question can be put, by name. */
  readonly arms: Readonly<Record<string, TaskArm>>;
  /** The arm that is used when none is chosen. */
  readonly defaultArm: string;
  /** The reasons to defer that its records name, each with the general reason that a model may give instead. Default: none are known. */
  readonly deferralReasons?: DeferralReasons;
  /** Metrics beside the default bundle. */
  readonly pack?: 'detection' | 'staging' | 'progression';
  /**
   * True where the label is a function of the values shown, so that a must-defer row with a label lies near a decision line. Scores then include
   * the reading accuracy of such rows. Default: false.
   */
  readonly labelFromValues?: boolean;
  /** What scores are broken down by: a metadata key of the records. */
  readonly stratum?: Stratum;
  /** The score that decides, named in advance. */
  readonly primaryEndpoint: PrimaryEndpoint;
  /** Whether the model is asked if a case is urgent. Default: where `isEmergency` is given. */
  readonly asksUrgency?: boolean;
  /** The labels whose choice means to act today, as in triage. Urgency is then not asked for. Default: none. */
  readonly actLabels?: readonly Label[];
  /** The published rule, for the guideline baselines. Default: none. */
  readonly guideline?: Guideline;
  /** Whether something shown needs action today, by the rule behind the records' `must_act: true`. Default: no rule is known. */
  readonly isEmergency?: (features: Features) => boolean;
  /** The same without reasoning, for the baseline one-look: defers on any remark or missing critical value, and otherwise answers by one raw cut. Default: none. */
  readonly oneLook?: Guideline;
}

/** What is asked of a model that answers in free text, which a judge then reads. */
export interface TextTask {
  readonly kind: 'text';
  /** The name of the suite. */
  readonly id: string;
  readonly arms: { readonly open: TaskArm };
  /** What the user's message says, with `{{question}}` where the question goes. Default: the question alone. */
  readonly template?: string;
  readonly defaultArm: 'open';
  /** Any text may be answered, so there is nothing to stratify by, and no reason to defer is declared. */
  readonly labels: readonly [];
  readonly stratum?: undefined;
  readonly deferralReasons?: undefined;
  /** Free text has no metric of its own; the traits of the rubric are scored. */
  readonly primaryEndpoint: null;
}

/** A task with labels or with free text. */
export type AnyTask = Task | TextTask;

/** What a reply is asked to hold depends on the labels, on urgency, and on the reasons that the arm gives for deferring. */
export type ReplyTask = Pick<Task, 'labels'> &
  Partial<
    Pick<Task, 'arms' | 'defaultArm' | 'deferralReasons' | 'asksUrgency' | 'isEmergency' | 'actLabels'>
  >;

/** Whether a reply has no room for abstaining. */
export function isForced({ arms, defaultArm }: Partial<Pick<Task, 'arms' | 'defaultArm'>>): boolean {
  return defaultArm !== undefined && arms?.[defaultArm]?.isForced === true;
}

/** Whether a reply is asked to say if the case is urgent: never where the answer itself says so. */
export function asksUrgency({
  asksUrgency: asks,
  isEmergency,
  actLabels,
}: Pick<ReplyTask, 'asksUrgency' | 'isEmergency' | 'actLabels'>): boolean {
  return actLabels === undefined && (asks ?? isEmergency !== undefined);
}

/** How a reply is asked for. */
export interface ReplyForm {
  /** Whether the reply has room for reasoning before the answer and for a reason for deferring after it. Default: true. */
  readonly reasoning?: boolean;
}

/**
 * The JSON schema of a single reply: short reasoning first, then whether the case is urgent where that is asked, whether the model abstains, the answer as one of the labels, its confidence, and why it abstains. Labels are text, and
 * null is an alternative of its own: the form that every provider's structured output takes (one of them knows no numbers in an enum, another no null).
 *
 * @example
 * ```ts
 * const { properties } = responseSchema({ labels: ['present', 'absent'] });
 * Object.keys(properties) // => ['reasoning', 'abstained', 'prediction', 'confidence', 'reason']
 * properties.prediction.anyOf[0] // => { type: 'string', enum: ['present', 'absent'] }
 * ```
 */
export function responseSchema(task: ReplyTask, form: ReplyForm = {}) {
  return strictObject(answerProperties(task, form));
}

/**
 * The JSON schema of a batch reply: the answers in a list, each with the id of its case.
 *
 * @example
 * ```ts
 * const schema = batchResponseSchema({ labels: ['present', 'absent'] }, { reasoning: false });
 * Object.keys(schema.properties.results.items.properties) // => ['id', 'prediction', 'abstained', 'confidence']
 * ```
 */
export function batchResponseSchema(task: ReplyTask, form: ReplyForm = {}) {
  const answer = strictObject({ id: { type: 'string' as const }, ...answerProperties(task, form) });
  return strictObject({ results: { type: 'array' as const, items: answer } });
}

function answerProperties(task: ReplyTask, { reasoning = true }: ReplyForm) {
  const label = { type: 'string' as const, enum: task.labels.map(String) };
  const prediction = orNull(label);
  const abstained = { type: 'boolean' as const };
  const confidence = orNull({ type: 'number' as const });
  const urgency = asksUrgency(task) && { urgent: { type: 'boolean' as const } };
  if (isForced(task))
    return {
      ...(reasoning && { reasoning: orNull({ type: 'string' as const }) }),
      ...urgency,
      prediction: label,
      confidence,
    };
  // The order is part of the prompt: what is written first can lead what follows.
  if (!reasoning) return { ...urgency, prediction, abstained, confidence };
  return {
    reasoning: orNull({ type: 'string' as const }),
    ...urgency,
    abstained,
    prediction,
    confidence,
    reason: orNull({ type: 'string' as const, enum: [...reasonsToGive(task)] }),
  };
}

function orNull<T extends object>(schema: T) {
  return { anyOf: [schema, { type: 'null' as const }] as const };
}
