import type { RunVerification } from '../store/index.ts';
import { sealedScores } from './finish-run.ts';
import { readRun } from './read-run.ts';

/** Whether the sealed scores are those of the rows. `other_version`: they differ, and another version made them. `not_checked`: there is no seal, or none that covers everything. */
export type RecomputedScores = 'same' | 'different' | 'other_version' | 'not_checked';

/** Scores the rows of a run again, as its manifest says, and compares with the seal. */
export function recomputeScores(
  path: string,
  { verdict, seal, entriesAfterSeal }: RunVerification,
  krisisVersion: string,
): RecomputedScores {
  if (verdict !== 'verified' || seal === null || seal.scoresHash === null || entriesAfterSeal > 0)
    return 'not_checked';
  // A run is sealed before people label it.
  if (sealedScores(readRun(path, { review: null })) === seal.scoresHash) return 'same';
  return seal.krisisVersion === krisisVersion ? 'different' : 'other_version';
}
