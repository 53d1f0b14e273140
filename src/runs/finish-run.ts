import type { RunStatus } from '../core/states.ts';
import { canonicalMetricName, type Metric } from '../metrics/metric.ts';
import { extendedMetrics } from '../metrics/registry.ts';
import { bundleMetrics, type ScoringOptions } from '../metrics/score.ts';
import { scorecardObject } from '../metrics/scorecard.ts';
import type { RunUpdate } from '../store/run.ts';
import type { RunFile } from '../store/run-file.ts';
import { scoresHash } from '../store/seal.ts';
import { aboutRun } from './about-run.ts';
import { collectExtras, type RunPace } from './execution.ts';
import { evaluate } from './read-run.ts';
import type { RunResult } from './run-result.ts';
import { scoringFor, storedScoring } from './scoring-for.ts';

/** How a run ended. */
export interface RunEnd extends RunPace {
  readonly status: RunStatus;
  /** Why it stopped; null for every other status. */
  readonly stoppedBecause: string | null;
  /** Null where no time was measured. */
  readonly elapsedSeconds: number | null;
  /** Whether nothing was asked since the run was continued. Default: false. */
  readonly nothingAsked?: boolean;
}

/**
 * The result of a run that has just ended, scored once; `stored` is what its manifest gets.
 */
export function finishRun(
  file: RunFile,
  end: RunEnd,
  options: {
    readonly scoring?: ScoringOptions | undefined;
    /** Metrics beside the bundle. */
    readonly ownMetrics?: readonly Metric[] | undefined;
    readonly suiteDescription?: RunResult['suiteDescription'];
  } = {},
): { result: RunResult; stored: RunUpdate } {
  const { status, stoppedBecause, elapsedSeconds } = end;
  const { task, repeats } = aboutRun(file.manifest(), file);
  const stated = { ...(task && scoringFor(task)), ...options.scoring };
  const scoring = withOwnMetrics(stated, options.ownMetrics, file.manifest().primaryEndpoint?.metric ?? null);
  const ended = {
    status,
    stoppedBecause,
    elapsedSeconds,
    ...SCORED_BY[task?.kind ?? 'labels'](scoring),
  };
  const { result } = evaluate(file, {
    end: {
      manifest: ended,
      extras: (promptModes) => collectExtras(file, { ...end, repeats, promptModes }),
      nothingAsked: end.nothingAsked ?? false,
    },
    metrics: scoring.metrics,
    suiteDescription: options.suiteDescription,
  });
  return {
    result,
    stored: { ...ended, extras: result.extras },
  };
}

/** What a manifest says of how its rows were scored, by the kind of task: the traits of a rubric have no options. */
const SCORED_BY = {
  labels: (scoring: ScoringOptions) => ({ scoring: storedScoring(scoring) }),
  text: () => ({}),
};

/** The hash of a result's scores and ledger, as the seal of its run holds it. */
export function sealedScores({ card }: Pick<RunResult, 'card'>): string {
  const { ledger, metrics } = scorecardObject(card);
  return scoresHash(metrics, ledger);
}

/** Own metrics stand in place of the bundle or beside it; the primary endpoint is computed in any case. */
function withOwnMetrics(
  scoring: ScoringOptions,
  own: readonly Metric[] = [],
  endpoint: string | null,
): ScoringOptions {
  if (scoring.metrics === undefined && own.length === 0) return scoring;
  const metrics = [...(scoring.metrics ?? bundleMetrics(scoring)), ...own];
  const isMissing = endpoint !== null && !metrics.some(({ name }) => name === endpoint);
  const named = isMissing
    ? extendedMetrics(scoring).filter(({ name }) => name === canonicalMetricName(endpoint))
    : [];
  return { ...scoring, metrics: [...metrics, ...named] };
}
