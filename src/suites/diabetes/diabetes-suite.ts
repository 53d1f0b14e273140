import type { PatientRecord } from '../../core/index.ts';
import { createRandom, shuffle } from '../../statistics/index.ts';
import { type CohortSuiteDefinition, cohortSuite } from '../cohort/cohort-suite.ts';
import type { Person } from '../cohort/people.ts';
import { DEFER_ABOVE } from '../cohort/zones.ts';
import { checkOptions, choice, optionError } from '../domains/suite-option.ts';
import type { Suite } from '../suite.ts';
import type { Features } from '../task.ts';
import { controlPatients } from './control/cohort.ts';
import { showControl } from './control/features.ts';
import { controlTask } from './control/task.ts';
import { diagnosisPatients } from './diagnosis/cohort.ts';
import { showDiagnosis } from './diagnosis/features.ts';
import { nhanesPeople } from './diagnosis/nhanes.ts';
import { diagnosisTask, worstResult } from './diagnosis/task.ts';
import texts from './provenance.json' with { type: 'json' };
import { diabetesRecord, type OwnMetadata } from './record.ts';
import type { ShownPerson, UnitSystem } from './shown.ts';
import { DIABETES_OPTIONS } from './suite-options.ts';
import {
  DIABETES_TASKS,
  type DiabetesTask,
  type DiabetesTaskName,
  GUIDELINE,
  GUIDELINE_VERSION,
} from './task.ts';
import { trendPatients } from './trend/cohort.ts';
import { showTrend } from './trend/features.ts';
import { trendTask } from './trend/task.ts';

/** The options of a diabetes suite. All but `task` have a default. */
export interface DiabetesSuiteOptions {
  /** Which task: `diagnosis`, `control` or `trend`. */
  readonly task: DiabetesTaskName;
  /** Units of the records; `mixed` prints 35 % of them in SI units. Default: `mixed`. */
  readonly units?: UnitSystem | 'mixed';
  /** Seed of the generated records. Default: 42. */
  readonly seed?: number;
  /** Evaluation records of the cohort. Default: 1,000. */
  readonly nRecords?: number;
  /** Share of the patients to evaluate; the rest is for learning. Default: 0.2. */
  readonly testSize?: number;
  /** Flip probability above which a row must be deferred. Default: 0.2. */
  readonly deferAbove?: number;
}

/** Counts changes of what the suites ask, show or expect: scores of different versions are not comparable. 2: emergencies of the same day, HbA1c in acute illness, plausible lows. */
const DIABETES_VERSION = 2;
const SETTINGS = { version: DIABETES_VERSION, guideline: GUIDELINE, guideline_version: GUIDELINE_VERSION };
const TASK = choice('', 'which of the diabetes tasks', DIABETES_TASKS);

/** A generated person of any task. */
interface Patient extends ShownPerson {
  readonly person: Person;
}

/** What makes the suite of a task. */
interface Maker<P extends Patient> {
  readonly task: (deferAbove: number) => DiabetesTask;
  readonly patients: (seed: number, units: UnitSystem | 'mixed') => Generator<P, never>;
  readonly show: (patient: P) => Features;
  readonly own: (patient: P, features: Features) => OwnMetadata;
}

/**
 * A diabetes suite: `diagnosis`, `control` or `trend`, on a generated cohort.
 *
 * @example
 * ```ts
 * const suite = diabetesSuite({ task: 'diagnosis', nRecords: 20, units: 'si' });
 * (await suite.load()).length // => 20
 * suite.task.labels // => ['normal', 'prediabetes', 'diabetes']
 * ```
 */
export function diabetesSuite(options: DiabetesSuiteOptions): Suite {
  checkOptions('diabetes suite', { task: TASK, ...DIABETES_OPTIONS }, { ...options });
  switch (options.task) {
    case 'diagnosis':
      return made(options, {
        task: diagnosisTask,
        patients: diagnosisPatients,
        show: showDiagnosis,
        own: ({ trueCategory }, features) => ({
          worst_result: worstResult(features),
          true_category: trueCategory,
        }),
      });
    case 'control':
      return made(options, {
        task: controlTask,
        patients: controlPatients,
        show: showControl,
        own: ({ goal, trueHba1c }) => ({ goal, true_hba1c_percent: rounded(trueHba1c) }),
      });
    case 'trend':
      return made(options, {
        task: trendTask,
        patients: trendPatients,
        show: showTrend,
        own: ({ visits, trueChange }) => ({ n_visits: visits.length, true_change: rounded(trueChange) }),
      });
  }
}

