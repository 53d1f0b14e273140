import type { Label } from '../core/index.ts';
import type { DeferralCosts } from './deferral/deferral-cost.ts';

export const TASK_NAMES = ['detection', 'staging', 'progression'] as const;
export type TaskName = (typeof TASK_NAMES)[number];

/** What a bundle of metrics is made for. */
export interface BundleOptions {
  /** Adds the pack of a task. */
  readonly task?: TaskName | undefined;
  /** Which label means that the condition is there: detection metrics are null without it. */
  readonly positiveLabel?: Label | undefined;
  /** The ordered scale of a staging task, from mild to grave. */
  readonly labels?: readonly Label[] | undefined;
  /** PPV and NPV are also given for this prevalence. */
  readonly targetPrevalence?: number | undefined;
  readonly deferralCosts?: DeferralCosts | undefined;
}
