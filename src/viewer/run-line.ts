import { basename } from 'node:path';
import { contentHash } from '../core/canonical-json.ts';
import type { Score } from '../core/score.ts';
import { headlineScores } from '../runs/sections/headline-scores.ts';
import { type ListLine, readListLine } from '../store/list-runs.ts';
import { queryRun } from '../store/open-database.ts';
import {
  costOfCalls,
  countRows,
  liveCalls,
  type RowCounts,
  secondsOfCalls,
} from '../store/queries/run-counts.ts';
import { RunFile } from '../store/run-file.ts';
import { tryNotes } from '../store/run-notes.ts';
import { actOptions } from './act-options.ts';
import type { RunLine, ScoreLine } from './api.ts';
import { fileVersion } from './file-version.ts';
import { verificationMark } from './verification-mark.ts';

/** What a line says of each kind of run that a file can hold. */
const KINDS: Readonly<Record<ListLine['kind'], Pick<RunLine, 'kind'> & { readonly hasLabels: boolean }>> = {
  labels: { kind: 'labels', hasLabels: true },
  text: { kind: 'questions', hasLabels: false },
};

/** What a list of runs shows of one. Nothing is scored: an ended run stores its line. */
export function runLine(path: string): RunLine {
  // Before anything is read: what is written meanwhile makes another version.
  const version = fileVersion(path);
  const line = readListLine(path);
  const { ended, status, kind } = line;
  const live = ended === null ? countLive(path, line) : null;
  return {
    id: runId(path),
    kind: KINDS[kind].kind,
    suite: line.suite,
    task: line.task,
    arm: line.arm,
    model: line.model,
    created_at: line.createdAt,
    status,
    suite_hash: line.suiteHash,
    sensitivity: line.sensitivity,
    simulated: line.simulated,
    imported: line.imported,
    shard: line.shard,
    settings: line.settings ?? {},
    gates: line.gates ?? [],
    ...(live?.counts ?? endedCounts(ended!)),
    ...leadingLines(ended),
    faults: ended?.faults ?? [],
    cost_usd: live === null ? ended!.costUsd : live.costUsd,
    elapsed_seconds: live === null ? ended!.elapsedSeconds : live.seconds,
    live: live?.calls ?? null,
    notes: tryNotes(path).notes,
    version: contentHash([status, version]).slice(0, 16),
    verification: line.seal && verificationMark(() => line.seal!),
  };
}

/** What a run that has not ended has done so far. */
function countLive(path: string, { status, kind, imported }: ListLine) {
  const manifest = RunFile.use(path, (file) => file.manifest());
  const { repeats } = manifest.identity;
  return queryRun(path, (run) => {
    const counts = countRows(run, { repeats, hasLabels: KINDS[kind].hasLabels, ...actOptions(manifest) });
    return {
      counts,
      costUsd: costOfCalls(run),
      seconds: imported ? null : secondsOfCalls(run),
      calls: status === 'running' ? liveCalls(run, counts) : null,
    };
  });
}

export function runId(path: string): string {
  return basename(path, '.db');
}

function endedCounts({ ledger, decisionClasses }: NonNullable<ListLine['ended']>): RowCounts {
  const { n = 0, ...states } = ledger;
  return {
    n,
    n_done: n - (states.not_run ?? 0),
    ledger: Object.fromEntries(Object.entries(states).filter(([, rows]) => rows > 0)),
    decision_classes: decisionClasses,
  };
}

/** The scores that lead wherever models are listed, and the primary endpoint among them. */
function leadingLines(ended: ListLine['ended']): Pick<RunLine, 'headline' | 'leading'> {
  const leading = scoreLines(ended?.leading ?? [], ended?.primary ?? null);
  return { leading, headline: leading.find(({ name }) => name === ended?.primary) ?? null };
}

/** Scores for the page, which cannot know by itself which of them lead. */
export function scoreLines(scores: Iterable<Score>, primary: string | null): ScoreLine[] {
  const all = [...scores];
  const headlines = headlineScores(all, primary);
  return all.map((score) => scoreLine(score, headlines.indexOf(score)));
}

function scoreLine(score: Score, place: number): ScoreLine {
  const { name, label, family, reads, value, reason, bounds, nEvaluated: n, nSuccesses = null } = score;
  const { better = null, harm = false, column, leads = 0, constantPolicies } = score.facts ?? {};
  return {
    name,
    label,
    family,
    reads,
    value,
    reason,
    interval: toInterval(score),
    bounds,
    n,
    n_successes: nSuccesses,
    interval_reason: score.intervalReason,
    better,
    leads: place < 0 ? null : place,
    column: column === undefined ? null : { title: column, place: leads },
    harm,
    constant_policies: constantPolicies ?? null,
    ungateable: score.ungateable ?? null,
    details: Object.fromEntries(
      DETAILS.flatMap((key) => (score.details[key] == null ? [] : [[key, score.details[key]]])),
    ),
  };
}

/** The details that reports print beside a score. */
const DETAILS = ['null_band', 'trivial_policies', 'cost_missed_deferral', 'cost_needless_deferral', 'parts'];

function toInterval({ interval }: Score): ScoreLine['interval'] {
  if (interval === null) return null;
  const { lower, upper, level, method } = interval;
  return { lower, upper, level, method };
}
