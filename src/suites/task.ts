import type { Label } from '../records/label.ts';
import type { PatientRecord } from '../records/patient-record.ts';

export type Features = PatientRecord['features'];

/** One way of putting the question. Arms share the records: what differs is what is said, and what derived lines are added. */
export interface TaskArm {
  /** What the model is told besides the case itself. */
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

/** What is asked of a model: label space, instructions by arm, and how it is scored. */
export interface Task {
  /** `<domain>/<task>`, e.g. `ckd/staging`. */
  readonly id: string;
  readonly labels: readonly Label[];
  /** Which label means that the condition is there; binary tasks only. */
  readonly positiveLabel?: Label;
  /** True when `labels` go from mild to grave. */
  readonly ordered: boolean;
  readonly arms: Readonly<Record<string, TaskArm>>;
  readonly defaultArm: string;
  /** Metrics beside the default bundle. */
  readonly pack?: 'detection' | 'staging' | 'progression';
  readonly primaryEndpoint: PrimaryEndpoint;
  readonly guideline?: Guideline;
}

/**
 * The JSON schema of a single reply: the answer as one of the labels, whether the model abstains, and its confidence.
 *
 * @example
 * ```ts
 * responseSchema({ labels: ['present', 'absent'] }).properties.prediction // => { enum: ['present', 'absent', null] }
 * ```
 */
export function responseSchema({ labels }: Pick<Task, 'labels'>) {
  return {
    type: 'object' as const,
    properties: {
      prediction: { enum: [...labels, null] },
      abstained: { type: 'boolean' as const },
      confidence: { type: ['number', 'null'] as const, minimum: 0, maximum: 1 },
    },
    required: ['prediction', 'abstained', 'confidence'] as const,
    additionalProperties: false as const,
  };
}
