import { isDeepStrictEqual } from 'node:util';
import { RunFile } from '../store/run-file.ts';
import type { RunVerification } from '../store/verify-run.ts';
import { sealedScores } from './finish-run.ts';
import { readRun } from './read-run.ts';
import { readStoredReport } from './report.ts';
import type { RunResult } from './run-result.ts';

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
  const result = readRun(path, { review: null });
  if (sealedScores(result) === seal.scoresHash && hasScores(path, result)) return 'same';
  return seal.krisisVersion === krisisVersion ? 'different' : 'other_version';
}

/** Whether the stored report, which lists and pages show, has the scores of the rows. A run of open questions has none. */
function hasScores(path: string, { metricScores }: RunResult): boolean {
  const report = RunFile.use(path, readStoredReport);
  return report === null || isDeepStrictEqual(report.card.scores, JSON.parse(JSON.stringify(metricScores)));
}
