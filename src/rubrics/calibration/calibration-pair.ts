import type { Verdict } from '../verdict.ts';

/** What people and the judge say of one item. */
export interface CalibrationPair {
  readonly traitName: string;
  readonly question: string;
  readonly isDoubleRated: boolean;
  /** With which probability the item was drawn, label by label; null where that is not known. */
  readonly inclusionProbabilities: readonly (number | null)[];
  /** Null where people disagree: the item is in no number. */
  readonly human: Verdict | null;
  /** Null where the judge gave nothing usable. */
  readonly judge: Verdict | null;
}
