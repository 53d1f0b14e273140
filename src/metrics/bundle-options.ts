import type { Label } from '../core/label.ts';
import type { DeferralCosts } from './deferral/deferral-metrics.ts';

export const TASK_NAMES = ['detection', 'staging', 'progression'] as const;
/** The tasks that have metrics of their own. */
export type TaskName = (typeof TASK_NAMES)[number];

/** What a bundle of metrics depends on. */
export interface BundleOptions {
  /** Adds the metrics of a task. Default: none. */
  readonly task?: TaskName | undefined;
  /** The label that means the condition is present. Default: none, and detection metrics are null. */
  readonly positiveLabel?: Label | undefined;
  /** The ordered scale of a staging task, from mild to grave. */
  readonly labels?: readonly Label[] | undefined;
  /** The labels of the task, in any order. Default: `labels`; without these, the labels that rows have. */
  readonly taskLabels?: readonly Label[] | undefined;
  /** Adds the reading accuracy of must-defer rows near a line: for tasks whose label is a function of the values shown. Default: not added. */
  readonly labelFromValues?: boolean | undefined;
  /** Adds PPV and NPV at this prevalence. Default: not added. */
  readonly targetPrevalence?: number | undefined;
  /** What missed and needless deferrals cost. Default: 5 and 1. */
  readonly deferralCosts?: DeferralCosts | undefined;
}
