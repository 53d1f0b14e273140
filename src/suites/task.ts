import { type Label, type PatientRecord, type Stratum, strictObject } from '../core/index.ts';

export type Features = PatientRecord['features'];

/** One way of putting the question. Arms share the records: what differs is what is said, and what derived lines are added. */
export interface TaskArm {
  /** The text that the model gets besides the case itself. */
  readonly instructions: string;
  /** Lines added to the features in this arm, worked out from nothing but the features. */
  readonly show?: (features: Features) => Features;
}

/** The published rules of a task, as functions of the features alone. They are baselines, and the measure of what the features support. */
export interface Guideline {
  /** Always answers; null where the rule has nothing to go on. */
  readonly answer: (features: Features) => Label | null;
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
  /** Which label means that the condition is there; binary tasks only. */
  readonly positiveLabel?: Label;
  /** True when `labels` go from mild to grave. */
  readonly ordered: boolean;
  /** The ways in which the question can be put, by name. */
  readonly arms: Readonly<Record<string, TaskArm>>;
  /** The arm that is used when none is chosen. */
  readonly defaultArm: string;
  /** Metrics beside the default bundle. */
  readonly pack?: 'detection' | 'staging' | 'progression';
  /** What scores are broken down by: a metadata key of the records. */
  readonly stratum?: Stratum;
  /** The score that decides, named in advance. */
  readonly primaryEndpoint: PrimaryEndpoint;
  /** The published rule, for the guideline baselines. Default: none. */
  readonly guideline?: Guideline;
}

/** What is asked of a model that answers in free text, which a judge then reads. */
export interface TextTask {
  readonly kind: 'text';
  /** The name of the suite. */
  readonly id: string;
  readonly arms: { readonly open: TaskArm };
  readonly defaultArm: 'open';
  /** Free text has no metric of its own; the traits of the rubric are scored. */
  readonly primaryEndpoint: null;
}

/** A task with labels or with free text. */
export type AnyTask = Task | TextTask;

/**
 * The JSON schema of a single reply: the answer as one of the labels, whether the model abstains, and its confidence. Labels are text, and null is an alternative of its own: the form
 * that every provider's structured output takes (one of them knows no numbers in an enum, another no null).
 *
 * @example
 * ```ts
 * responseSchema({ labels: ['present', 'absent'] }).properties.prediction.anyOf[0] // => { type: 'string', enum: ['present', 'absent'] }
 * ```
 */
export function responseSchema({ labels }: Pick<Task, 'labels'>) {
  return strictObject(answerProperties(labels));
}

/**
 * The JSON schema of a batch reply: the answers in a list, each with the id of its case.
 *
 * @example
 * ```ts
 * Object.keys(batchResponseSchema({ labels: ['present', 'absent'] }).properties.results.items.properties) // => ['id', 'prediction', 'abstained', 'confidence']
 * ```
 */
export function batchResponseSchema({ labels }: Pick<Task, 'labels'>) {
  const answer = strictObject({ id: { type: 'string' as const }, ...answerProperties(labels) });
  return strictObject({ results: { type: 'array' as const, items: answer } });
}

function answerProperties(labels: Task['labels']) {
  const orNull = <T extends object>(schema: T) => ({ anyOf: [schema, { type: 'null' as const }] as const });
  return {
    prediction: orNull({ type: 'string' as const, enum: labels.map(String) }),
    abstained: { type: 'boolean' as const },
    confidence: orNull({ type: 'number' as const }),
  };
}
