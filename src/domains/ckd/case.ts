import type { Sex } from './equations/ckd-epi.ts';

/** States in which CKD-EPI cannot estimate GFR from creatinine, as the record words them. */
export const CONTEXTS = {
  pregnant: 'pregnant',
  dialysis: 'on maintenance haemodialysis',
  acuteKidneyInjury: 'acute illness, creatinine rising over the last days',
  extremeMuscleMass: 'muscle mass far from usual (body building or severe wasting)',
  amputation: 'amputation of both legs above the knee',
} as const;
export type Context = keyof typeof CONTEXTS;

/** One dated measurement. */
interface CaseVisit {
  /** Days before the last visit. */
  readonly daysBefore: number;
  /** Whole years at that visit. */
  readonly age: number | null;
  readonly creatinineMgDl: number | null;
}

/** What can be read off a record, by a model or by a rule: the labels of detection and staging are functions of this and of nothing else. */
export interface CkdCase {
  readonly age: number | null;
  readonly sex: Sex | null;
  readonly creatinineMgDl: number | null;
  /** Null when not measured, or when the source has none. */
  readonly acrMgPerG: number | null;
  /** Urine albumin by dipstick, 0 to 5. */
  readonly dipstick: number | null;
  /** True when urine red cells are reported abnormal: a marker of kidney damage, or of an infected bladder. */
  readonly urineRedCells?: boolean;
  readonly potassium: number | null;
  readonly sodium: number | null;
  readonly haemoglobin: number | null;
  readonly context: Context | null;
  /** Oldest first; empty where one visit is all there is. */
  readonly visits: readonly CaseVisit[];
}

/** What a task makes of a case. */
export interface Assessment<Answer> {
  /** The answer that the values support; null where they support none. */
  readonly answer: Answer | null;
  /** The probability that measured variation alone led to it; null where no answer is. */
  readonly flipProbability: number | null;
  /** The part of it that would change what is done, where that is not all of it: deferring rests on this. Default: all of it. */
  readonly decisiveFlip?: number;
  /** Whether the answer is too near a line to be given, where a task has a rule for that apart from the flip probability. */
  readonly nearLine?: boolean;
  /** The reason to give when the answer is too near a line; null where that is no reason. */
  readonly nearReason: string | null;
  /** Why no answer is safe, apart from variation: missing data, or people for whom the equation does not hold. */
  readonly mustDefer: readonly string[];
}
