import { randomUUID } from 'node:crypto';
import { PARSER_VERSION } from '../models/index.ts';
import { type ManifestUpdate, SCHEMA_VERSION } from '../store/index.ts';
import {
  type AnyTask,
  asksUrgency,
  descriptionObject,
  isQuestionSuite,
  type Suite,
  type SuiteDescription,
} from '../suites/index.ts';
import { declaredTemplate } from './declared-template.ts';
import { type Egress, isProtected } from './egress.ts';
import type { RunIdentity } from './run-identity.ts';
import { DEFAULT_SEED, type RunOptions } from './run-options.ts';

/** Raised when a change of the prompts makes new rows differ from old ones. */
const PROMPT_VERSION = 3;

/** What a new run says of itself. */
export function firstManifest(
  identity: RunIdentity,
  task: AnyTask,
  description: Partial<SuiteDescription>,
  egress: Egress | null,
  { suite, backend, krisisVersion, cluster, keepText = false, seed = DEFAULT_SEED }: RunOptions,
): ManifestUpdate {
  return {
    identity,
    run_id: randomUUID(),
    schema_version: SCHEMA_VERSION,
    parser_version: PARSER_VERSION,
    prompt_version: PROMPT_VERSION,
    kind: task.kind ?? 'labels',
    krisis_version: krisisVersion ?? null,
    created_at: new Date().toISOString(),
    status: 'running',
    suite: suiteObject(suite, description),
    suite_name: suite.name,
    sensitivity: suite.sensitivity ?? 'protected',
    ...(isProtected(suite) && { keep_text: keepText }),
    task:
      task.kind === 'text'
        ? null
        : {
            id: task.id,
            labels: task.labels,
            positive_label: task.positiveLabel ?? null,
            label_from_values: task.labelFromValues ?? false,
            ordered: task.ordered,
            pack: task.pack ?? null,
            stratum: task.stratum ?? null,
            // Known only of a backend that says so.
            urgency_asked: backend.asksUrgency === true ? asksUrgency(task) : null,
            act_labels: task.actLabels ?? null,
            deferral_reasons: task.deferralReasons ?? null,
          },
    arm: task.defaultArm,
    instructions: (task.arms as Readonly<Record<string, { instructions: string }>>)[task.defaultArm]!
      .instructions,
    prompt_template: declaredTemplate(backend).messages,
    primary_endpoint: task.primaryEndpoint,
    model: backend.name,
    simulated: backend.simulated ?? false,
    parameters: backend.parameters ?? {},
    seed,
    cluster: cluster ?? suite.cluster ?? null,
    egress,
  };
}

/** The suite in its file form. A caller of the library may describe it as they like. */
function suiteObject(suite: Suite<AnyTask>, description: Partial<SuiteDescription>): object {
  if (isQuestionSuite(suite))
    return {
      name: suite.name,
      suite_hash: suite.hash,
      sensitivity: suite.sensitivity,
      n_questions: suite.questions.length,
    };
  return description.deferral === undefined
    ? description
    : descriptionObject(description as SuiteDescription);
}
