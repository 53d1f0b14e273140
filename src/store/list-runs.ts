import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { count, fromFile, type Shape, toFile } from '../core/codec.ts';
import { pick } from '../core/collections.ts';
import { DECISION_CLASSES } from '../core/decision-class.ts';
import { scoreSchema } from '../core/score.ts';
import { RUN_STATUSES } from '../core/states.ts';
import { isReviewPath } from './review/review-file.ts';
import type { Run } from './run.ts';
import { RunFile } from './run-file.ts';
import { notesPath, type RunNotes, tryNotes } from './run-notes.ts';
import { describeSettings } from './run-settings.ts';
import { WriterLock } from './writer-lock.ts';

export const RUNS_FOLDER = '.krisis/runs';

const lineSchema = z.object({
  kind: z.enum(['labels', 'text']),
  suite: z.string(),
  suiteHash: z.string().nullable(),
  task: z.string().nullable(),
  arm: z.string().nullable(),
  model: z.string(),
  createdAt: z.string(),
  status: z.enum(RUN_STATUSES),
  sensitivity: z.string().nullable(),
  simulated: z.boolean(),
  imported: z.boolean(),
  /** False for a result that was imported without rows: its counts are as published. */
  hasRows: z.boolean(),
  /** Which part of a run it is; null for a whole one. */
  shard: z.object({ index: z.int(), of: z.int() }).nullable(),
  /** In what runs of one model can differ, by names in words. */
  settings: z.record(z.string(), z.string()).exactOptional(),
  /** The conditions of a run that stops early, and what they showed at its last look. Default: it has none. */
  gates: z.array(z.object({ gate: z.string(), status: z.string() })).exactOptional(),
  /** Rows of the run: records times repeats. */
  n: count,
  nDone: count,
  /** Rows by state. */
  states: z.record(z.string(), count),
  /** What is known once the run has ended; null before. */
  ended: z
    .object({
      ledger: z.record(z.string(), count),
      /** Rows by decision class; null for open questions. */
      decisionClasses: z.partialRecord(z.enum(DECISION_CLASSES), count).nullable(),
      primary: z.string().nullable(),
      /** The scores that lead wherever models are listed, in order. */
      leading: z.array(scoreSchema),
      /** What the model did that can harm a patient or make it useless, in words. */
      faults: z.array(z.string()).exactOptional(),
      costUsd: z.number().nullable(),
      elapsedSeconds: z.number().nullable(),
    })
    .nullable(),
});

/** What lists show of a run. */
export type ListLine = Shape<typeof lineSchema>;

/** Reads what lists show of a run: as the end of the run stored it, in one small cell, or counted from its rows. The seal is null while the run is being written. */
export function readListLine(path: string) {
  return RunFile.use(path, (file) => {
    const stored = decodeLine(file.reportLine());
    const line = stored === null || WriterLock.isHeld(path) ? countLine(file) : stored;
    return { ...line, seal: line.status === 'running' ? null : file.verifySeal() };
  });
}

/** Null where there is none, or another version wrote it. */
function decodeLine(text: string | null): ListLine | null {
  try {
    return text === null ? null : (fromFile(lineSchema, JSON.parse(text)) as ListLine);
  } catch {
    return null;
  }
}

/** Encodes the line of a run that has just ended. */
export function encodeListLine(file: RunFile, ended: ListLine['ended']): string {
  return JSON.stringify(toFile(lineSchema, { ...countLine(file), ended }));
}

function countLine(file: RunFile): ListLine {
  const manifest = file.manifest();
  const states = Object.fromEntries(file.rows.countStates());
  const nPublished = manifest.imported?.hasRows === false ? countPublished(manifest) : null;
  return {
    kind: manifest.kind,
    suite: manifest.suiteName ?? 'unknown',
    suiteHash: manifest.identity.suiteHash,
    task: manifest.task?.id ?? null,
    arm: manifest.arm,
    model: manifest.model ?? 'unknown',
    createdAt: manifest.createdAt ?? '',
    status: file.status(),
    sensitivity: manifest.sensitivity,
    simulated: manifest.simulated === true,
    imported: manifest.imported !== null,
    hasRows: nPublished === null,
    shard: manifest.shard && pick(manifest.shard, ['index', 'of']),
    settings: describeSettings(manifest),
    ...(manifest.stopEarly && {
      gates: manifest.stopEarly.verdicts.map((verdict) => pick(verdict, ['gate', 'status'])),
    }),
    n: nPublished ?? file.records.count() * manifest.identity.repeats,
    nDone: nPublished ?? Object.values(states).reduce((sum, n) => sum + n, 0),
    states,
    ended: null,
  };
}

/** How many rows a result that was imported without them rests on. */
function countPublished({ ledger, scoresAsPublished: scores }: Run): number {
  const counts = [ledger, ...Object.values(scores ?? {})].flatMap((published) => {
    const { n, n_evaluated } = (published ?? {}) as { n?: unknown; n_evaluated?: unknown };
    const count = n ?? n_evaluated;
    return typeof count === 'number' ? [count] : [];
  });
  return Math.max(0, ...counts);
}

/** The runs of a folder, newest first, and the files there that are not runs. */
export function listRuns(folder: string) {
  const runs: (ReturnType<typeof readListLine> & RunNotes & { readonly path: string })[] = [];
  const unreadable: { path: string; error: string }[] = [];
  // A file in the place of the folder is an error, which readdirSync throws.
  for (const name of existsSync(folder) ? namesIn(folder) : []) {
    const path = join(folder, `${name}.db`);
    try {
      const { notes, problem } = tryNotes(path);
      runs.push({ ...readListLine(path), ...notes, path });
      if (problem !== null) unreadable.push({ path: notesPath(path), error: problem });
    } catch (error) {
      unreadable.push({ path, error: (error as Error).message });
    }
  }
  return {
    runs: runs.sort(
      (a, b) => b.createdAt.localeCompare(a.createdAt, 'en') || b.path.localeCompare(a.path, 'en'),
    ),
    unreadable,
  };
}

/** A run in a list: its file, what lists show of it, and notes of people. */
export type ListedRun = ReturnType<typeof listRuns>['runs'][number];

/** The names of the runs in a folder, in alphabetical order. */
export function runNames(folder = RUNS_FOLDER): string[] {
  return statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true ? namesIn(folder) : [];
}

function namesIn(folder: string): string[] {
  const files = readdirSync(folder).filter((name) => name.endsWith('.db') && !isReviewPath(name));
  return files.map((name) => name.slice(0, -'.db'.length)).sort();
}
