import { contentHash } from '../../core/canonical-json.ts';
import type { Suite, SuiteDescription } from '../../suites/suite.ts';
import { checkOptions, choice, optionError } from '../../suites/suite-option.ts';
import type { Features } from '../../suites/task.ts';
import { type ClinicalTask, clinicalRecord, roundOrNull } from '../cohort/clinical-task.ts';
import { generatedSuite, surveySuite } from '../cohort/cohort-suite.ts';
import { DEFER_ABOVE } from '../cohort/verdict.ts';
import { GUIDELINE } from './ada.ts';
import { controlPatients } from './control/cohort.ts';
import { CONTROL_FORM, controlTask } from './control/task.ts';
import { diagnosisPatients } from './diagnosis/cohort.ts';
import { nhanesPeople } from './diagnosis/nhanes.ts';
import { DIAGNOSIS_FORM, diagnosisTask, worstResult } from './diagnosis/task.ts';
import type { ShownPerson, UnitSystem } from './form.ts';
import texts from './provenance.json' with { type: 'json' };
import { DIABETES_OPTIONS } from './suite-options.ts';
import { trendPatients } from './trend/cohort.ts';
import { TREND_FORM, trendTask } from './trend/task.ts';

/** The options of a diabetes suite. All but `task` have a default. */
export interface DiabetesSuiteOptions {
  /** Which task: `diagnosis`, `control` or `trend`. */
  readonly task: 'diagnosis' | 'control' | 'trend';
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

const DOMAIN = 'Diabetes';
/** The edition whose criteria were read; those of 2024 to 2026 are the same. */
const GUIDELINE_VERSION = '2020-2026';
/** Counts changes of what the suites ask, show or expect: scores of different versions are not comparable. 2: emergencies of the same day, HbA1c in acute illness, plausible lows. */
const DIABETES_VERSION = 2;
const SETTINGS = { version: DIABETES_VERSION, guideline: GUIDELINE, guideline_version: GUIDELINE_VERSION };
const TASK = choice('', 'which of the diabetes tasks', ['diagnosis', 'control', 'trend']);

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
      return cohort(options, diagnosisTask, DIAGNOSIS_FORM.show, diagnosisPatients, (patient, given) => ({
        worst_result: worstResult(given),
        true_category: patient.trueCategory,
      }));
    case 'control':
      return cohort(options, controlTask, CONTROL_FORM.show, controlPatients, ({ goal, trueHba1c }) => ({
        goal,
        true_hba1c_percent: roundOrNull(trueHba1c, 1e3),
      }));
    case 'trend':
      return cohort(options, trendTask, TREND_FORM.show, trendPatients, ({ visits, trueChange }) => ({
        n_visits: visits.length,
        true_change: roundOrNull(trueChange, 1e3),
      }));
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
  const rules = diagnosisTask(deferAbove);
  const survey = await nhanesPeople(dataPath, units);
  if (survey.people.length === 0)
    throw optionError('diabetes suite: the files hold no adult without a diagnosis of diabetes', dataPath);
  return surveySuite({
    ...survey,
    domain: DOMAIN,
    task: rules.task,
    seed,
    stream: 'diabetesFile',
    testSize,
    record: (person) =>
      diabetesRecord(rules, 'nhanes', person, DIAGNOSIS_FORM.show(person), (given) => ({
        worst_result: worstResult(given),
      })),
    settings: { ...SETTINGS, source: 'nhanes', units, seed, test_size: testSize, defer_above: deferAbove },
    provenance: { ...texts.nhanes, ...texts.use },
    warnings: (description) => [...texts.nhanes_warnings, ...warningsFor(description)],
  });
}

function cohort<P extends ShownPerson, Case>(
  options: DiabetesSuiteOptions,
  makeTask: (deferAbove: number) => ClinicalTask<Case>,
  show: (person: NoInfer<P>) => Features,
  patients: (seed: number, units: UnitSystem | 'mixed') => Generator<P, never>,
  hidden: (patient: P, given: Case) => Readonly<Record<string, unknown>>,
): Suite {
  const { units = 'mixed', seed = 42, nRecords = 1000, testSize = 0.2, deferAbove = DEFER_ABOVE } = options;
  const rules = makeTask(deferAbove);
  return generatedSuite({
    domain: DOMAIN,
    task: rules.task,
    people: () => patients(seed, units),
    record: (patient) =>
      diabetesRecord(rules, 'cohort', patient, show(patient), (given) => hidden(patient, given)),
    nRecords,
    testSize,
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
    warnings: warningsFor,
  });
}

function diabetesRecord<Case>(
  rules: ClinicalTask<Case>,
  origin: string,
  { source, years, sex, ethnicity, units }: ShownPerson,
  features: Features,
  hidden: (given: Case) => Readonly<Record<string, unknown>>,
) {
  return clinicalRecord(rules, {
    id: `diabetes-${contentHash({ features, source }).slice(0, 16)}`,
    features,
    person: { age: years, sex, ethnicity },
    facts: () => ({ origin, guideline: `${GUIDELINE} ${GUIDELINE_VERSION}`, units }),
    youngest: '20-44',
    hidden,
  });
}

function warningsFor({ deferral, nRecords }: Pick<SuiteDescription, 'deferral' | 'nRecords'>): string[] {
  const lone = deferral.reasons.find(({ name }) => name === 'unconfirmed_single_result')?.n ?? 0;
  if (lone === 0) return [];
  return [
    `${lone} of ${nRecords} records must be deferred for one unconfirmed result in the diabetes range. The guideline asks for a second one; a clinician may call the highest of them diabetes.`,
  ];
}
