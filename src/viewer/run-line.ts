import { basename } from 'node:path';
import { z } from 'zod';
import { contentHash, DECISION_CLASSES, type DecisionClass, pick, type Score } from '../core/index.ts';
import { builtInMetric, leadingScores } from '../metrics/index.ts';
import { headlineScores } from '../reports/index.ts';
import { flowSchema, readRun, storedScores } from '../results/index.ts';
import {
  costOfCalls,
  countRows,
  liveCalls,
  type Manifest,
  queryRun,
  type RowCounts,
  RunFile,
  secondsOfCalls,
  tryNotes,
} from '../store/index.ts';
import { actOptions } from './act-options.ts';
import type { RunLine, ScoreLine } from './api.ts';
import { fileVersion } from './file-version.ts';
import { sealMark, verdictsMark } from './verification-mark.ts';

const atEndSchema = z.object({
  cost_usd: z.number().nullable().catch(null),
  elapsed_seconds: z.number().nullable().catch(null),
});
const ledgerSchema = z.record(z.string(), z.int().min(0)).catch({});

/** What a list of runs shows of one. Nothing is scored: the headline is the one that the end of the run stored. */
export function runLine(path: string): RunLine {
  // Before anything is read: what is written meanwhile makes another version.
  const version = fileVersion(path);
  const { manifest, status } = RunFile.use(path, (file) => ({
    manifest: file.manifest(),
    status: file.status(),
  }));
  const kind = manifest.kind === 'text' ? 'questions' : 'labels';
  const hasEnded = status !== 'running' && manifest.status !== 'running';
  const atEnd = hasEnded ? atEndSchema.safeParse(manifest.extras).data : undefined;
  const countsAtEnd = () => {
    // The file stores no ledger of open questions: whether an answer abstains is the judge's verdict.
    if (kind === 'questions') return storedCounts({ ...readRun(path, { resamples: 0 }).ledger }, null);
    const classes = storedClasses(manifest);
    return classes === null ? null : storedCounts(ledgerSchema.parse(manifest.ledger), classes);
  };
  const { repeats, suite_hash } = manifest.identity;
  return queryRun(path, (run) => {
    const counts =
      (hasEnded && countsAtEnd()) ||
      countRows(run, { repeats, hasLabels: kind === 'labels', ...actOptions(manifest) });
    return {
      id: runId(path),
      kind,
      suite: manifest.suite_name ?? 'unknown',
      task: manifest.task?.id ?? null,
      arm: manifest.arm,
      model: manifest.model ?? 'unknown',
      created_at: manifest.created_at ?? '',
      status,
      suite_hash,
      sensitivity: manifest.sensitivity,
      simulated: manifest.simulated === true,
      imported: manifest.imported !== null,
      shard: manifest.shard && pick(manifest.shard, ['index', 'of']),
      ...counts,
      headline: hasEnded ? headlineOf(manifest) : null,
      leading: hasEnded ? leadingLines(manifest) : [],
      cost_usd: atEnd === undefined ? costOfCalls(run) : atEnd.cost_usd,
      elapsed_seconds: atEnd?.elapsed_seconds ?? secondsOfCalls(run),
      live: status === 'running' ? liveCalls(run, counts) : null,
      notes: tryNotes(path).notes,
      version: contentHash([status, version]).slice(0, 16),
      verification: status === 'running' ? null : kind === 'questions' ? verdictsMark(path) : sealMark(path),
    };
  });
}

export function runId(path: string): string {
  return basename(path, '.db');
}

/** The counts that the end of the run stored: counting the rows of many long runs would take seconds. Null if there are none. */
function storedCounts(
  ledger: Readonly<Record<string, number>>,
  classes: RowCounts['decision_classes'],
): RowCounts | null {
  const { n = 0, ...states } = ledger;
  if (n === 0) return null;
  const present = Object.fromEntries(Object.entries(states).filter(([, rows]) => rows > 0));
  return { n, n_done: n - (states.not_run ?? 0), ledger: present, decision_classes: classes };
}

/** Rows by decision class; null where the end of the run did not store them: then rows are counted. */
function storedClasses({ overview }: Manifest): RowCounts['decision_classes'] {
  const flow = flowSchema.safeParse(overview?.flow).data;
  if (flow == null) return null;
  return Object.fromEntries(
    DECISION_CLASSES.flatMap((name) => (flow.rows[name] > 0 ? [[name, flow.rows[name]]] : [])),
  ) as Partial<Record<DecisionClass, number>>;
}

function headlineOf(manifest: Manifest): ScoreLine | null {
  const metric = manifest.primary_endpoint?.metric;
  if (metric === undefined) return null;
  const lines = scoreLines(storedScores(manifest).values(), metric);
  return lines.find(({ name }) => name === metric) ?? null;
}

/** The scores that lead wherever models are listed, in order. */
function leadingLines(manifest: Manifest): ScoreLine[] {
  const metric = manifest.primary_endpoint?.metric ?? null;
  const scores = [...storedScores(manifest).values()];
  const lines = scoreLines(scores, metric);
  return leadingScores(scores, metric).map((score) => lines[scores.indexOf(score)]!);
}

/** Scores for the page, which cannot know by itself which of them lead. */
export function scoreLines(scores: Iterable<Score>, primary: string | null): ScoreLine[] {
  const all = [...scores];
  const headlines = headlineScores(all, primary);
  return all.map((score) => scoreLine(score, headlines.indexOf(score)));
}

function scoreLine(score: Score, place: number): ScoreLine {
  const { name, label, family, reads, value, reason, bounds, nEvaluated: n, nSuccesses = null } = score;
  const metric = builtInMetric(name);
  return {
    name,
    label,
    family,
    reads,
    value,
    reason,
    interval: intervalOf(score),
    bounds,
    n,
    n_successes: nSuccesses,
    interval_reason: score.intervalReason,
    better: metric?.name === name ? (metric.better ?? null) : null,
    leads: place < 0 ? null : place,
    harm: metric?.name === name && metric.harm === true,
    ungateable: score.ungateable ?? null,
    details: Object.fromEntries(
      DETAILS.flatMap((key) => (score.details[key] == null ? [] : [[key, score.details[key]]])),
    ),
  };
}

/** The details that reports print beside a score. */
const DETAILS = ['null_band', 'trivial_policies', 'cost_missed_deferral', 'cost_needless_deferral', 'parts'];

function intervalOf({ interval }: Score): ScoreLine['interval'] {
  if (interval === null) return null;
  const { lower, upper, level, method } = interval;
  return { lower, upper, level, method };
}
