import type { JudgePresent } from './judge-configurations.ts';
import type { JudgeReport } from './judge-report.ts';
import type { Judging } from './judging.ts';

/** The judges whose verdicts are scored, each of a jury. */
export function scoringJudges({
  judge,
  jury,
}: {
  readonly judge: Pick<JudgeReport, 'names' | 'judges'>;
  readonly jury: Judging['jury'];
}): readonly JudgePresent[] {
  const scoring = new Set(jury?.judges.map(({ name }) => name) ?? judge.names);
  return judge.judges.filter(({ name }) => scoring.has(name));
}
