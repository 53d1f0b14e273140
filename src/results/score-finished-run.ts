import {
  defaultBenchmarkMetrics,
  extendedMetrics,
  type Metric,
  type Scorecard,
  type ScoringOptions,
  scorecardObject,
} from '../metrics/index.ts';
import type { ManifestUpdate, RunFile } from '../store/index.ts';
import { stratumOf } from '../suites/domains/index.ts';
import type { Task } from '../suites/index.ts';
import { OverviewBuilder, type RunOverview } from './run-overview.ts';
import { runWarnings, type WarningFacts } from './run-warnings.ts';
import { type ScoredRun, scoreRunFile } from './score-run-file.ts';
import { scoringFor } from './scoring-for.ts';
import { storedScoring } from './stored-scoring.ts';

interface Options {
  readonly scoring?: ScoringOptions;
  /** Metrics of one's own, beside the bundle. */
  readonly ownMetrics?: readonly Metric[] | undefined;
  readonly repeats?: number;
}

/** Scores the rows of a run as its task and its options say; `stored` is what the file keeps of that, and `overview` what it keeps for whoever looks at it. */
export function scoreFinishedRun(
  file: RunFile,
  task: Task,
  { scoring: wanted, ownMetrics, repeats = 1 }: Options,
): ScoredRun & {
  readonly stored: Pick<ManifestUpdate, 'scoring' | 'ledger' | 'scores' | 'scoring_method'>;
  overview(run: WarningFacts): RunOverview;
} {
  const scoring = withOwnMetrics({ ...scoringFor(task), ...wanted }, ownMetrics);
  const overview = new OverviewBuilder(stratumOf(task));
  const scored = scoreRunFile(file, scoring, repeats, (row) => overview.add(row));
  const { card, table } = scored;
  return {
    ...scored,
    stored: { scoring: storedScoring(scoring), ...storedScores(card) },
    overview: (run) => overview.finish(table, { card, labels: task.labels, warnings: runWarnings(run) }),
  };
}

function withOwnMetrics(scoring: ScoringOptions, own: readonly Metric[] = []): ScoringOptions {
  if (own.length === 0) return scoring;
  const bundle = scoring.bundle === 'extended' ? extendedMetrics : defaultBenchmarkMetrics;
  return { ...scoring, metrics: [...bundle(scoring), ...own] };
}

/** Ledger and scores as they were when the run ended, for who reads the file without us. */
function storedScores(card: Scorecard): Pick<ManifestUpdate, 'ledger' | 'scores' | 'scoring_method'> {
  const { ledger, metrics, method } = scorecardObject(card);
  return { ledger, scores: metrics, scoring_method: method };
}
