import { contentHash } from '../../core/canonical-json.ts';
import type { EvaluationResult } from '../../core/evaluation-result.ts';
import { isBlank, labelKey } from '../../core/label.ts';
import { isScored } from '../../core/states.ts';
import type { UsualEndpoint } from '../../metrics/act/leading-scores.ts';
import type { ComparedSettings, DriftDecision } from '../../statistics/methods/drift.ts';
import type { Run } from '../../store/run.ts';
import { RunFile } from '../../store/run-file.ts';
import { verifyRun } from '../../store/verify-run.ts';

/** What is looked at over time: decision accuracy where deferral labels exist, else accuracy. */
export type DriftMeasure = UsualEndpoint;

/** A decision and whether it counts as right by each measure; null where the measure does not cover the record. */
export interface RepeatedDecision {
  readonly decision: NonNullable<DriftDecision['decision']>;
  readonly right: Readonly<Record<DriftMeasure, boolean | null>>;
}

/** A run as drift sees it: its settings, and the decisions on each record. */
export type DriftRun = ReturnType<typeof readDriftRun>;

/** Reads what drift needs of a run file. */
export function readDriftRun(path: string) {
  const { verdict } = verifyRun(path, { isForeign: false });
  return RunFile.use(path, (file) => {
    const manifest = file.manifest();
    const { repeats } = manifest.identity;
    const totals = file.calls.totals();
    const kind = KINDS[manifest.kind];
    // One decision per repeat; null where a reply is missing.
    const records = new Map<string, RepeatedDecision[] | null>();
    // The call of each record that was asked together with others.
    const calls = new Map<string, string>();
    for (const row of kind.rows(file, repeats)) {
      if (row.call !== null) calls.set(row.id, row.call);
      const before = records.get(row.id);
      if (before === null) continue;
      records.set(row.id, isScored(row.state) ? [...(before ?? []), readDecision(row)] : null);
    }
    return {
      path,
      runId: manifest.runId ?? contentHash({ model: manifest.model, createdAt: manifest.createdAt }),
      suite: manifest.suiteName ?? 'unknown',
      model: manifest.model ?? 'unknown',
      createdAt: manifest.createdAt ?? '',
      whyNotPaired: kind.whyNotPaired,
      status: manifest.status,
      verdict,
      shard: manifest.shard,
      repeats,
      settings: readSettings(manifest),
      nCacheHits: totals.cacheHits,
      modelIds: totals.modelIds,
      records,
      calls,
      /** Equal hashes mean equal decisions. */
      decisionsHash: contentHash([...records].sort(([a], [b]) => (a < b ? -1 : 1))),
    };
  });
}

/** The rows that can be paired, and why there are none, by the kind of task. */
const KINDS = {
  labels: { rows: (file: RunFile, repeats: number) => file.rows.readScored(repeats), whyNotPaired: null },
  text: {
    rows: () => [],
    whyNotPaired: 'answers in text cannot be paired by label; drift needs runs with labels',
  },
};

/** What must be the same in both runs. The prompt's hash covers instructions and response format; the schema follows from the task's labels and reasons. */
function readSettings({ identity, task, promptVersion, ...manifest }: Run): ComparedSettings {
  return {
    suiteHash: identity.suiteHash,
    arm: identity.arm,
    model: identity.model,
    promptHash: identity.promptHash && [identity.promptHash, promptVersion].join(' '),
    schemaHash: task && contentHash([task.labels, Object.keys(task.deferralReasons ?? {})]),
    sampling: identity.parameters,
    batchSize: identity.batchSize,
    repeats: identity.repeats,
    // Models are asked without tools.
    tools: [],
    parserVersion: manifest.parserVersion,
  };
}

function readDecision({ state, prediction, groundTruth, metadata }: EvaluationResult): RepeatedDecision {
  const isAnswer = state === 'answered' && !isBlank(prediction);
  const decision = isAnswer ? labelKey(prediction!) : state === 'abstained' ? 'abstain' : 'invalid';
  const answer = isBlank(groundTruth) ? null : isAnswer && decision === labelKey(groundTruth!);
  const should = metadata.should_abstain;
  return {
    decision,
    right: {
      accuracy: answer,
      decision_accuracy: should === true ? state === 'abstained' : should === false ? answer : null,
    },
  };
}
