import { existsSync } from 'node:fs';
import { isJudged } from '../analyses/judging/judged-result.ts';
import { type RecordIndex, recordIndex, recordIndexAnalysis } from '../analyses/record-index/record-index.ts';
import { CASE_KINDS } from '../core/decision-class.ts';
import type { Label } from '../core/label.ts';
import { getStratum } from '../core/patient-record.ts';
import type { Section } from '../reports/document/document.ts';
import type { ReadRunOptions } from '../runs/read-options.ts';
import { readRun, storedRun as storedResult } from '../runs/read-run.ts';
import { runDocument, runSections } from '../runs/run-document.ts';
import type { RunResult } from '../runs/run-result.ts';
import { compareTexts } from '../store/queries/record-filter.ts';
import { reviewPath } from '../store/review/review-file.ts';
import { RunFile } from '../store/run-file.ts';
import { verifyRun } from '../store/verify-run.ts';
import type { RunLine, RunPayload, ShownReport } from './api.ts';
import { hidesText, type OpenRun, type OpenRuns } from './open-runs.ts';
import { QUICKLY, verificationMark } from './verification-mark.ts';
import { labelAmong } from './withhold-text.ts';

/** A run whose report its file keeps. */
export interface StoredRun {
  readonly payload: RunPayload;
  readonly repeats: number;
  readonly actLabels: readonly Label[];
  /** The rows that a list by harm begins with. */
  readonly worstFirst: RecordIndex['worstFirst'];
}

/** A run, and what its analyses are asked for. Default: what the run was scored with. */
export type ViewedRun = { readonly id: string } & Pick<ReadRunOptions, 'analyses'>;

/** Everything the page of a run shows. */
export function runPayload(runs: OpenRuns, { id, analyses }: ViewedRun): RunPayload {
  const run = runs.find(id);
  return runs.cached('run', [run], () => computePayload(run, analyses), JSON.stringify(analyses));
}

/** The payload of a run whose file keeps its report; null for a run whose rows must be read. */
export function quickRunPayload(runs: OpenRuns, { id, analyses }: ViewedRun): RunPayload | null {
  return analyses === undefined ? (storedRun(runs, runs.find(id))?.payload ?? null) : null;
}

/** Nothing is counted again, so a long run opens as fast as a short one. Null where the file has no report, or people labelled the run since. */
export function storedRun(runs: OpenRuns, run: OpenRun): StoredRun | null {
  return runs.cached('stored run', [run], () => readStored(run));
}

function readStored(run: OpenRun): StoredRun | null {
  const { path, line } = run;
  if (line.kind !== 'labels' || line.status === 'running' || line.imported || existsSync(reviewPath(path)))
    return null;
  const result = RunFile.use(path, storedResult);
  if (result === null) return null;
  return {
    payload: {
      ...toPayload(run, result),
      verification: verificationMark(() => verifyRun(path, QUICKLY)),
    },
    repeats: result.repeats,
    actLabels: result.task?.actLabels ?? [],
    worstFirst: buildIndex(result).worstFirst,
  };
}

/** Scores the rows. While a run is being written, intervals that need resampling are left out: they would be outdated before they are computed. */
function computePayload(run: OpenRun, analyses: ViewedRun['analyses']): RunPayload {
  const result = readRun(run.path, { ...(run.line.status === 'running' && { resamples: 0 }), analyses });
  try {
    return {
      ...toPayload(run, result),
      verification: verificationMark(() => result.verification!),
    };
  } finally {
    result.close();
  }
}

/** What the page shows of a run, wherever its report comes from. */
function toPayload({ line }: OpenRun, result: RunResult): Omit<RunPayload, 'verification'> {
  return {
    run: line,
    // A run on open questions has a page of its own.
    ...(isJudged(result) ? { alerts: [], warnings: [], sections: [] } : shownReport(line, result)),
    case_kinds: CASE_KINDS.filter((kind) => (result.flow?.kinds[kind].n ?? 0) > 0),
    labels: (result.task?.labels ?? []).map(String),
    scored_by: [...new Set((result.figures?.dots ?? []).map(({ by }) => by))],
    repeats: result.repeats,
    is_inverted: result.threshold()?.confidenceStatus.status === 'inverted',
    confidence_steps: (result.analyses.confidenceSteps ?? []) as RunPayload['confidence_steps'],
    emergency_rule: result.emergencyRule,
    n_scored: result.nScored,
    stratum: getStratum(result.task),
    ...sorted(buildIndex(result)),
    hides_text: hidesText(line),
  };
}

/** What the page of a run shows of its report. The page says itself whether the file is verified. */
export function shownReport(line: RunLine, result: RunResult): ShownReport {
  const shown = { ...result, verification: null };
  const { alerts = [], warnings, sections } = runDocument(shown);
  return {
    alerts,
    warnings,
    sections: sections.filter(isOnPage),
    ...(hidesText(line) && {
      sections_without_text: runSections(resultWithoutText(shown)).filter(isOnPage),
    }),
  };
}

/** The page has the answers to open questions with filters, in place of their evidence. */
function isOnPage({ id }: Section): boolean {
  return id !== 'evidence';
}

/** Examples of replies are text, and so are answers that are not labels. Reasons to defer are metadata, and a table's own may be in anyone's words. */
export function resultWithoutText(result: RunResult): RunResult {
  const withoutExample = <T extends object>(cause: T) => ({ ...cause, example: null });
  return {
    ...result,
    // Cells of the confusion matrix link to the answers that the index names.
    analyses: { ...result.analyses, [recordIndexAnalysis.id]: indexWithoutText(result) },
    failures: result.failures.map(withoutExample),
    unusableReplies: result.unusableReplies.map(withoutExample),
    decisions: result.decisions && { ...result.decisions, byReason: [] },
    flow: result.flow && { ...result.flow, reasons: [] },
  };
}

function indexWithoutText(result: RunResult): RecordIndex | null {
  const index = recordIndex(result);
  if (index === null) return null;
  const isLabel = labelAmong((result.task?.labels ?? []).map(String), index.facets);
  return { ...index, facets: { ...index.facets, prediction: index.facets.prediction.filter(isLabel) } };
}

const NO_INDEX: RecordIndex = {
  worstFirst: [],
  facets: { outcome: [], label: [], prediction: [], stratum: [], reason: [] },
  subgroups: {},
};

/** A run that was imported without rows has no records to list. */
function buildIndex(result: RunResult): RecordIndex {
  return recordIndex(result) ?? NO_INDEX;
}

type Choices = Pick<RecordIndex, 'facets' | 'subgroups'>;

/** The values to choose from, each list in natural order. */
function sorted({ facets, subgroups }: Choices): Choices {
  const inOrder = <Key extends string>(lists: Readonly<Record<Key, readonly string[]>>) =>
    Object.fromEntries(
      Object.entries<readonly string[]>(lists).map(([key, values]) => [key, values.toSorted(compareTexts)]),
    ) as Record<Key, string[]>;
  return { facets: inOrder(facets), subgroups: inOrder(subgroups) };
}
