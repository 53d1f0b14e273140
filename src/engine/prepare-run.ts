import { KrisisError, placeInUserCode } from '../core/errors.ts';
import type { RunResult } from '../runs/run-result.ts';
import type { SuiteDescription } from '../suites/suite.ts';
import { checkBulk } from '../transports/bulk/bulk-transport.ts';
import { checkCounts } from './ask-labels.ts';
import { isProtected } from './egress.ts';
import { firstManifest } from './first-manifest.ts';
import { runIdentity } from './run-identity.ts';
import { DEFAULT_BATCH_SIZE, DEFAULT_SEED, type RunOptions } from './run-options.ts';
import { selectArm, withPrompts } from './select-arm.ts';
import { checkBackends } from './session.ts';
import { checkShard } from './shard.ts';
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
