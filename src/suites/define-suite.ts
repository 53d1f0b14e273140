import { createHmac } from 'node:crypto';
import { canonicalJson, contentHash } from '../core/canonical-json.ts';
import { camelCase } from '../core/codec.ts';
import { isObject } from '../core/collections.ts';
import { KrisisError, placeInUserCode } from '../core/errors.ts';
import { labelKey } from '../core/label.ts';
import { didYouMean } from '../core/near-names.ts';
import { getStratum, type PatientRecord, patientRecordSchema } from '../core/patient-record.ts';
import { shown } from '../core/plain-text.ts';
import { userSecret } from '../core/user-folder.ts';
import { describeRecords, describeSuite, withoutFreeText } from './describe-records.ts';
import type { Sensitivity, Suite, SuiteDescription } from './suite.ts';
import { suiteHash } from './suite-hash.ts';
import type { Task } from './task.ts';

/** A record as a suite of your own gives it. */
export type RecordInput = Pick<PatientRecord, 'features' | 'label'> &
  Partial<Pick<PatientRecord, 'metadata'>> & {
    /** Unique and stable: run files and comparisons refer to it. Default: a hash of features and label, with `-2`, `-3` where records are equal. In a protected suite the hash is keyed with a secret of the user, so give ids where several people or machines run it. */
    readonly id?: string;
  };

/** A task that is asked in one way: what `defineSuite` completes to a {@link Task}. */
interface SimpleTask
  extends Pick<Task, 'labels' | 'positiveLabel' | 'actLabels' | 'deferralReasons' | 'pack' | 'asksUrgency'> {
  /** The text that the model gets besides the case itself. */
  readonly instructions: string;
  /** True when `labels` go from mild to grave. Default: false. */
  readonly ordered?: boolean;
  /** The metric that decides, named in advance. Default: `selective_accuracy`. */
  readonly primaryEndpoint?: string;
}

/** What `defineSuite` needs: a task and a way to load records. */
export interface SuiteDefinition extends SuiteFacts {
  /** What is asked about each record. */
  readonly task: Task;
}

/** A suite whose question is asked in one way: labels, instructions, and a way to load records. */
export interface SimpleSuiteDefinition extends SuiteFacts, SimpleTask {
  readonly task?: undefined;
}

