import { KrisisError, type PatientRecord } from '../../core/index.ts';
import { RecordCounts } from '../describe-records.ts';
import type { Sensitivity, Suite, SuiteDescription } from '../suite.ts';
import { suiteHash } from '../suite-hash.ts';
import type { Task } from '../task.ts';
import { streamCohort } from './cohort/generate-cohort.ts';
import type { Missingness } from './cohort/missingness.ts';
import { ANSWER_BELOW, DEFER_ABOVE } from './deferral.ts';
import { FEATURE_SETS, type FeatureSet } from './features.ts';
import { imputePatients } from './impute-patients.ts';
import type { CkdPatient } from './patient.ts';
import { provenance, warningsFor } from './provenance.ts';
import { ckdRecord, stratumOf } from './record.ts';
import { cohortPatients, fromCohort, type Patients, uciPatients } from './sources.ts';
import { CKD_STRATUM } from './stages.ts';
import { CKD_TASKS, type CkdTask, type CkdTaskName, ckdTask } from './tasks/ckd-task.ts';

export interface CkdSuiteOptions {
  readonly task: CkdTaskName;
  /** `cohort` (default): generated, no file needed. `uci`: a local copy of the UCI CKD file. */
  readonly source?: 'cohort' | 'uci';
  /** The CSV or ARFF file; with it the source is `uci`. */
  readonly dataPath?: string;
  readonly features?: FeatureSet;
  readonly seed?: number;
  /** Evaluation records of the cohort; 1,000 unless told. */
  readonly nRecords?: number;
  /** Synthetic records learned on the training part of the UCI file; none unless told. */
  readonly nSynthetic?: number;
  /** Share of the patients that is evaluated; the rest is for learning. 0.2 unless told. */
  readonly testSize?: number;
  /** `keep` (default): not measured stays not measured. `impute`: filled from the training part, and marked. */
  readonly missing?: 'keep' | 'impute';
  /** Whether gaps are independent of the diagnosis (default), or as informative as in the UCI file. Cohort only. */
  readonly missingness?: Missingness;
  /** Stages 1 to 5 (default), or with 3a and 3b apart. */
  readonly splitStage3?: boolean;
  /** Flip probability above which a row must be deferred on; 0.2 unless told. */
  readonly deferAbove?: number;
}

type Settings = Required<Omit<CkdSuiteOptions, 'dataPath'>> & { readonly dataPath: string | null };

/**
 * Chronic kidney disease: `detection`, `staging` and `progression`, on a generated cohort or on a copy of the UCI file.
 *
 * @example
 * ```ts
 * const suite = new CkdSuite({ task: 'staging', nRecords: 20 });
 * (await suite.load()).length // => 20
 * suite.task.labels // => [1, 2, 3, 4, 5]
 * ```
 */
export class CkdSuite implements Suite {
  readonly name: string;
  readonly task: Task;
  readonly sensitivity: Sensitivity;
  readonly #settings: Settings;
  readonly #ckdTask: CkdTask;
  #patients: Promise<Patients> | undefined;
  #records: Promise<PatientRecord[]> | undefined;
  #description: Promise<SuiteDescription> | undefined;

  constructor(options: CkdSuiteOptions) {
    this.#settings = settle(options);
    const { task, source, splitStage3, deferAbove } = this.#settings;
    this.#ckdTask = ckdTask(task, { source, scale: splitStage3 ? 'six' : 'five', deferAbove });
    this.name = `ckd/${task}`;
    this.task = this.#ckdTask.task;
    this.sensitivity = source === 'cohort' ? 'synthetic' : 'public';
  }

  load(): Promise<PatientRecord[]> {
    this.#records ??= this.#load().then(({ test }) => test.map((patient) => this.#record(patient)));
    return this.#records;
  }

