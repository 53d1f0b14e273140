import { existsSync } from 'node:fs';
import { riskReferences } from '../analyses/baselines/section.ts';
import { earlyStop } from '../analyses/early-stop/section.ts';
import { causesOf } from '../analyses/failures/causes.ts';
import { type RecordIndex, recordIndexAnalysis } from '../analyses/record-index/record-index.ts';
import { panelReportSchema } from '../analyses/review/panel.ts';
import { type Label, stratumOf, toFile } from '../core/index.ts';
import { labelProvenance, reviewObject } from '../runs/formats/json.ts';
import { readRun, storedRun as storedResult } from '../runs/read-run.ts';
import type { RunResult } from '../runs/run-result.ts';
import { compareTexts, RunFile, verifyRun } from '../store/index.ts';
import { reviewPath } from '../store/review/index.ts';
import type { RunPayload } from './api.ts';
import { hidesText, type OpenRun, type OpenRuns } from './open-runs.ts';
import { scoreLines } from './run-line.ts';
import { QUICKLY, verificationMark } from './verification-mark.ts';

/** A run whose report its file keeps. */
export interface StoredRun {
  readonly payload: RunPayload;
  readonly repeats: number;
  readonly actLabels: readonly Label[];
  /** The rows that a list by harm begins with. */
  readonly worstFirst: RecordIndex['worstFirst'];
}

/** Everything the page of a run shows. */
export function runPayload(runs: OpenRuns, id: string): RunPayload {
  const run = runs.find(id);
  return runs.cached('run', [run], () => computePayload(run));
}

/** The payload of a run whose file keeps its report; null for a run whose rows must be read. */
export function quickRunPayload(runs: OpenRuns, id: string): RunPayload | null {
  return storedRun(runs, runs.find(id))?.payload ?? null;
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
    worstFirst: indexOf(result).worstFirst,
  };
}

/** Scores the rows. While a run is being written, intervals that need resampling are left out: they would be outdated before they are computed. */
function computePayload(run: OpenRun): RunPayload {
  const result = readRun(run.path, run.line.status === 'running' ? { resamples: 0 } : {});
  try {
    return {
      ...toPayload(run, result),
      verification: verificationMark(() => result.verification!),
      ...(result.published && { published: result.published }),
      ...(result.review && { review: reviewObject(result.review) }),
      ...(result.panel && { panel: toFile(panelReportSchema, result.panel) }),
    };
  } finally {
    result.close();
  }
}

/** What the page shows of a run, wherever its report comes from. */
function toPayload({ line }: OpenRun, result: RunResult): Omit<RunPayload, 'verification'> {
  const stopEarly = earlyStop(result);
  return {
    run: line,
    scores: scoreLines(result.metricScores, result.primaryEndpoint?.metric ?? null),
    warnings: result.warnings,
    causes: causesOf(result),
    figures: result.figures,
    references: riskReferences(result),
    baselines: result.baselines,
    flow: result.flow,
    decisions: result.decisions,
    decisions_at_prevalence: result.decisionsAtPrevalence,
    detectable: result.detectable,
    threshold: result.threshold(),
    confidence_steps: (result.analyses.confidenceSteps ?? []) as RunPayload['confidence_steps'],
    emergency_rule: result.emergencyRule,
    n_scored: result.nScored,
    method: result.method,
    labels: (result.task?.labels ?? []).map(String),
    stratum: stratumOf(result.task),
    ...sorted(indexOf(result)),
    execution: result.extras,
    provenance: labelProvenance(result, result.extras, result.method),
    templates: result.extras.prompt_templates,
    ...(stopEarly && { stop_early: stopEarly }),
    hides_text: hidesText(line),
  };
}

const NO_INDEX: RecordIndex = {
  worstFirst: [],
  facets: { outcome: [], label: [], prediction: [], stratum: [], reason: [] },
  subgroups: {},
};

/** A run that was imported without rows has no records to list. */
function indexOf({ analyses }: RunResult): RecordIndex {
  return (analyses[recordIndexAnalysis.id] as RecordIndex | null | undefined) ?? NO_INDEX;
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
