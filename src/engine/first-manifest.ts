import { randomUUID } from 'node:crypto';
import { PARSER_VERSION } from '../models/api/parse-reply.ts';
import type { RunUpdate } from '../store/run.ts';
import { SCHEMA_VERSION } from '../store/tables.ts';
import type { SuiteDescription } from '../suites/suite.ts';
import type { AnyTask } from '../suites/task.ts';
import { declaredTemplate } from './declared-template.ts';
import { type Egress, isProtected } from './egress.ts';
import type { RunIdentity } from './run-identity.ts';
import { DEFAULT_SEED, type RunOptions } from './run-options.ts';
import { taskKind } from './task-kinds.ts';

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
