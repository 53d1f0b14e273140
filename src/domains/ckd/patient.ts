import type { Context } from './case.ts';
import type { Group } from './cohort/groups.ts';
import type { Course, TrajectoryPoint } from './cohort/true-course.ts';
import type { Sex } from './equations/ckd-epi.ts';
import type { UciClass, UciFeature, UciValue } from './source/columns.ts';

/** One patient, whatever the source: what was measured, and what is known for scoring only. */
export interface CkdPatient {
  /** Identifies the patient in the source. */
  readonly sourceId: string;
  /** Where the patient comes from. Real and synthetic ones are never pooled in silence. */
  readonly origin: 'uci' | 'uci_synthetic' | 'cohort';
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

/** One generated patient: what was measured, and the truth it was measured from. */
export interface CohortPatient {
  /** Position in the cohort, from 0. */
  readonly index: number;
  readonly sex: Sex;
  /** Whole years at the index visit. Never missing. */
  readonly age: number;
  /** Why the patient was generated. Not a label: the measured values of a `ckd` patient can miss the definition. */
  readonly group: Group;
  /** What no reader of the record sees. */
  readonly truth: CohortTruth;
  /** The 24 columns of the UCI schema at the index visit, as reported; null is not measured. */
  readonly values: Readonly<Record<UciFeature, UciValue>>;
  /** Albumin-creatinine ratio at the index visit, mg/g; null is not measured. */
  readonly acr: number | null;
  /** Four to eight visits over one to five years, oldest first. The last one is the index visit. */
  readonly visits: readonly CohortVisit[];
  /** A state in which CKD-EPI cannot estimate GFR from creatinine (a child is one too: see `age`); null for none. */
  readonly context: Context | null;
  /** Something recorded beside a null `context` that has no bearing on kidney function; null for nothing. */
  readonly remark: string | null;
}

interface CohortTruth {
  /** At the index visit, mL/min/1.73 m2: the last value of the trajectory. */
  readonly gfr: number;
  /** At the index visit, mg/g. */
  readonly acr: number;
  /** At the index visit, mg/dL: what CKD-EPI 2021 (in children the bedside Schwartz equation) maps to `gfr`. */
  readonly creatinineMgDl: number;
  /** By how much `context` moves creatinine at the index visit away from that; usually 1. */
  readonly creatinineFactor: number;
  /** GFR at every visit, oldest first, without noise. */
  readonly trajectory: readonly TrajectoryPoint[];
  /** `trueCourse(trajectory)`: null in between the definitions. */
  readonly course: Course | null;
  /** Whether `gfr` and `acr` meet the KDIGO definition of CKD. */
  readonly ckd: boolean;
}

export interface CohortVisit {
  /** Year, month, day. */
  readonly date: string;
  readonly daysBeforeIndex: number;
  /** Whole years on that day. */
  readonly age: number;
  /** As measured; null at the index visit when `values.sc` is, and at others where it was not taken. */
  readonly creatinineMgDl: number | null;
  /** As measured; null at the index visit when `acr` is, and at others where it was not taken. */
  readonly acrMgPerG: number | null;
}
