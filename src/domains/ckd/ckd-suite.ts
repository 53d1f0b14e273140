import type { PatientRecord } from '../../core/patient-record.ts';
import { checkOptions, choice, optionError } from '../../suites/suite-option.ts';
import type { ClinicalTask } from '../cohort/clinical-task.ts';
import { CohortSuite, type CohortSuiteDefinition } from '../cohort/cohort-suite.ts';
import { DEFER_ABOVE } from '../cohort/verdict.ts';
import type { CkdCase } from './case.ts';
import type { Missingness } from './cohort/missingness.ts';
import { FEATURE_SETS, type FeatureSet } from './features.ts';
import { fitImputer } from './imputation/imputer.ts';
import type { CkdPatient } from './patient.ts';
import { provenance, WarningCounts } from './provenance.ts';
import { assignStratum, ckdRecord } from './record.ts';
import { type UciFeature, uciColumn } from './source/columns.ts';
import { cohortPatients, type Patients, streamPatients, uciPatients } from './sources.ts';
import { CKD_OPTIONS } from './suite-options.ts';
import { CKD_TASKS, type CkdTaskName, ckdTask } from './tasks/tasks.ts';

/** The options of the CKD suite. All but `task` have a default. */
export interface CkdSuiteOptions {
  /** Which task: `detection`, `staging` or `progression`. */
  readonly task: CkdTaskName;
  /** `cohort`: generated, no file needed. `uci`: a local copy of the UCI CKD file. Default: `cohort`, or `uci` with a `dataPath`. */
  readonly source?: 'cohort' | 'uci';
  /** The CSV or ARFF file; with it the source is `uci`. */
  readonly dataPath?: string;
  /** Which measurements are shown. Default: `full`. */
  readonly features?: FeatureSet;
  /** Seed of the generated records and of the split. Default: 42. */
  readonly seed?: number;
  /** Evaluation records of the cohort. Default: 1,000. */
  readonly nRecords?: number;
  /** Synthetic records learned from the training part of the UCI file. Default: 0. */
  readonly nSynthetic?: number;
  /** Share of the patients to evaluate; the rest is for learning. Default: 0.2. */
  readonly testSize?: number;
  /** `keep` (default): not measured stays not measured. `impute`: filled from the training part, and marked. */
  readonly missing?: 'keep' | 'impute';
  /** Whether gaps are independent of the diagnosis (default), or as informative as in the UCI file. Cohort only. */
  readonly missingness?: Missingness;
  /** Stages 1 to 5 (default), or with 3a and 3b apart. */
  readonly splitStage3?: boolean;
  /** Flip probability above which a row of staging must be deferred. Detection and progression do not defer by it. Default: 0.2. */
  readonly deferAbove?: number;
}

/** Counts changes of what the suites ask, show or expect: scores of different versions are not comparable. 2: the rulings on staging, progression and plausibility. 3: emergencies of the same day, deferral in detection and progression. */
const CKD_VERSION = 3;

const TASK = choice('', 'which of the CKD tasks', CKD_TASKS);

type Settings = Required<Omit<CkdSuiteOptions, 'dataPath'>> & { readonly dataPath: string | null };

const DEFAULTS = {
  dataPath: null,
  features: 'full',
  seed: 42,
  nRecords: 1000,
  nSynthetic: 0,
  testSize: 0.2,
  missing: 'keep',
  missingness: 'independent',
  splitStage3: false,
  deferAbove: DEFER_ABOVE,
} as const satisfies Partial<Settings>;

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
export class CkdSuite extends CohortSuite {
  readonly #isGenerated: boolean;

  constructor(options: CkdSuiteOptions) {
    const definition = definitionFrom(settingsFrom(options));
    super(definition);
    this.#isGenerated = definition.canStream;
  }

