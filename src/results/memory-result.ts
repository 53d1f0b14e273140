import type { Label } from '../core/index.ts';
import { figuresOf, type RowTable, type Scorecard } from '../metrics/index.ts';
import { stratumOf } from '../suites/domains/index.ts';
import { descriptionObject, type SuiteDescription, type Task } from '../suites/index.ts';
import type { Extras } from './execution.ts';
import { makeResult } from './make-result.ts';
import type { RunResult, RunRow } from './run-result.ts';

/** The result of a run in memory. */
export function memoryResult(run: {
  readonly rows: readonly RunRow[];
  readonly table: RowTable;
  readonly card: Scorecard;
  readonly extras: Extras;
  readonly suiteDescription: RunResult['suiteDescription'];
  readonly backend: {
    readonly name: string;
    readonly parameters?: Readonly<Record<string, unknown>> | undefined;
  };
  readonly task: Pick<
    Task,
    'id' | 'labels' | 'positiveLabel' | 'ordered' | 'pack' | 'arms' | 'defaultArm' | 'stratum'
  >;
}): RunResult {
  const { rows, card, extras, task, backend } = run;
  const { object: suite, labels, ...about } = aboutSuite(run.suiteDescription);
  return makeResult({
    ...about,
    path: null,
    runId: null,
    backendName: backend.name,
    suiteName: about.suiteName ?? task.id,
    suite,
    suiteDescription: run.suiteDescription,
    task: {
      kind: 'labels',
      id: task.id,
      labels: task.labels,
      positiveLabel: task.positiveLabel ?? null,
      ordered: task.ordered,
      pack: task.pack ?? null,
      stratum: stratumOf(task),
    },
    arm: task.defaultArm,
    instructions: task.arms[task.defaultArm]?.instructions ?? null,
    status: card.ledger.not_run > 0 ? 'interrupted' : 'complete',
    stoppedBecause: null,
    createdAt: null,
    krisisVersion: null,
    seed: null,
    parameters: backend.parameters ?? {},
    egress: null,
    imported: null,
    recorded: null,
    repeats: extras.repeats ?? 1,
    nRecords: extras.n_input_records ?? 0,
    nDeferralsOnMustAct: rows.filter(
      ({ state, metadata }) => state === 'abstained' && metadata.must_act === true,
    ).length,
    card,
    extras,
    figures: figuresOf(run.table, {
      labels: task.labels.length > 0 ? task.labels : labels,
      subgroups: card.subgroups,
      level: card.method.level,
    }),
    judging: null,
    rows: () => rows,
    close: () => {},
  });
}

/** A suite describes itself in full; a caller may say of it what they like. */
function aboutSuite(description: RunResult['suiteDescription']) {
  const said = (description ?? {}) as Readonly<Record<string, unknown>>;
  if (isComplete(said)) {
    const { name, hash, sensitivity, primaryEndpoint } = said;
    const labels: Label[] = said.labels.map((counted) => counted.name);
    return {
      suiteName: name,
      suiteHash: hash,
      sensitivity,
      primaryEndpoint,
      labels,
      object: descriptionObject(said),
    };
  }
  const text = (value: unknown) => (typeof value === 'string' ? value : null);
  return {
    suiteName: text(said.name) ?? text(said.task),
    suiteHash: text(said.hash ?? said.suite_hash),
    sensitivity: text(said.sensitivity),
    primaryEndpoint: null,
    labels: [],
    object: said,
  };
}

function isComplete(said: object): said is SuiteDescription {
  return ['name', 'hash', 'labels', 'origins', 'deferral', 'primaryEndpoint', 'settings'].every(
    (key) => key in said,
  );
}
