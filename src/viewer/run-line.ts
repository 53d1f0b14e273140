import { basename } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import { evaluationResult, ledgerClass, type RowState } from '../core/index.ts';
import type { MetricScore } from '../metrics/index.ts';
import { readQuestionRun, storedScores } from '../results/index.ts';
import { type Manifest, openDatabase, readManifest, statusOf } from '../store/index.ts';
import type { RunLine, ScoreLine } from './api.ts';

const text = z.string().nullish().catch(null);
const number = z.number().nullish().catch(null);

const manifestSchema = z.object({
  kind: text,
  suite_name: text,
  task: z.object({ id: text }).nullish().catch(null),
  arm: text,
  model: text,
  created_at: text,
  status: text,
  sensitivity: text,
  identity: z
    .object({ suite_hash: text, repeats: z.int().min(1).catch(1) })
    .nullish()
    .catch(null),
  primary_endpoint: z.object({ metric: z.string() }).nullish().catch(null),
  extras: z.object({ cost_usd: number, elapsed_seconds: number }).nullish().catch(null),
  ledger: z.record(z.string(), z.int().min(0)).nullish().catch(null),
});

/** What a list says of a run. Nothing is scored: the headline is the one that the run ended with. */
export function runLine(path: string): RunLine {
  const db = openDatabase(path, { forWriting: false, mayBeEmpty: false });
  try {
    return lineOf(path, db);
  } finally {
    db.close();
  }
}

export function runId(path: string): string {
  return basename(path, '.db');
}

function lineOf(path: string, db: DatabaseSync): RunLine {
  const manifest = manifestOf(db);
  const known = manifestSchema.parse(manifest);
  const status = statusOf(path, manifest.status);
  const repeats = known.identity?.repeats ?? 1;
  const kind = manifest.kind === 'text' ? 'questions' : 'labels';
  const hasEnded = status !== 'running' && manifest.status !== 'running';
  const atEnd = hasEnded ? known.extras : null;
  const ledgerAtEnd = () =>
    // Whether an answer to an open question abstains is for its judge to say.
    kind === 'questions' ? { ...readQuestionRun(path, { resamples: 0 }).ledger } : (known.ledger ?? {});
  return {
    id: runId(path),
    kind,
    suite: known.suite_name ?? 'unknown',
    task: known.task?.id ?? null,
    arm: known.arm ?? null,
    model: known.model ?? 'unknown',
    created_at: known.created_at ?? '',
    status,
    suite_hash: known.identity?.suite_hash ?? null,
    sensitivity: known.sensitivity ?? null,
    simulated: manifest.simulated === true,
    imported: manifest.imported !== undefined && manifest.imported !== null,
    ...((hasEnded && ledgerCounts(ledgerAtEnd())) || countedRows(db, repeats, kind)),
    headline: hasEnded ? headlineOf(manifest, known.primary_endpoint?.metric) : null,
    cost_usd: atEnd
      ? (atEnd.cost_usd ?? null)
      : nullable(db, 'SELECT sum(cost_usd) FROM calls WHERE cached = 0'),
    elapsed_seconds:
      atEnd?.elapsed_seconds ??
      nullable(db, 'SELECT max(coalesce(finished_at, started_at)) - min(started_at) FROM calls'),
    live: status === 'running' ? liveOf(db) : null,
  };
}

type Counts = Pick<RunLine, 'n' | 'n_done' | 'ledger'>;

/** As the end of the run wrote them down: a list of long runs would take seconds if it counted them. Null where there are none. */
function ledgerCounts(ledger: Readonly<Record<string, number>>): Counts | null {
  const { n = 0, ...classes } = ledger;
  if (n === 0) return null;
  const there = Object.fromEntries(Object.entries(classes).filter(([, rows]) => rows > 0));
  return { n, n_done: n - (classes.not_run ?? 0), ledger: there };
}

function countedRows(db: DatabaseSync, repeats: number, kind: RunLine['kind']): Counts {
  const n = one(db, 'SELECT count(*) FROM records WHERE selected = 1') * repeats;
  const counted = countRows(db, repeats, kind);
  const nDone = Object.values(counted).reduce((sum, rows) => sum + rows, 0);
  return { n, n_done: nDone, ledger: { ...counted, ...(nDone < n && { not_run: n - nDone }) } };
}

function manifestOf(db: DatabaseSync): Manifest {
  const rows = db.prepare('SELECT key, value FROM manifest').all() as { key: string; value: string }[];
  return readManifest(Object.fromEntries(rows.map(({ key, value }) => [key, JSON.parse(value)])));
}

function headlineOf(manifest: Manifest, metric: string | undefined): ScoreLine | null {
  const score = metric === undefined ? undefined : storedScores(manifest).get(metric);
  return score === undefined ? null : scoreLine(score);
}

export function scoreLine(score: MetricScore): ScoreLine {
  const { name, label, family, reads, value, reason, interval, bounds } = score;
  return {
    name,
    label,
    family,
    reads,
    value,
    reason,
    interval: interval && {
      lower: interval.lower,
      upper: interval.upper,
      level: interval.level,
      method: interval.method,
    },
    bounds,
    n: score.nEvaluated,
  };
}

/** Rows by class. Those that agree in all that the class depends on are counted by SQLite, so that a long run need not be walked. */
function countRows(db: DatabaseSync, repeats: number, kind: RunLine['kind']): Record<string, number> {
  const groups = db
    .prepare(
      'SELECT w.state, w.state_reason AS reason, r.label, w.prediction, count(*) AS n FROM rows w JOIN records r ON r.id = w.record_id WHERE r.selected = 1 AND w.repeat < ? GROUP BY 1, 2, 3, 4',
    )
    .all(repeats) as {
    state: RowState;
    reason: string | null;
    label: string;
    prediction: string;
    n: number;
  }[];
  const counts: Record<string, number> = {};
  for (const { state, reason, label, prediction, n } of groups) {
    const row = evaluationResult({
      state,
      stateReason: reason,
      groundTruth: JSON.parse(label),
      prediction: JSON.parse(prediction),
    });
    // Whether an answer to an open question is good is for its judge to say.
    const entry = kind === 'questions' && state === 'answered' ? 'answered' : ledgerClass(row);
    counts[entry] = (counts[entry] ?? 0) + n;
  }
  return counts;
}

/** A call of a process that was killed has no outcome either; where it was made again, it is not counted. */
function liveOf(db: DatabaseSync): RunLine['live'] {
  return {
    in_flight: one(
      db,
      'SELECT count(*) FROM calls c WHERE outcome IS NULL AND NOT EXISTS (SELECT 1 FROM calls l WHERE l.key = c.key AND l.id > c.id)',
    ),
    rate_limits: one(db, "SELECT count(*) FROM calls WHERE error LIKE 'rate@_limit:%' ESCAPE '@'"),
  };
}

function nullable(db: DatabaseSync, sql: string): number | null {
  return Object.values(db.prepare(sql).get()!)[0] as number | null;
}

function one(db: DatabaseSync, sql: string): number {
  return Number(nullable(db, sql));
}
