import { resolve } from 'node:path';
import { canonicalJson, contentHash, KrisisError } from '../core/index.ts';
import type { Backend } from '../models/index.ts';
import { responseSchema, type Task } from '../suites/index.ts';
import type { Manifest } from './manifest.ts';

/** What makes two runs the same run. How many records, how fast, and where output goes do not belong to it. */
export interface RunIdentity {
  readonly suite_hash: string;
  readonly task: string;
  readonly arm: string;
  readonly model: string;
  readonly prompt_hash: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly batch_size: number;
  readonly repeats: number;
}

export function runIdentity(run: {
  readonly suiteHash: string;
  readonly task: Task;
  readonly backend: Backend;
  readonly batchSize: number;
  readonly repeats: number;
}): RunIdentity {
  const { task, backend } = run;
  const arm = task.defaultArm;
  return {
    suite_hash: run.suiteHash,
    task: task.id,
    arm,
    model: backend.name,
    prompt_hash: contentHash({ instructions: task.arms[arm]!.instructions, schema: responseSchema(task) }),
    parameters: backend.parameters ?? {},
    batch_size: run.batchSize,
    repeats: run.repeats,
  };
}

/** Where a run lies unless told: the name says what it is, the hash keeps others apart. */
export function runPath(identity: RunIdentity, folder = '.krisis/runs'): string {
  const slug = (text: string) =>
    text
      .replace(/[^a-zA-Z0-9.]+/g, '-')
      .replace(/^-+|-+$/g, '')
      .slice(0, 60);
  return resolve(
    folder,
    `${slug(identity.task)}_${slug(identity.model)}_${contentHash(identity).slice(0, 8)}.db`,
  );
}

/** Refuses to go on with a run that is another one, and says in what they differ. */
export function checkSameRun(path: string, found: Partial<Manifest['identity']>, wanted: RunIdentity): void {
  const differences = (Object.keys(wanted) as (keyof RunIdentity)[])
    .filter((key) => canonicalJson(found[key] ?? null) !== canonicalJson(wanted[key]))
    .map((key) => `  ${key}: ${canonicalJson(found[key] ?? null)} there, ${canonicalJson(wanted[key])} now`);
  if (differences.length === 0) return;
  throw new KrisisError(
    `${path}: holds another run:\n${differences.join('\n')}\nGo on with the same settings, or start a new run with --new or another --run FILE`,
    { value: path },
  );
}
