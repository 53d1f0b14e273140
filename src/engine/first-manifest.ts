import { randomUUID } from 'node:crypto';
import { PARSER_VERSION } from '../models/api/parse-reply.ts';
import type { Backend } from '../models/backend.ts';
import type { Run, RunUpdate } from '../store/run.ts';
import { SCHEMA_VERSION } from '../store/tables.ts';
import {
  type AnyTask,
  asksUrgency,
  descriptionObject,
  type QuestionSuite,
  type Suite,
  type SuiteDescription,
} from '../suites/index.ts';
import { declaredTemplate } from './declared-template.ts';
import { type Egress, isProtected } from './egress.ts';
import type { RunIdentity } from './run-identity.ts';
import { DEFAULT_SEED, type RunOptions } from './run-options.ts';

/** Raised when a change of the prompts makes new rows differ from old ones. */
const PROMPT_VERSION = 3;

/** The description of a new run. */
export function firstManifest(
  identity: RunIdentity,
  task: AnyTask,
  description: Partial<SuiteDescription>,
  egress: Egress | null,
  { suite, backend, krisisVersion, cluster, keepText = false, seed = DEFAULT_SEED }: RunOptions,
): RunUpdate {
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
    suite: suiteObject(suite, description),
    suiteName: suite.name,
    sensitivity: suite.sensitivity ?? 'protected',
    ...(isProtected(suite) && { keepText }),
    task: labelTask(task, backend),
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

/** The task as far as scores need it; null for open questions. */
function labelTask(task: AnyTask, backend: Backend): Run['task'] {
  if (task.kind === 'text') return null;
  return {
    id: task.id,
    labels: task.labels,
    positiveLabel: task.positiveLabel ?? null,
    labelFromValues: task.labelFromValues ?? false,
    ordered: task.ordered,
    pack: task.pack ?? null,
    stratum: task.stratum ?? null,
    // Known only of a backend that says so.
    urgencyAsked: backend.asksUrgency === true ? asksUrgency(task) : null,
    actLabels: task.actLabels ?? null,
    deferralReasons: task.deferralReasons ?? null,
  };
}

/** The suite in its file form. A caller of the library may describe it as they like. */
function suiteObject(suite: Suite<AnyTask>, description: Partial<SuiteDescription>): object {
  if (suite.task.kind === 'text') {
    const { name, hash, sensitivity, questions } = suite as QuestionSuite;
    return { name, suite_hash: hash, sensitivity, n_questions: questions.length };
  }
  return description.deferral === undefined
    ? description
    : descriptionObject(description as SuiteDescription);
}
