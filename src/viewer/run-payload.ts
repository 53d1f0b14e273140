import { existsSync } from 'node:fs';
import { z } from 'zod';
import { type Label, pick, toFile } from '../core/index.ts';
import { decisionGroupsSchema, decisionsAtPrevalenceSchema, RowTableBuilder } from '../metrics/index.ts';
import {
  causesOf,
  earlyStop,
  formatMetricsJsonReport,
  labelProvenance,
  reviewObject,
  riskReferences,
} from '../reports/index.ts';
import {
  aboutRun,
  clusterKey,
  confidenceStepSchema,
  confidenceSteps,
  detectableDifferenceSchema,
  failuresOf,
  flowSchema,
  OverviewBuilder,
  panelReportSchema,
  type RunResult,
  readExtras,
  readRun,
  runTableOptions,
  runThresholdSchema,
  SCORING_VERSION,
  storedScores,
} from '../results/index.ts';
import { DEFAULT_LEVEL } from '../statistics/index.ts';
import { compareTexts, type Manifest, RunFile, verifyRun } from '../store/index.ts';
import { reviewPath } from '../store/review/index.ts';
import { stratumOf } from '../suites/domains/index.ts';
import type { RunLine, RunPayload } from './api.ts';
import { hidesText, type OpenRun, type OpenRuns } from './open-runs.ts';
import { scoreLines } from './run-line.ts';
import { QUICKLY, verificationMark } from './verification-mark.ts';

/** A run that stores everything its page shows. */
export interface StoredRun {
  readonly payload: RunPayload;
  readonly repeats: number;
  readonly actLabels: readonly Label[];
  /** The rows that a list by harm begins with. */
  readonly worstFirst: readonly { readonly id: string; readonly repeat: number }[];
}

/** Everything the page of a run shows. */
export function runPayload(runs: OpenRuns, id: string): RunPayload {
  const run = runs.find(id);
  return runs.cached('run', [run], () => readPayload(run));
}

/** The payload of a run that stores it; null for a run whose rows must be read. */
export function quickRunPayload(runs: OpenRuns, id: string): RunPayload | null {
  return storedRun(runs, runs.find(id))?.payload ?? null;
}

/**
 * The payload as the end of the run stored it: nothing is counted again, so a long run opens as fast as a short one. Null where the file does not have it: the run has not ended, was
 * imported, or its version of Krisis did not store it.
 */
export function storedRun(runs: OpenRuns, run: OpenRun): StoredRun | null {
  return runs.cached('stored run', [run], () => readStored(run));
}

const texts = z.array(z.string());
const facetsSchema = z.preprocess(
  // Version 0.1 called the stratum `stage`.
  (facets) => ({ stratum: (facets as { stage?: unknown } | null)?.stage, ...(facets as object) }),
  z.object({ outcome: texts, label: texts, prediction: texts, stratum: texts, reason: texts }),
);
const overviewSchema = z.object({
  scoring_version: z.literal(SCORING_VERSION),
  figures: z.custom<NonNullable<RunPayload['figures']>>(
    (value) => typeof value === 'object' && value !== null,
  ),
  confidence_steps: z.array(confidenceStepSchema),
  n_scored: z.int().min(0),
  emergency_rule: z.enum(['urgency', 'label', 'silence']),
  worst_first: z.array(z.object({ id: z.string(), repeat: z.int().min(0) })),
  facets: facetsSchema,
  subgroups: z.record(z.string(), texts),
  warnings: z.array(z.object({ code: z.string(), message: z.string() })),
  flow: flowSchema.nullable(),
  decisions: decisionGroupsSchema.nullable(),
  decisions_at_prevalence: z.array(decisionsAtPrevalenceSchema),
  detectable: detectableDifferenceSchema.nullable(),
  threshold: runThresholdSchema.nullable(),
});

