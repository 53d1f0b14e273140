import { z } from 'zod';
import { isJudged } from '../analyses/judging/judged-result.ts';
import { analysisResultsSchema } from '../analyses/registry.ts';
import { fromFile, type Shape, toFile } from '../core/codec.ts';
import { pick } from '../core/collections.ts';
import { DECISION_CLASSES } from '../core/decision-class.ts';
import { leadingScores } from '../metrics/act/leading-scores.ts';
import type { Figures } from '../metrics/figures.ts';
import { scorecardSchema } from '../metrics/score.ts';
import { nameFaults } from '../metrics/warning.ts';
import { encodeListLine, type ListLine } from '../store/list-runs.ts';
import type { RunFile } from '../store/run-file.ts';
import type { RunResult } from './run-result.ts';

/** Raised when metrics change their definition. 2: an answer where no answer exists counts as wrong. */
const SCORING_VERSION = 2;

const reportSchema = z.object({
  /** The definitions that scores and figures follow: a report of another version is computed again. */
  scoringVersion: z.literal(SCORING_VERSION),
  /** Ledger, scores, groups, and how they were computed. */
  card: scorecardSchema,
  /** What charts show; null for a run without rows. */
  figures: z.custom<Figures>((value) => typeof value === 'object' && value !== null).nullable(),
  /** The results of all analyses, by id. */
  analyses: analysisResultsSchema,
});

/** Everything that is computed from the rows of a run with labels and shown to people: the end of a run stores it, so that a long run opens as fast as a short one. */
export type Report = Shape<typeof reportSchema>;

/** The report that the end of the run stored; null where there is none, or where it no longer fits the entries or our definitions. */
export function readStoredReport(file: RunFile): Report | null {
  const stored = file.report();
  if (stored === null) return null;
  try {
    return fromFile(reportSchema, JSON.parse(stored.content));
  } catch {
    return null;
  }
}

/** Null for open questions, whose answers are read for their page. */
function createReport(result: RunResult): Report | null {
  if (isJudged(result)) return null;
  const { card, figures, analyses } = result;
  return { scoringVersion: SCORING_VERSION, card, figures, analyses } as Report;
}

/** Stores the report of a run that has just ended; its manifest must say so already. */
export function storeReport(file: RunFile, result: RunResult): void {
  const report = createReport(result);
  const { metricScores, extras, ledger, flow, primaryEndpoint } = result;
  const primary = primaryEndpoint?.metric ?? null;
  const ended: ListLine['ended'] = {
    ledger: { ...ledger },
    decisionClasses:
      flow &&
      pick(
        flow.rows,
        DECISION_CLASSES.filter((name) => flow.rows[name] > 0),
      ),
    primary,
    // Only people can say how good a judge is, so that scores of open questions do not stand in lists.
    leading: report === null ? [] : leadingScores(metricScores, primary),
    faults: report === null ? [] : nameFaults(result.warnings),
    costUsd: extras.cost_usd ?? null,
    elapsedSeconds: extras.elapsed_seconds ?? null,
  };
  const content = JSON.stringify(report && toFile(reportSchema, report));
  file.storeReport({ line: encodeListLine(file, ended), content });
}
