import { resolve } from 'node:path';
import { canonicalJson, contentHash } from '../core/canonical-json.ts';
import { snakeCase, snakeKeys } from '../core/codec.ts';
import { KrisisError } from '../core/errors.ts';
import type { Backend } from '../models/backend.ts';
import type { Run } from '../store/run.ts';
import { ASKING_ORDER } from '../suites/split/asking-order.ts';
import type { AnyTask } from '../suites/task.ts';
import { taskKind } from './task-kinds.ts';

type StoredIdentity = Run['identity'];

/** What makes two runs the same run. How many records, how fast, and where output goes do not belong to it. A caller of the library may describe a suite without a hash. */
export type RunIdentity = Pick<StoredIdentity, 'suiteHash'> & {
  readonly [K in Exclude<keyof StoredIdentity, 'suiteHash' | 'order'>]: NonNullable<StoredIdentity[K]>;
} & { readonly order?: string };

export function runIdentity(run: {
  readonly suiteHash: string | null;
  readonly task: AnyTask;
  readonly backend: Backend;
  readonly batchSize: number;
  readonly repeats: number;
  readonly cluster?: string | undefined;
  readonly stratify?: string | undefined;
}): RunIdentity {
  const { task, backend, repeats } = run;
  const isRecorded = backend.settings?.maxOutputTokens !== undefined;
  const { parameters = {} } = backend;
  return {
    suiteHash: run.suiteHash,
    task: task.id,
    arm: task.defaultArm,
    model: backend.name,
    repeats,
    ...taskKind(task).identity({
      parameters: withoutSettings(parameters, isRecorded),
      batchSize: run.batchSize,
      order: describeOrder(run),
    }),
  };
}

/** A limit that is recorded with each call does not make another run. */
function withoutSettings(parameters: NonNullable<Backend['parameters']>, isRecorded: boolean) {
  const { [OUTPUT_CAP]: _, ...rest } = parameters;
  return isRecorded ? rest : parameters;
}

const OUTPUT_CAP = 'max_output_tokens';

/** Which records stand beside each other in a batch, and which a limit selects. */
function describeOrder({
  cluster,
  stratify,
}: {
  readonly cluster?: string | undefined;
  readonly stratify?: string | undefined;
}) {
  return [ASKING_ORDER, cluster && `clustered by ${cluster}`, stratify && `stratified by ${stratify}`]
    .filter(Boolean)
    .join(', ');
}

/** The default path of a run: the name says what it is, the hash keeps runs apart that differ in a setting. */
export function runPath(identity: RunIdentity, folder = '.krisis/runs'): string {
  const slug = (text: string) =>
    text
      .replace(/[^a-zA-Z0-9.]+/g, '-')
      .replace(/^-+|-+$/g, '')
      .slice(0, 60);
  return resolve(
    folder,
    `${slug(identity.task)}_${slug(identity.model)}_${contentHash(snakeKeys(identity)).slice(0, 8)}.db`,
  );
}

/** Refuses to continue a run whose suite had another sensitivity: what is stored of it, and who may read it, was decided when it began. */
export function checkSameSensitivity(
  path: string,
  stored: Run['sensitivity'],
  wanted: Run['sensitivity'],
): void {
  if (stored === wanted) return;
  throw new KrisisError(
    `${path}: was begun while the suite was ${stored ?? 'of unknown sensitivity'}, and the suite is ${wanted} now: what the file holds and who may read it would not fit. Start a new run in another file${wanted === 'protected' ? ', and remove this one if it holds patient data' : ''}`,
    { code: 'ERR_RUN_DIFFERS', value: path },
  );
}

/** Refuses to continue a run that is another one, and lists the differences. */
export function checkSameRun(path: string, stored: Partial<StoredIdentity>, wanted: RunIdentity): void {
  const keys = Object.keys({ ...stored, ...wanted }) as (keyof RunIdentity)[];
  const differs = (key: keyof RunIdentity) =>
    canonicalJson(stored[key] ?? null) !== canonicalJson(wanted[key] ?? null);
  // Another model has other parameters.
  const isImplied = (key: keyof RunIdentity) => key === 'parameters' && differs('model');
  const differences = keys
    .filter((key) => differs(key) && !isImplied(key))
    .map(
      (key) =>
        `  ${snakeCase(key)}: ${canonicalJson(stored[key] ?? null)} there, ${canonicalJson(wanted[key] ?? null)} now`,
    );
  if (differences.length === 0) return;
  throw new KrisisError(
    `${path}: holds another run:\n${differences.join('\n')}\nContinue with the same settings, or start a new run in another file`,
    { code: 'ERR_RUN_DIFFERS', value: path },
  );
}
