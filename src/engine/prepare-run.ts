import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { KrisisError, placeInUserCode } from '../core/errors.ts';
import { PARSER_VERSION } from '../models/api/parse-reply.ts';
import type { RunResult } from '../runs/run-result.ts';
import { nextFreePath } from '../store/file-names.ts';
import { textNotKept } from '../store/protected-data.ts';
import type { RunUpdate } from '../store/run.ts';
import { RunFile } from '../store/run-file.ts';
import { SCHEMA_VERSION } from '../store/tables.ts';
import type { SuiteDescription } from '../suites/suite.ts';
import type { AnyTask } from '../suites/task.ts';
import { checkBulk } from '../transports/bulk/bulk-transport.ts';
import { checkCounts } from './ask-labels.ts';
import { declaredTemplate } from './call-context.ts';
import { type Egress, isProtected } from './egress.ts';
import {
  checkSameRun,
  checkSameSensitivity,
  type RunIdentity,
  runIdentity,
  runPath,
} from './run-identity.ts';
import { DEFAULT_BATCH_SIZE, DEFAULT_SEED, type RunOptions } from './run-options.ts';
import { selectArm, withPrompts } from './select-arm.ts';
import { checkBackends } from './session.ts';
import { checkShard, type Shard, shardPath } from './shard.ts';
import { checkTerms, type PlannedStop, planStop } from './stop-early.ts';
import { taskKind } from './task-kinds.ts';

/** A run whose options were checked. */
export type PreparedRun = Awaited<ReturnType<typeof prepareRun>>;

/** No compiler checked a suite in plain JavaScript. */
function checkSuite(suite: Partial<RunOptions['suite']>): void {
  const missing = ['name', 'task', 'load', 'describe'].filter((key) => !(key in suite));
  if (missing.length === 0) return;
  throw new KrisisError(
    `suite ${suite.name ?? 'without a name'}${placeInUserCode()}: ${missing.join(' and ')} ${missing.length === 1 ? 'is' : 'are'} missing; expected what defineSuite makes of name, labels, instructions and load`,
    { code: 'ERR_SUITE_DEFINITION', value: missing },
  );
}

/** Checks what can be checked before the first call. */
export async function prepareRun(
  options: RunOptions,
  description: NonNullable<RunResult['suiteDescription']>,
) {
  checkSuite(options.suite);
  const { suite, backend, batchSize = DEFAULT_BATCH_SIZE, repeats = 1 } = options;
  const { passes = 1, buckets = false, seed = DEFAULT_SEED } = options;
  checkCounts({ batchSize, repeats, maxConcurrency: options.maxConcurrency ?? 'auto' });
  if (options.shard !== undefined) checkShard(options.shard);
  const task = withPrompts(selectArm(suite.task, options.arm), options);
  const judges = taskKind(task).checkOptions(options);
  const backends = [backend, ...judges.map((one) => one.backend)];
  checkBulk(
    { name: suite.name, isJudged: judges.length > 0, isProtected: isProtected(suite) },
    backends,
    options,
  );
  const [egress, ...judgeEgress] = checkBackends(
    suite.sensitivity,
    backends,
    options,
    options.bulk !== undefined,
  );
  const said = description as Partial<SuiteDescription> & { readonly suite_hash?: unknown };
  const hash = said.hash ?? said.suite_hash;
  const identity = runIdentity({
    suiteHash: typeof hash === 'string' ? hash : null,
    task,
    backend,
    batchSize,
    repeats,
    cluster: options.cluster,
    stratify: options.stratify,
  });
  return {
    task,
    identity,
    description,
    manifest: firstManifest(identity, task, said, egress ?? null, options),
    judges,
    /** How answers in text are judged; null for labels. */
    judging:
      judges.length === 0
        ? null
        : { judges, judgeEgress, passes, buckets, claims: options.claims ?? null, seed },
  };
}

/** Raised when a change of the prompts makes new rows differ from old ones. */
const PROMPT_VERSION = 3;

/** The description of a new run. */
function firstManifest(
  identity: RunIdentity,
  task: AnyTask,
  description: Partial<SuiteDescription>,
  egress: Egress | null,
  { suite, backend, krisisVersion, cluster, keepText = false, seed = DEFAULT_SEED }: RunOptions,
): RunUpdate {
  const { storedSuite, storedTask } = taskKind(task);
  return {
    identity,
    runId: randomUUID(),
    schemaVersion: SCHEMA_VERSION,
    parserVersion: PARSER_VERSION,
    promptVersion: PROMPT_VERSION,
    kind: task.kind ?? 'labels',
    krisisVersion: krisisVersion ?? null,
    createdAt: new Date().toISOString(),
    status: 'running',
    suite: storedSuite(suite, description),
    suiteName: suite.name,
    sensitivity: suite.sensitivity ?? 'protected',
    ...(isProtected(suite) && { keepText }),
    task: storedTask(backend),
    arm: task.defaultArm,
    instructions: (task.arms as Readonly<Record<string, { instructions: string }>>)[task.defaultArm]!
      .instructions,
    promptTemplate: declaredTemplate(backend).messages,
    primaryEndpoint: task.primaryEndpoint,
    model: backend.name,
    simulated: backend.simulated ?? false,
    parameters: backend.parameters ?? {},
    seed,
    cluster: cluster ?? suite.cluster ?? null,
    egress,
  };
}

/** How the run stops early; null for one that asks everything. A run that is continued keeps its seed. */
export async function plannedStop(
  { task, identity }: PreparedRun,
  options: RunOptions,
): Promise<PlannedStop | null> {
  const { stopEarly, backend, seed = DEFAULT_SEED, repeats = 1 } = options;
  if (stopEarly === undefined) return null;
  const { checkBaselineSuite } = await import('../runs/gates/check-gates.ts');
  checkBaselineSuite(stopEarly.plan, identity.suiteHash);
  const found = RunFile.peek(choosePath(identity, options));
  return planStop({
    ...options,
    stopEarly,
    task: task as Extract<AnyTask, { kind?: 'labels' }>,
    seed: found?.seed ?? seed,
    repeats,
    batchSize: backend.answersSingly ? 1 : identity.batchSize,
  });
}

function choosePath(identity: RunIdentity, { path, startNew, shard }: RunOptions): string {
  const whole = path ?? runPath(identity);
  const usual = path === undefined && shard !== undefined ? shardPath(whole, shard) : whole;
  return startNew && path === undefined ? nextFreePath(usual) : usual;
}

/** Opens the run file: the one there is when it holds the same run, else a new one. */
export function openRun({ identity, manifest }: PreparedRun, options: RunOptions, stop: PlannedStop | null) {
  const { startNew, shard } = options;
  const target = choosePath(identity, options);
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
