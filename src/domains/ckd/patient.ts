import type { Context } from './case.ts';
import type { CohortVisit } from './cohort/cohort-patient.ts';
import type { TrajectoryPoint } from './cohort/true-course.ts';
import type { Sex } from './equations/ckd-epi.ts';
import type { UciClass, UciFeature, UciValue } from './source/columns.ts';

/** Where a patient comes from. Real and synthetic ones are never pooled in silence. */
type Origin = 'uci' | 'uci_synthetic' | 'cohort';

/** One patient, whatever the source: what was measured, and what is known for scoring only. */
export interface CkdPatient {
  /** Identifies the patient in the source. */
  readonly sourceId: string;
  readonly origin: Origin;
  readonly age: number | null;
  readonly sex: Sex;
  /** True when the source has no sex and it was drawn, independent of every measured value. */
  readonly sexAssumed: boolean;
  /** As measured; null is not measured. */
  readonly values: Readonly<Record<UciFeature, UciValue>>;
  /** Undefined where the source does not have it at all. */
  readonly acr?: number | null;
  readonly context?: Context | null;
  /** Shown as the clinical context where that is null, and of no consequence. Default: none. */
  readonly remark?: string | null;
  readonly visits?: readonly CohortVisit[];
  /** Values that an imputer put where nothing was measured. Never creatinine, age or ACR. */
  readonly imputed: Readonly<Partial<Record<UciFeature, UciValue>>>;
  readonly uciClass?: UciClass;
  readonly trueTrajectory?: readonly TrajectoryPoint[];
}
