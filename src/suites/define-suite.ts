import { KrisisError, labelKey, type PatientRecord, patientRecordSchema, stratumOf } from '../core/index.ts';
import { describeRecords, describeSuite, withoutFreeText } from './describe-records.ts';
import type { Sensitivity, Suite, SuiteDescription } from './suite.ts';
import { suiteHash } from './suite-hash.ts';
import type { Task } from './task.ts';

/** What `defineSuite` needs: a task and a way to load records. */
export interface SuiteDefinition {
  /** `<domain>/<task>`. */
  readonly name: string;
  /** What is asked about each record. */
  readonly task: Task;
  /** How private the records are. Default: `protected`, since it is your data. */
  readonly sensitivity?: Sensitivity;
  /** Metadata keys that scores may be grouped by; of a protected suite hardly any other metadata is stored. Default: none. */
  readonly groups?: readonly string[];
  /** The metadata key of what several records share, such as a patient. Default: none. */
  readonly cluster?: string;
  /** The domain in words. Default: the first part of `name`. */
  readonly domain?: string;
  /** Loads the records that are evaluated. */
  load(): Promise<PatientRecord[]> | PatientRecord[];
  /** Loads records for baselines to learn from. Default: none. */
  training?(): Promise<PatientRecord[]> | PatientRecord[];
  /** Settings that shaped the records, printed in descriptions. Default: none. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Where the data and the rules come from, by name. Default: none. */
  readonly provenance?: Readonly<Record<string, string>>;
  /** What a reader must know before quoting a score. Default: none. */
  readonly warnings?: readonly string[];
}

/**
 * A suite of your own: a task and a way to load records. Records are checked once when they are loaded, and described from what they hold.
 *
 * @example
 * ```ts
 * const suite = defineSuite({
 *   name: 'demo/yes-no',
 *   task: {
 *     id: 'demo/yes-no', labels: ['yes', 'no'], positiveLabel: 'yes', ordered: false, defaultArm: 'natural',
 *     arms: { natural: { instructions: 'Answer yes or no.' } },
 *     primaryEndpoint: { metric: 'accuracy', arm: 'natural', why: 'a demonstration' },
 *   },
 *   load: () => [{ id: 'a', features: { value: 1 }, label: 'yes', metadata: {} }],
 * });
 * (await suite.describe()).nRecords // => 1
 * suite.sensitivity // => 'protected'
 * ```
 */
export function defineSuite(definition: SuiteDefinition): Suite & { readonly sensitivity: Sensitivity } {
  checkTask(definition.task);
  let loaded: Promise<PatientRecord[]> | undefined;
  const load = () => {
    loaded ??= Promise.resolve()
      .then(() => definition.load())
      .then((records) => checkRecords(definition.name, records, definition.task));
    return loaded;
  };
  const training = async () =>
    definition.training ? checkRecords(definition.name, await definition.training(), definition.task) : [];
  const { name, task, domain, settings, provenance, warnings, groups, cluster } = definition;
  const suite = {
    name,
    task,
    sensitivity: definition.sensitivity ?? ('protected' as const),
    ...(groups && { groups }),
    ...(cluster !== undefined && { cluster }),
  };
  return {
    ...suite,
    load,
    training,
    async describe(): Promise<SuiteDescription> {
      const records = await load();
      return {
        ...describeSuite(suite),
        ...withoutFreeText(describeRecords(records, task.labels, stratumOf(task)), suite),
        hash: suiteHash(task, records),
        nTraining: (await training()).length,
        ...(domain && { domain }),
        ...(settings && { settings }),
        ...(provenance && { provenance }),
        ...(warnings && { warnings }),
      };
    },
  };
}

function invalid(what: string, value: unknown): KrisisError {
  return new KrisisError(what, { code: 'ERR_SUITE_DEFINITION', value });
}

/** Refuses a task whose parts do not fit together. */
export function checkTask(task: Task): void {
  const { id, labels, positiveLabel, actLabels = [], arms, defaultArm, primaryEndpoint } = task;
  const keys = labels.map(labelKey);
  const wrong = (what: string) => invalid(`task ${id}: ${what}`, id);
  if (labels.length < 2) throw wrong('a task needs at least two labels');
  if (new Set(keys).size < keys.length) throw wrong(`two labels are the same: ${labels.join(', ')}`);
  if (positiveLabel !== undefined && !keys.includes(labelKey(positiveLabel))) {
    throw wrong(`positive label "${positiveLabel}" is not among the labels: ${labels.join(', ')}`);
  }
  for (const label of actLabels)
    if (!keys.includes(labelKey(label)))
      throw wrong(`act label "${label}" is not among the labels: ${labels.join(', ')}`);
  for (const arm of [defaultArm, primaryEndpoint.arm]) {
    if (!Object.hasOwn(arms, arm))
      throw wrong(`arm "${arm}" is not among the arms: ${Object.keys(arms).join(', ')}`);
  }
}

function checkRecords(name: string, records: readonly PatientRecord[], task: Task): PatientRecord[] {
  if (!Array.isArray(records)) throw invalid(`suite ${name}: expected a list of records`, records);
  const keys = new Set(task.labels.map(labelKey));
  const ids = new Set<string>();
  return records.map((record, i) => {
    const parsed = patientRecordSchema.safeParse(record);
    const where = `suite ${name}, record ${i + 1}`;
    if (!parsed.success) {
      const issue = parsed.error.issues[0]!;
      throw invalid(`${where}: ${issue.path.join('.')}: ${issue.message}`, record);
    }
    const { id, label, metadata } = parsed.data;
    if (ids.has(id)) throw invalid(`${where}: an earlier record has the id "${id}"; ids must be unique`, id);
    ids.add(id);
    if (metadata.must_act === true && metadata.should_abstain === true)
      throw invalid(
        `${where} (${id}): metadata.must_act and metadata.should_abstain are both true; expected should_abstain null in an emergency without a label, or false with one`,
        id,
      );
    if (label === null && metadata.should_abstain !== true && metadata.must_act !== true)
      throw invalid(
        `${where} (${id}): no label; that is allowed only where metadata.should_abstain or metadata.must_act is true`,
        id,
      );
    if (label !== null && !keys.has(labelKey(label)))
      throw invalid(
        `${where} (${id}): label "${label}" is not among the labels: ${task.labels.join(', ')}`,
        label,
      );
    return parsed.data;
  });
}