interface SuiteFacts {
  /** `<domain>/<task>`. */
  readonly name: string;
  /** How private the records are. Default: `protected`, since it is your data. */
  readonly sensitivity?: Sensitivity;
  /** Metadata keys that scores may be grouped by; of a protected suite hardly any other metadata is stored. Default: none. */
  readonly groups?: readonly string[];
  /** The metadata key of what several records share, such as a patient. Default: none. */
  readonly cluster?: string;
  /** The domain in words. Default: the first part of `name`. */
  readonly domain?: string;
  /** Loads the records that are evaluated. */
  load(): Promise<readonly RecordInput[]> | readonly RecordInput[];
  /** Loads records for baselines to learn from. Default: none. */
  training?(): Promise<readonly RecordInput[]> | readonly RecordInput[];
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
 *   labels: ['yes', 'no'],
 *   instructions: 'Answer yes or no.',
 *   load: () => [{ id: 'a', features: { value: 1 }, label: 'yes' }],
 * });
 * (await suite.describe()).nRecords // => 1
 * suite.sensitivity // => 'protected'
 * ```
 */
export function defineSuite(
  definition: SuiteDefinition | SimpleSuiteDefinition,
): Suite & { readonly sensitivity: Sensitivity } {
  checkKeys(definition);
  const task = buildTask(definition);
  checkTask(task);
  let loaded: Promise<PatientRecord[]> | undefined;
  const load = () => {
    loaded ??= Promise.resolve()
      .then(() => definition.load())
      .then((records) => checkRecords(suite, records));
    return loaded;
  };
  const training = async () => (definition.training ? checkRecords(suite, await definition.training()) : []);
  const { name, domain, settings, provenance, warnings, groups, cluster } = definition;
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
        ...withoutFreeText(describeRecords(records, task.labels, getStratum(task)), suite),
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

const KEYS: Readonly<Record<keyof (SuiteFacts & SimpleTask) | 'task', true>> = {
  name: true,
  task: true,
  labels: true,
  instructions: true,
  positiveLabel: true,
  ordered: true,
  actLabels: true,
  asksUrgency: true,
  deferralReasons: true,
  pack: true,
  primaryEndpoint: true,
  sensitivity: true,
  groups: true,
  cluster: true,
  domain: true,
  load: true,
  training: true,
  settings: true,
  provenance: true,
  warnings: true,
};

/** No compiler checked a suite in plain JavaScript. */
function checkKeys(definition: SuiteDefinition | SimpleSuiteDefinition): void {
  const refuse = (what: string) =>
    invalid(`suite ${definition?.name ?? 'without a name'}${placeInUserCode()}: ${what}`, definition);
  if (!isObject(definition)) throw refuse('expected an object with name, labels, instructions and load');
  if (typeof definition.name !== 'string' || definition.name === '')
    throw refuse('name is missing; expected DOMAIN/TASK, e.g. ward7/sodium');
  for (const key of Object.keys(definition))
    if (!Object.hasOwn(KEYS, key))
      throw refuse(`unknown key "${key}"; ${didYouMean(camelCase(key), Object.keys(KEYS))}`);
  if (typeof definition.load !== 'function')
    throw refuse('load is missing; expected a function that gives the records: load: () => records');
  if (
    definition.task === undefined &&
    (!Array.isArray(definition.labels) || typeof definition.instructions !== 'string')
  )
    throw refuse('what is asked is missing; expected labels (a list) and instructions (a text), or a task');
}

function buildTask(definition: SuiteDefinition | SimpleSuiteDefinition): Task {
  if (definition.task !== undefined) return definition.task;
  const { name, labels, instructions, positiveLabel, ordered = false, primaryEndpoint } = definition;
  const { actLabels, asksUrgency, deferralReasons, pack } = definition;
  return {
    id: name,
    labels,
    ordered,
    arms: { natural: { instructions } },
    defaultArm: 'natural',
    primaryEndpoint: {
      metric: primaryEndpoint ?? 'selective_accuracy',
      arm: 'natural',
      why: primaryEndpoint === undefined ? 'how often an answer is right' : 'named in the definition',
    },
    ...(positiveLabel !== undefined && { positiveLabel }),
    ...(actLabels && { actLabels }),
    ...(asksUrgency !== undefined && { asksUrgency }),
    ...(deferralReasons && { deferralReasons }),
    ...(pack && { pack }),
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

/**
 * The records of a suite, completed. A record without an id gets a hash of its features and label.
 *
 * @throws KrisisError with the first thing that is wrong.
 */
export function checkRecords(
  { name, task, sensitivity = 'protected' }: Pick<Suite, 'name' | 'task' | 'sensitivity'>,
  records: readonly RecordInput[],
): PatientRecord[] {
  if (!Array.isArray(records)) throw invalid(`suite ${name}: expected a list of records`, records);
  const keys = new Set(task.labels.map(labelKey));
  const ids = new Set<string>();
  const contentId = contentIds(sensitivity === 'protected');
  return (records as readonly RecordInput[]).map((record, i) => {
    const isUnnamed = isObject(record) && record.id === undefined;
    const parsed = patientRecordSchema.safeParse(isUnnamed ? { ...record, id: '-' } : record);
    const where = `suite ${name}, record ${i + 1}`;
    if (!parsed.success) {
      const issue = parsed.error.issues[0]!;
      throw invalid(`${where}: ${issue.path.join('.')}: ${issue.message}`, record);
    }
    const { label, metadata } = parsed.data;
    const id = isUnnamed ? contentId(parsed.data) : parsed.data.id;
    if (ids.has(id)) throw invalid(`${where}: an earlier record has the id "${id}"; ids must be unique`, id);
    ids.add(id);
    for (const mark of ['should_abstain', 'must_act'])
      if (metadata[mark] != null && typeof metadata[mark] !== 'boolean')
        throw invalid(
          `${where} (${id}): metadata.${mark} is ${shown(metadata[mark])}; expected true, false or null (unknown)`,
          metadata[mark],
        );
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
    return isUnnamed ? { ...parsed.data, id } : parsed.data;
  });
}

/**
 * Ids that the same features and label give again. Of protected data a plain hash could be recomputed
 * by anyone who guesses the values, so it is keyed with a secret that stays with the user.
 */
function contentIds(isProtected: boolean): (record: PatientRecord) => string {
  const counts = new Map<string, number>();
  let secret: Buffer | null = null;
  const hashed = (content: object) => {
    if (!isProtected) return contentHash(content);
    secret ??= userSecret('record-ids.key');
    return createHmac('sha256', secret).update(canonicalJson(content)).digest('hex');
  };
  return ({ features, label }) => {
    const id = hashed({ features, label }).slice(0, 16);
    const n = (counts.get(id) ?? 0) + 1;
    counts.set(id, n);
    return n === 1 ? id : `${id}-${n}`;
  };
}