  /** The evaluation records one at a time. A cohort without a training part is generated during iteration, so its size does not matter. */
  override stream(): Iterable<PatientRecord> {
    if (!this.#isGenerated)
      throw optionError('CKD suite: only a cohort with testSize 1 and nothing imputed can be streamed');
    return super.stream();
  }
}

function definitionFrom(settings: Settings): CohortSuiteDefinition & { readonly canStream: boolean } {
  const { task: name, source, features, splitStage3, deferAbove, nRecords, seed, missingness } = settings;
  const task = ckdTask(name, { source, scale: splitStage3 ? 'six' : 'five', deferAbove });
  const canStream = source === 'cohort' && settings.testSize === 1 && settings.missing === 'keep';
  const warnings = new WarningCounts(name);
  const record = (patient: CkdPatient) => {
    const made = ckdRecord(patient, { name, task, features });
    warnings.remember(made, patient);
    return made;
  };
  let read: Promise<Patients> | undefined;
  const patients = () => {
    read ??= readPatients(settings, task);
    return read;
  };
  let streamed: Patients = { test: [], train: [], nTrain: 0, excluded: new Map() };
  function* stream() {
    const excluded = new Map<string, number>();
    const cohort = { n: nRecords, seed, missingness, withVisits: name === 'progression', excluded };
    yield* streamPatients(cohort).map(record);
    streamed = { ...streamed, excluded };
  }
  let stricter = 0;
  return {
    domain: 'Chronic Kidney Disease (CKD)',
    task: task.task,
    sensitivity: source === 'cohort' ? 'synthetic' : 'public',
    nRecords,
    canStream,
    records: (part) =>
      canStream ? (part === 'test' ? stream() : []) : patients().then((parts) => parts[part].map(record)),
    count(made) {
      warnings.add(made);
      stricter += Number(mustDeferAbove(0.1, made));
    },
    async about() {
      const { nTrain, excluded = new Map<string, number>(), table } = canStream ? streamed : await patients();
      return {
        nTraining: nTrain,
        excluded: [...excluded].map(([reason, n]) => ({ reason, n })),
        settings: {
          ...printedSettings(settings),
          ...(name === 'staging' ? { must_defer_above_0_1: stricter } : {}),
        },
        provenance: provenance(source, table),
        warnings: warnings.warnings(table),
      };
    },
  };
}

async function readPatients(settings: Settings, ckd: ClinicalTask<CkdCase>): Promise<Patients> {
  const { source, dataPath, task, features, missing, seed, ...rest } = settings;
  const patients =
    source === 'uci'
      ? await uciPatients({ dataPath: dataPath!, seed, ...rest })
      : cohortPatients({
          ...rest,
          seed,
          withVisits: task === 'progression',
          getStratum: (patient) => assignStratum(patient, { name: task, task: ckd, features }),
        });
  return missing === 'keep' ? patients : imputePatients(patients, FEATURE_SETS[features], seed);
}

/** Whether a row would have to be deferred with another limit: how much the labels depend on that choice. */
function mustDeferAbove(limit: number, { metadata }: PatientRecord): boolean {
  const flip = metadata.decisive_flip_probability ?? metadata.flip_probability ?? 0;
  const uncertain = metadata.must_act !== true && Number(flip) > limit;
  return metadata.should_abstain === true || uncertain;
}

/** The settings that affect the records of this source, in file form. */
function printedSettings(settings: Settings) {
  const { source, features, seed, missing } = settings;
  return {
    version: CKD_VERSION,
    source,
    features,
    seed,
    test_size: settings.testSize,
    missing,
    ...(source === 'cohort'
      ? { n_records: settings.nRecords, missingness: settings.missingness }
      : { n_synthetic: settings.nSynthetic }),
    ...(settings.task === 'staging'
      ? { split_stage_3: settings.splitStage3, defer_above: settings.deferAbove }
      : {}),
  };
}

/** Applies the defaults, and refuses values and combinations that make no suite. */
function settingsFrom(options: CkdSuiteOptions): Settings {
  const source = options.source ?? (options.dataPath === undefined ? 'cohort' : 'uci');
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  const settings: Settings = { ...DEFAULTS, task: options.task, ...Object.fromEntries(given), source };
  checkOptions('CKD suite', { task: TASK, ...CKD_OPTIONS }, { ...options });
  const { task, dataPath, nSynthetic, testSize } = settings;
  const refuse = (what: string, value: unknown) => {
    throw optionError(`CKD suite: ${what}`, value);
  };
  if (source === 'cohort') {
    if (dataPath !== null)
      refuse('source "cohort" takes no data file; leave dataPath out, or use source "uci"', dataPath);
    if (nSynthetic > 0)
      refuse('nSynthetic is for source "uci"; the cohort is generated already: use nRecords', nSynthetic);
    return settings;
  }
  if (dataPath === null)
    refuse(
      'source "uci" needs the file: give dataPath, a CSV or ARFF copy of the UCI CKD data (doi 10.24432/C5G020)',
      null,
    );
  if (task === 'progression')
    refuse(
      'the UCI file has one visit per patient, so it has no progression; use the generated cohort (leave dataPath out)',
      task,
    );
  if (testSize === 1) refuse('testSize is 1; a file needs patients to learn from: a share below 1', testSize);
  return settings;
}

/** Labels rest on these: they are used to predict other values, and never filled in themselves. */
const NEVER_IMPUTED: readonly UciFeature[] = ['sc', 'age'];

/** Fills what was not measured, as learned on the training part alone, and marks every such value. */
export function imputePatients(patients: Patients, shown: readonly UciFeature[], seed: number): Patients {
  const columns = [...new Set<UciFeature>(['age', ...shown])];
  const { train, ...others } = patients;
  const imputer = fitImputer(
    train.map(({ values }) => ({ values: pick(values, columns) })),
    columns.map((name) => uciColumn(name)),
    { seed },
  );
  const fill = (people: readonly CkdPatient[]) => {
    const { rows, imputed } = imputer.apply(people.map(({ values }) => ({ values: pick(values, columns) })));
    return people.map((patient, i) => {
      const filled = (imputed[i] as UciFeature[]).filter((name) => !NEVER_IMPUTED.includes(name));
      return { ...patient, imputed: pick(rows[i]!.values, filled) };
    });
  };
  return { ...others, train: fill(train), test: fill(others.test) };
}

function pick<Value>(values: Readonly<Partial<Record<UciFeature, Value>>>, names: readonly UciFeature[]) {
  return Object.fromEntries(names.map((name) => [name, values[name]])) as Partial<Record<UciFeature, Value>>;
}
