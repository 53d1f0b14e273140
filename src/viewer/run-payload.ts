import { existsSync } from 'node:fs';
import { type Label, stratumOf, toFile } from '../core/index.ts';
import { causesOf, earlyStop, labelProvenance, reviewObject, riskReferences } from '../reports/index.ts';
import {
  type AboutRun,
  aboutRun,
  computeReport,
  type Extras,
  panelReportSchema,
  type Report,
  readExtras,
  readStoredReport,
} from '../results/index.ts';
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
  readonly worstFirst: Report['worstFirst'];
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
  return RunFile.use(path, (file) => {
    const report = readStoredReport(file);
    if (report === null) return null;
    const manifest = file.manifest();
    const { repeats } = manifest.identity;
    const extras = readExtras(file, manifest, { repeats, promptModes: [] });
    return {
      payload: {
        ...toPayload(run, report, aboutRun(manifest, file), extras),
        verification: verificationMark(() => verifyRun(path, QUICKLY)),
      },
      repeats,
      actLabels: manifest.task?.actLabels ?? [],
      worstFirst: report.worstFirst,
    };
  });
}

/** Scores the rows. While a run is being written, intervals that need resampling are left out: they would be outdated before they are computed. */
function computePayload(run: OpenRun): RunPayload {
  const { result, report } = computeReport(run.path, run.line.status === 'running' ? { resamples: 0 } : {});
  try {
    return {
      ...toPayload(run, report, result, result.extras),
      verification: verificationMark(() => result.verification!),
      ...(result.published && { published: result.published }),
      ...(result.review && { review: reviewObject(result.review) }),
      ...(result.panel && { panel: toFile(panelReportSchema, result.panel) }),
    };
  } finally {
    result.close();
  }
}

/** The payload of a report: what the page shows of a run, wherever the report comes from. */
function toPayload(
  { line }: OpenRun,
  report: Report,
  about: AboutRun,
  extras: Extras,
): Omit<RunPayload, 'verification'> {
  const stopEarly = earlyStop({
    ...about,
    status: line.status,
    ledger: { n: report.ledger.n ?? 0, not_run: report.ledger.not_run ?? 0 },
  });
  return {
    run: line,
    scores: scoreLines(report.scores, about.primaryEndpoint?.metric ?? null),
    warnings: report.warnings,
    causes: causesOf(report),
    figures: report.figures,
    references: riskReferences(about),
    baselines: about.baselines,
    flow: report.flow,
    decisions: report.decisions,
    decisions_at_prevalence: report.decisionsAtPrevalence,
    detectable: report.detectable,
    threshold: report.threshold,
    confidence_steps: report.confidenceSteps,
    emergency_rule: report.emergencyRule,
    n_scored: report.nScored,
    method: report.method,
    labels: (about.task?.labels ?? []).map(String),
    stratum: stratumOf(about.task),
    ...sorted(report),
    execution: extras,
    provenance: labelProvenance(about, extras, report.method),
    templates: extras.prompt_templates,
    ...(stopEarly && { stop_early: stopEarly }),
    hides_text: hidesText(line),
  };
}

type Choices = Pick<Report, 'facets' | 'subgroups'>;

/** The values to choose from, each list in natural order. */
function sorted({ facets, subgroups }: Choices): Choices {
  const inOrder = <Key extends string>(lists: Readonly<Record<Key, readonly string[]>>) =>
    Object.fromEntries(
      Object.entries<readonly string[]>(lists).map(([key, values]) => [key, values.toSorted(compareTexts)]),
    ) as Record<Key, string[]>;
  return { facets: inOrder(facets), subgroups: inOrder(subgroups) };
}