  async training(): Promise<PatientRecord[]> {
    const { train } = await this.#load();
    return train.map((patient) => this.#record(patient));
  }

  /** The evaluation records one by one. A cohort without a training part is generated on the way, so that its size does not matter. */
  *stream(): Generator<PatientRecord> {
    if (!this.canStream())
      throw new KrisisError('CKD suite: only a cohort with testSize 1 and nothing imputed can be streamed');
    for (const patient of this.#cohort()) yield this.#record(patient);
  }

  async describe(): Promise<SuiteDescription> {
    this.#description ??= this.#describe();
    return this.#description;
  }

  async #describe(): Promise<SuiteDescription> {
    const streams = this.canStream();
    const { train, test, table }: Patients = streams ? { train: [], test: [] } : await this.#load();
    const kept = streams ? null : await this.load();
    // Walked several times; a stream begins anew each time.
    const records: Iterable<PatientRecord> = kept ?? { [Symbol.iterator]: () => this.stream() };
    const patients: Iterable<CkdPatient> = streams ? { [Symbol.iterator]: () => this.#cohort() } : test;
    const counts = new RecordCounts(CKD_STRATUM);
    let stricter = 0;
    const counted = function* () {
      for (const record of records) {
        counts.add(record);
        stricter += Number(mustDeferAbove(0.1, record));
        yield record;
      }
    };
    const hash = suiteHash(this.task, counted());
    return {
      name: this.name,
      task: this.task.id,
      domain: 'Chronic Kidney Disease (CKD)',
      sensitivity: this.sensitivity,
      hash,
      ...counts.counts(this.task.labels),
      nTraining: train.length,
      arms: Object.keys(this.task.arms),
      primaryEndpoint: this.task.primaryEndpoint,
      settings: { ...printedSettings(this.#settings), must_defer_above_0_1: stricter },
      provenance: provenance(this.#settings.source, table),
      warnings: warningsFor(this.#settings.task, patients, records, table),
    };
  }

  canStream(): boolean {
    const { source, testSize, missing } = this.#settings;
    return source === 'cohort' && testSize === 1 && missing === 'keep';
  }

  *#cohort(): Generator<CkdPatient> {
    const { nRecords, seed, missingness, task } = this.#settings;
    for (const patient of streamCohort({ n: nRecords, seed, missingness }))
      yield fromCohort(patient, task === 'progression');
  }

  #record(patient: Patients['test'][number]): PatientRecord {
    const { task: name, features, deferAbove } = this.#settings;
    return ckdRecord(patient, { name, task: this.#ckdTask, features, deferAbove });
  }

  #load(): Promise<Patients> {
    this.#patients ??= this.#read();
    return this.#patients;
  }

  async #read(): Promise<Patients> {
    const { source, dataPath, task, features, missing, seed, ...rest } = this.#settings;
    const patients =
      source === 'uci'
        ? await uciPatients({ dataPath: dataPath!, seed, ...rest })
        : cohortPatients({
            ...rest,
            seed,
            withVisits: task === 'progression',
            stratumOf: (patient) => stratumOf(patient, { name: task, task: this.#ckdTask, features }),
          });
    return missing === 'keep' ? patients : imputePatients(patients, FEATURE_SETS[features], seed);
  }
}

/** Whether a row would have to be deferred on with another line: how much the labels hang on that choice. */
function mustDeferAbove(limit: number, { metadata }: PatientRecord): boolean {
  const uncertain = metadata.must_act !== true && Number(metadata.flip_probability ?? 0) > limit;
  return metadata.should_abstain === true || uncertain;
}

/** The settings that shape the records of this source, as they are printed. */
function printedSettings({
  source,
  features,
  seed,
  testSize,
  missing,
  splitStage3,
  deferAbove,
  ...rest
}: Settings) {
  return {
    source,
    features,
    seed,
    test_size: testSize,
    missing,
    ...(source === 'cohort'
      ? { n_records: rest.nRecords, missingness: rest.missingness }
      : { n_synthetic: rest.nSynthetic }),
    ...(rest.task === 'staging' ? { split_stage_3: splitStage3 } : {}),
    defer_above: deferAbove,
  };
}

function settle(options: CkdSuiteOptions): Settings {
  const source = options.source ?? (options.dataPath === undefined ? 'cohort' : 'uci');
  const settings: Settings = {
    task: options.task,
    source,
    dataPath: options.dataPath ?? null,
    features: options.features ?? 'full',
    seed: options.seed ?? 42,
    nRecords: options.nRecords ?? 1000,
    nSynthetic: options.nSynthetic ?? 0,
    testSize: options.testSize ?? 0.2,
    missing: options.missing ?? 'keep',
    missingness: options.missingness ?? 'independent',
    splitStage3: options.splitStage3 ?? false,
    deferAbove: options.deferAbove ?? DEFER_ABOVE,
  };
  const wrong = (what: string, value: unknown) => new KrisisError(`CKD suite: ${what}`, { value });
  const oneOf = (name: string, value: string, known: readonly string[]) => {
    if (!known.includes(value))
      throw wrong(`${name} is "${value}"; expected one of ${known.join(', ')}`, value);
  };
  oneOf('task', settings.task, CKD_TASKS);
  oneOf('source', settings.source, ['cohort', 'uci']);
  oneOf('features', settings.features, Object.keys(FEATURE_SETS));
  oneOf('missing', settings.missing, ['keep', 'impute']);
  if (source === 'uci' && options.dataPath === undefined) {
    throw wrong(
      'source "uci" needs the file: give dataPath (--data FILE), a CSV or ARFF copy of the UCI CKD data (doi 10.24432/C5G020)',
      null,
    );
  }
  if (source === 'cohort' && options.dataPath !== undefined)
    throw wrong(
      'source "cohort" takes no data file; leave dataPath out, or use source "uci"',
      options.dataPath,
    );
  if (source === 'uci' && settings.task === 'progression') {
    throw wrong(
      'the UCI file has one visit per patient, so it has no progression; use the generated cohort (leave --data out)',
      'progression',
    );
  }
  if (source === 'cohort' && settings.nSynthetic > 0)
    throw wrong(
      'nSynthetic is for source "uci"; the cohort is generated already: use nRecords',
      settings.nSynthetic,
    );
  if (!(Number.isInteger(settings.nRecords) && settings.nRecords >= 1))
    throw wrong(`nRecords is ${settings.nRecords}; expected 1, 2, 3, ...`, settings.nRecords);
  if (!(settings.testSize > 0 && settings.testSize <= 1) || (source === 'uci' && settings.testSize === 1)) {
    throw wrong(`testSize is ${settings.testSize}; expected a share above 0 and below 1`, settings.testSize);
  }
  if (!(settings.deferAbove >= ANSWER_BELOW && settings.deferAbove < 1)) {
    throw wrong(
      `deferAbove is ${settings.deferAbove}; expected a probability from ${ANSWER_BELOW} to 1`,
      settings.deferAbove,
    );
  }
  return settings;
}
