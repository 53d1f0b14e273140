import { existsSync } from 'node:fs';
import { KrisisError } from '../core/errors.ts';
import { nextFreePath } from '../store/file-names.ts';
import { textNotKept } from '../store/protected-data.ts';
import { RunFile } from '../store/run-file.ts';
import type { AnyTask } from '../suites/task.ts';
import type { PreparedRun } from './prepare-run.ts';
import { checkSameRun, checkSameSensitivity, type RunIdentity, runPath } from './run-identity.ts';
import { DEFAULT_SEED, type RunOptions } from './run-options.ts';
import { type Shard, shardPath } from './shard.ts';
import { checkTerms, type PlannedStop, planStop } from './stop-early.ts';

/** How the run stops early; null for one that asks everything. A run that is continued keeps its seed. */
export async function plannedStop(
  { task, identity }: PreparedRun,
  options: RunOptions,
): Promise<PlannedStop | null> {
  const { stopEarly, backend, seed = DEFAULT_SEED, repeats = 1 } = options;
  if (stopEarly === undefined) return null;
  const { checkBaselineSuite } = await import('../runs/gates/check-gates.ts');
  checkBaselineSuite(stopEarly.plan, identity.suiteHash);
  const found = RunFile.peek(targetOf(identity, options));
  return planStop({
    ...options,
    stopEarly,
    task: task as Extract<AnyTask, { kind?: 'labels' }>,
    seed: found?.seed ?? seed,
    repeats,
    batchSize: backend.answersSingly ? 1 : identity.batchSize,
  });
}

function targetOf(identity: RunIdentity, { path, startNew, shard }: RunOptions): string {
  const whole = path ?? runPath(identity);
  const usual = path === undefined && shard !== undefined ? shardPath(whole, shard) : whole;
  return startNew && path === undefined ? nextFreePath(usual) : usual;
}

/** Opens the run file: the one there is when it holds the same run, else a new one. */
export function openRun({ identity, manifest }: PreparedRun, options: RunOptions, stop: PlannedStop | null) {
  const { startNew, shard } = options;
  const target = targetOf(identity, options);
  if (startNew && existsSync(target))
    throw new KrisisError(`${target}: already exists; a new run needs a file of its own`, {
      code: 'ERR_FILE_EXISTS',
      value: target,
    });
  // Checked before it is opened for writing, so that a file of another run is left unchanged.
  const found = RunFile.peek(target);
  if (found !== null) {
    checkSameRun(target, found.identity, identity);
    checkSameSensitivity(target, found.sensitivity, manifest.sensitivity ?? null);
    checkSameShard(target, found.shard, shard);
    checkTerms(target, found, stop?.committed ?? null);
  }
  const file = RunFile.write(target, {
    isPrivate: manifest.sensitivity === 'protected',
    signKey: options.signKey,
  });
  try {
    const continued = !file.isNew();
    if (!continued) file.setManifest({ ...manifest, ...(stop && { stopEarly: stop.committed }) });
    else {
      checkSameRun(target, file.manifest().identity, identity);
      if (manifest.keepText === true && file.manifest().keepText !== true) throw textNotKept(target);
    }
    return { file, continued };
  } catch (error) {
    file.close();
    throw error;
  }
}

/** A part is continued as the same part. A merged run is continued as a whole. */
function checkSameShard(path: string, there: Shard | null, now: Shard | undefined): void {
  if (there?.index === now?.index && there?.of === now?.of) return;
  const partText = (shard: Shard | null | undefined) =>
    shard ? `part ${shard.index} of ${shard.of}` : 'a whole run';
  throw new KrisisError(
    `${path}: holds ${partText(there)}, and this is ${partText(now)}; use another file, or merge the parts first`,
    { code: 'ERR_RUN_DIFFERS', value: path },
  );
}
