import { KrisisError } from '../core/errors.ts';
import { readRun } from '../runs/read-run.ts';
import { readStoredReport } from '../runs/report.ts';
import { RunFile } from '../store/run-file.ts';
import type { RunLine, SuitePayload } from './api.ts';
import type { OpenRuns } from './open-runs.ts';
import { scoreLines } from './run-line.ts';
import { describeSuiteRuns, type SuiteRun } from './suite-sections.ts';

/** Enough for a table to look at. */
const SUITE_RESAMPLES = 500;

/** The models of a suite side by side, and their scores over their runs, from stored scores. Only runs of open questions are scored. */
export function suitePayload(runs: OpenRuns, { suite }: { readonly suite: string }): SuitePayload {
  const lines = runs.list().runs.filter((line) => line.suite === suite);
  if (lines.length === 0)
    throw new KrisisError(`${suite}: no run of this suite here; see the list of runs`, {
      code: 'ERR_VIEW_NOT_FOUND',
      value: suite,
    });
  return describeSuiteRuns(
    suite,
    lines.map((run) => ({ run, scores: readScores(runs, run) })),
  );
}

export function readScores(runs: OpenRuns, { id, headline, kind, status }: RunLine): SuiteRun['scores'] {
  // Runs of open questions store verdicts, not scores.
  if (kind === 'questions' && status !== 'running') return questionScores(runs, id);
  if (headline === null) return [];
  const run = runs.find(id);
  return runs.cached('stored scores', [run], () =>
    RunFile.use(run.path, (file) => scoreLines(readStoredReport(file)?.card.scores ?? [], headline.name)),
  );
}

function questionScores(runs: OpenRuns, id: string): SuiteRun['scores'] {
  const run = runs.find(id);
  return runs.cached('question scores', [run], () => {
    const result = readRun(run.path, { resamples: SUITE_RESAMPLES });
    result.close();
    // What a refuted judge scored does not stand beside the scores of other models.
    const isRefuted = result.judging?.judge.status === 'refuted';
    const shown = result.metricScores.map((score) =>
      isRefuted && score.judged === 'raw'
        ? { ...score, value: null, reason: 'judge_refuted', interval: null, bounds: null }
        : score,
    );
    return scoreLines(shown, result.primaryEndpoint?.metric ?? null);
  });
}

/** The suites that an export describes. */
export function suitesToExport(runs: readonly RunLine[]): { readonly suite: string }[] {
  return [...new Set(runs.map(({ suite }) => suite))].map((suite) => ({ suite }));
}
