import { pick } from '../core/collections.ts';
import { KrisisError } from '../core/errors.ts';
import { type Label, sameLabel } from '../core/label.ts';
import { getStratum } from '../core/patient-record.ts';
import type { Run } from '../store/run.ts';
import type { RunFile } from '../store/run-file.ts';
import type { RunResult, RunTask } from './run-result.ts';

/** The part of a result that its manifest says. */
export type AboutRun = Pick<RunResult, keyof ReturnType<typeof aboutRun>>;

const TASK = [
  'id',
  'labels',
  'positiveLabel',
  'ordered',
  'pack',
  'labelFromValues',
  'urgencyAsked',
  'actLabels',
  'deferralReasons',
] as const;

/** What a manifest says of its run. */
export function aboutRun(manifest: Run, file: Pick<RunFile, 'records'>) {
  const { imported } = manifest;
  return {
    runId: manifest.runId,
    backendName: manifest.model ?? 'unknown',
    suiteName: manifest.suiteName ?? 'unknown',
    suiteHash: manifest.identity.suiteHash,
    suite: manifest.suite ?? {},
    task: readTask(manifest),
    arm: manifest.arm,
    instructions: manifest.instructions,
    primaryEndpoint: manifest.primaryEndpoint,
    sensitivity: manifest.sensitivity,
    stoppedBecause: manifest.stoppedBecause,
    createdAt: manifest.createdAt,
    krisisVersion: manifest.krisisVersion,
    seed: manifest.seed,
    parameters: manifest.parameters ?? {},
    egress: manifest.egress,
    imported: imported && { ...imported, hasRows: imported.hasRows ?? file.records.count() > 0 },
    recorded: manifest.recorded,
    shard: manifest.shard && { index: manifest.shard.index, of: manifest.shard.of },
    baselines: manifest.baselines ?? [],
    repeats: manifest.identity.repeats,
    stopEarly: manifest.stopEarly,
  };
}

function readTask({ kind, task, suiteName }: Run): RunTask | null {
  if (kind === 'labels') return task && { kind, ...pick(task, TASK), stratum: getStratum(task) };
  return unstatedTask(kind, suiteName ?? 'unknown');
}

/** A task of which nothing is known but its kind. */
function unstatedTask(kind: RunTask['kind'], id: string): RunTask {
  return {
    kind,
    id,
    labels: [],
    positiveLabel: null,
    ordered: false,
    pack: null,
    labelFromValues: false,
    urgencyAsked: null,
    actLabels: null,
    deferralReasons: null,
    stratum: getStratum(null),
  };
}

/** Whether a run says itself how its answers call for action. */
export function saysHowToAct({ task }: Pick<RunResult, 'task'>): boolean {
  return task?.urgencyAsked === true || (task?.actLabels ?? []).length > 0;
}

/**
 * The same run with labels that mean to act today, stated afterwards for one that has none.
 *
 * @throws KrisisError where the run has others, or its model was asked whether a case is urgent.
 */
export function withActLabels<T extends Pick<RunResult, 'task' | 'suiteName'>>(
  run: T,
  stated: readonly Label[] | undefined,
  path: string,
): T {
  if (stated === undefined) return run;
  const task = run.task ?? unstatedTask('labels', run.suiteName);
  if (!saysHowToAct(run)) return { ...run, task: { ...task, actLabels: stated } };
  const { actLabels: own } = task;
  if (own === null) throw actLabelsError(path, 'its model was asked whether each case is urgent', stated);
  const isSame =
    own.length === stated.length && stated.every((label) => own.some((known) => sameLabel(known, label)));
  if (!isSame) throw actLabelsError(path, `its act labels are ${own.join(', ')}`, stated);
  return run;
}

/** The error for act labels that a run cannot be scored by. */
export function actLabelsError(path: string, why: string, stated: readonly Label[]): KrisisError {
  return new KrisisError(`${path}: ${why}; leave out the act labels ${stated.join(', ')}`, {
    code: 'ERR_ACT_LABELS',
    value: stated,
  });
}
