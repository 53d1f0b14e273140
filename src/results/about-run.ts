import { camelKeys, pick } from '../core/index.ts';
import type { Manifest, RunFile } from '../store/index.ts';
import { stratumOf } from '../suites/domains/index.ts';
import { stopEarlyOf } from './early/stop-early.ts';
import type { RunResult, RunTask } from './run-result.ts';
import { storedActOptions } from './scoring-for.ts';
import { scoringOf } from './stored-scoring.ts';

/** The part of a result that its manifest says. */
export type AboutRun = Pick<RunResult, keyof ReturnType<typeof aboutRun>>;

const TASK = [
  'id',
  'labels',
  'positive_label',
  'ordered',
  'pack',
  'label_from_values',
  'urgency_asked',
  'act_labels',
  'deferral_reasons',
] as const;

/** What a manifest says of its run. */
export function aboutRun(manifest: Manifest, file: Pick<RunFile, 'nRecords'>) {
  const { imported } = manifest;
  const task = taskOf(manifest);
  return {
    runId: manifest.run_id,
    backendName: manifest.model ?? 'unknown',
    suiteName: manifest.suite_name ?? 'unknown',
    suiteHash: manifest.identity.suite_hash,
    suite: manifest.suite ?? {},
    task,
    actOptions: storedActOptions(task, scoringOf(manifest.scoring).scoring),
    arm: manifest.arm,
    instructions: manifest.instructions,
    primaryEndpoint: manifest.primary_endpoint,
    sensitivity: manifest.sensitivity,
    stoppedBecause: manifest.stopped_because,
    createdAt: manifest.created_at,
    krisisVersion: manifest.krisis_version,
    seed: manifest.seed,
    parameters: manifest.parameters ?? {},
    egress: manifest.egress,
    imported: imported && { ...camelKeys(imported), hasRows: imported.has_rows ?? file.nRecords() > 0 },
    recorded: manifest.recorded,
    shard: manifest.shard && { index: manifest.shard.index, of: manifest.shard.of },
    baselines: manifest.baselines ?? [],
    repeats: manifest.identity.repeats,
    stopEarly: manifest.stop_early && stopEarlyOf(manifest.stop_early),
  };
}

function taskOf({ kind, task, suite_name }: Manifest): RunTask | null {
  if (kind === 'labels') return task && { kind, ...camelKeys(pick(task, TASK)), stratum: stratumOf(task) };
  const noLabels = {
    labels: [],
    positiveLabel: null,
    ordered: false,
    pack: null,
    labelFromValues: false,
    urgencyAsked: null,
    actLabels: null,
    deferralReasons: null,
  };
  return { kind, id: suite_name ?? 'unknown', ...noLabels, stratum: stratumOf(null) };
}