function readStored({ path, line }: OpenRun): StoredRun | null {
  if (line.kind !== 'labels' || line.status === 'running' || line.imported) return null;
  // Labels came after the end of the run.
  if (existsSync(reviewPath(path))) return null;
  return RunFile.use(path, (file) => {
    const manifest = file.manifest();
    const overview = overviewSchema.safeParse(manifest.overview);
    if (!overview.success || manifest.status === 'running') return null;
    const { scoring_version: _, worst_first: worstFirst, ...shown } = overview.data;
    const { repeats } = manifest.identity;
    const extras = readExtras(file, manifest, { repeats, promptModes: [] });
    const about = aboutRun(manifest, file);
    const payload: RunPayload = {
      ...shown,
      ...sorted(shown),
      run: line,
      scores: scoreLines(storedScores(manifest).values(), manifest.primary_endpoint?.metric ?? null),
      references: riskReferences({ baselines: manifest.baselines ?? [] }),
      baselines: manifest.baselines ?? [],
      method: methodOf(manifest),
      causes: hasCauses(line) ? causesOf(failuresOf(file.failures(repeats), hidesText(line))) : [],
      labels: (manifest.task?.labels ?? []).map(String),
      stratum: stratumOf(manifest.task),
      execution: extras,
      provenance: labelProvenance(about, extras, manifest.scoring_method),
      templates: extras.prompt_templates,
      verification: verificationMark(() => verifyRun(path, QUICKLY)),
      ...stoppedEarly({
        ...about,
        status: line.status,
        ledger: { n: line.n, not_run: line.ledger.not_run ?? 0 },
      }),
      hides_text: hidesText(line),
    };
    return { payload, repeats, actLabels: manifest.task?.act_labels ?? [], worstFirst };
  });
}

const methodSchema = z.object({
  level: z.number().catch(DEFAULT_LEVEL),
  cluster: z.string().nullable().catch(null),
});

function methodOf({ scoring_method: method }: Manifest): RunPayload['method'] {
  return methodSchema.parse(method ?? {});
}

/** Scores the rows. While a run is being written, intervals that need resampling are left out: they would be outdated before they are computed. */
function readPayload({ path, line }: OpenRun): RunPayload {
  const result = readRun(path, line.status === 'running' ? { resamples: 0 } : {});
  try {
    const { provenance, execution } = JSON.parse(formatMetricsJsonReport(result));
    const { verification: _, ...origin } = provenance;
    return {
      run: line,
      scores: scoreLines(result.metricScores, result.primaryEndpoint?.metric ?? null),
      warnings: result.warnings.map(({ code, message }) => ({ code, message })),
      causes: causesOf(result),
      figures: result.figures,
      ...(result.published && { published: result.published }),
      references: riskReferences(result),
      baselines: result.baselines,
      flow: result.flow,
      decisions: result.decisions,
      decisions_at_prevalence: result.decisionsAtPrevalence,
      detectable: result.detectable,
      threshold: result.threshold(),
      method: pick(result.method, ['level', 'cluster']),
      n_scored: result.nScored,
      labels: (result.task?.labels ?? []).map(String),
      stratum: stratumOf(result.task),
      ...countRows(result),
      execution,
      provenance: origin,
      templates: result.extras.prompt_templates,
      verification: verificationMark(() => result.verification!),
      ...(result.review && { review: reviewObject(result.review) }),
      ...(result.panel && { panel: toFile(panelReportSchema, result.panel) }),
      ...stoppedEarly(result),
      hides_text: hidesText(line),
    };
  } finally {
    result.close();
  }
}

function stoppedEarly(run: Parameters<typeof earlyStop>[0]): Pick<RunPayload, 'stop_early'> {
  const section = earlyStop(run);
  return section === null ? {} : { stop_early: section };
}

type Counted = Pick<RunPayload, 'confidence_steps' | 'facets' | 'subgroups' | 'emergency_rule'>;

/** Counts what the end of a run stores. */
function countRows(result: RunResult): Counted {
  const overview = new OverviewBuilder(stratumOf(result.task), result.task?.actLabels);
  const key = clusterKey(result.method);
  const builder = new RowTableBuilder({ ...runTableOptions(result), keep: key === undefined ? [] : [key] });
  // Answers in text have no labels and confidences to choose by.
  for (const row of result.judging === null ? result.rows() : []) {
    overview.add(row);
    builder.add(row);
  }
  const table = builder.finish();
  return {
    confidence_steps: confidenceSteps(table, result),
    emergency_rule: table.scored.emergencyRule,
    ...sorted({ facets: overview.facets(), subgroups: overview.subgroups() }),
  };
}

type Choices = Pick<RunPayload, 'facets' | 'subgroups'>;

/** The values to choose from, each list in natural order. */
function sorted({ facets, subgroups }: Choices): Choices {
  const inOrder = <Key extends string>(lists: Readonly<Record<Key, readonly string[]>>) =>
    Object.fromEntries(
      Object.entries<readonly string[]>(lists).map(([key, values]) => [key, values.toSorted(compareTexts)]),
    ) as Record<Key, string[]>;
  return { facets: inOrder(facets), subgroups: inOrder(subgroups) };
}

/** Whether some row has no usable answer and is no abstention: calls and rows of a long run need not be counted by cause otherwise. */
function hasCauses({ ledger, status }: RunLine): boolean {
  const usual = ['answered', 'answered_correct', 'answered_wrong', 'abstained'];
  return status !== 'complete' || Object.keys(ledger).some((name) => !usual.includes(name));
}