/** The options of the diagnosis suite on NHANES files. All but `dataPath` have a default. */
export interface NhanesDiagnosisOptions
  extends Pick<DiabetesSuiteOptions, 'seed' | 'testSize' | 'deferAbove'> {
  /** One merged CSV, or several CSV or SAS transport files separated by commas. */
  readonly dataPath: string;
  /** Default: `us`, the units of the files. */
  readonly units?: UnitSystem;
}

/** The suite `diabetes/diagnosis` on NHANES files that you have: labels are recomputed from the values shown; no column of the files is the label. */
export async function nhanesDiagnosisSuite(options: NhanesDiagnosisOptions): Promise<Suite> {
  checkOptions('diabetes suite', DIABETES_OPTIONS, { ...options });
  const { dataPath, units = 'us', seed = 42, testSize = 0.2, deferAbove = DEFER_ABOVE } = options;
  const { task, assess, mustActReasons } = diagnosisTask(deferAbove);
  const { people, excluded } = await nhanesPeople(dataPath, units);
  if (people.length === 0)
    throw optionError('diabetes suite: the files hold no adult without a diagnosis of diabetes', dataPath);
  shuffle(createRandom(seed, 'diabetesFile'), people);
  const nTest = Math.max(1, Math.round(people.length * testSize));
  return cohortSuite({
    name: task.id,
    domain: 'Diabetes',
    task,
    sensitivity: 'public',
    nTraining: people.length - nTest,
    *records(part) {
      for (const person of part === 'test' ? people.slice(0, nTest) : people.slice(nTest)) {
        const features = showDiagnosis(person);
        yield diabetesRecord({
          source: person.seqn,
          origin: 'nhanes',
          shown: person,
          age: person.years,
          features,
          verdict: assess(features),
          mustActReasons: mustActReasons(features),
          own: { worst_result: worstResult(features) },
        });
      }
    },
    settings: { ...SETTINGS, source: 'nhanes', units, seed, test_size: testSize, defer_above: deferAbove },
    provenance: { ...texts.nhanes, ...texts.use },
    warnings: (description) => [...texts.nhanes_warnings, ...warningsFor(description)],
    excluded: () => [...excluded].map(([reason, n]) => ({ reason, n })),
  });
}

function made<P extends Patient>(options: DiabetesSuiteOptions, maker: Maker<P>): Suite {
  const { units = 'mixed', seed = 42, nRecords = 1000, testSize = 0.2, deferAbove = DEFER_ABOVE } = options;
  const rules = maker.task(deferAbove);
  const { task } = rules;
  const nTraining = Math.round(nRecords / testSize) - nRecords;
  return cohortSuite({
    name: task.id,
    domain: 'Diabetes',
    task,
    sensitivity: 'synthetic',
    nTraining,
    *records(part) {
      let position = 0;
      for (const patient of maker.patients(seed, units)) {
        if (position === (part === 'test' ? nRecords : nRecords + nTraining)) return;
        position += 1;
        if (part === 'train' && position <= nRecords) continue;
        yield recordOf(patient, maker, rules);
      }
    },
    settings: {
      ...SETTINGS,
      source: 'cohort',
      units,
      seed,
      n_records: nRecords,
      test_size: testSize,
      defer_above: deferAbove,
    },
    provenance: { ...texts.cohort, ...texts.use },
    warnings: (description) => warningsFor(description),
  });
}

function recordOf<P extends Patient>(
  patient: P,
  { show, own }: Maker<P>,
  { assess, mustActReasons }: DiabetesTask,
): PatientRecord {
  const features = show(patient);
  return diabetesRecord({
    source: patient.person.index,
    origin: 'cohort',
    shown: patient,
    age: patient.person.age,
    features,
    verdict: assess(features),
    mustActReasons: mustActReasons(features),
    own: own(patient, features),
  });
}

function rounded(value: number): number {
  return Math.round(value * 1e3) / 1e3;
}

function warningsFor({ deferral, nRecords }: Parameters<CohortSuiteDefinition['warnings']>[0]): string[] {
  const lone = deferral.reasons.find(({ name }) => name === 'unconfirmed_single_result')?.n ?? 0;
  if (lone === 0) return [];
  return [
    `${lone} of ${nRecords} records must be deferred for one unconfirmed result in the diabetes range. The guideline asks for a second one; a clinician may call the highest of them diabetes.`,
  ];
}
