import { KrisisError } from '../core/index.ts';
import { readRun } from '../runs/read-run.ts';
import { readStoredReport } from '../runs/report.ts';
import { RunFile } from '../store/run-file.ts';
import type { RunLine, SuitePayload } from './api.ts';
import type { OpenRuns } from './open-runs.ts';
import { scoreLines } from './run-line.ts';

/** Enough for a table to look at. */
const SUITE_RESAMPLES = 500;

/** All runs of a suite with the scores that they stored. Only runs of open questions are scored. */
export function suitePayload(runs: OpenRuns, { suite }: { readonly suite: string }): SuitePayload {
  const lines = runs.list().runs.filter((line) => line.suite === suite);
  if (lines.length === 0)
    throw new KrisisError(`${suite}: no run of this suite here; see the list of runs`, {
      code: 'ERR_VIEW_NOT_FOUND',
      value: suite,
    });
  return { suite, runs: lines.map((line) => ({ id: line.id, scores: readScores(runs, line) })) };
}

function readScores(
  runs: OpenRuns,
  { id, headline, kind, status }: RunLine,
): SuitePayload['runs'][number]['scores'] {
  // Runs of open questions store verdicts, not scores.
  if (kind === 'questions' && status !== 'running') return questionScores(runs, id);
  if (headline === null) return [];
  const run = runs.find(id);
  return runs.cached('stored scores', [run], () =>
    RunFile.use(run.path, (file) => scoreLines(readStoredReport(file)?.card.scores ?? [], headline.name)),
  );
}

function questionScores(runs: OpenRuns, id: string): SuitePayload['runs'][number]['scores'] {
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
