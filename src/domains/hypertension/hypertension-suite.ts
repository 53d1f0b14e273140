import { hash } from 'node:crypto';
import type { Suite } from '../../suites/suite.ts';
import { checkOptions, choice, optionError } from '../../suites/suite-option.ts';
import type { Features } from '../../suites/task.ts';
import { type ClinicalTask, clinicalRecord, roundOrNull } from '../cohort/clinical-task.ts';
import { generatedSuite, surveySuite } from '../cohort/cohort-suite.ts';
import type { Person } from '../cohort/people.ts';
import { type BpGuideline, bpCategory, type Pressure } from './blood-pressure.ts';
import { drawAdults } from './cohort/adults.ts';
import { drawDualSettings } from './cohort/dual-setting.ts';
import { drawTreated } from './cohort/treated.ts';
import {
  CLASSIFICATION_FORM,
  FOLLOW_UP_FORM,
  PHENOTYPE_FORM,
  SURVEY_FORM,
  TREATMENT_FORM,
  withRisk,
} from './form.ts';
import { nhanesAdults } from './nhanes.ts';
import { type OfficeAverage, officeAverage } from './office-average.ts';
import texts from './provenance.json' with { type: 'json' };
import { HYPERTENSION_OPTIONS } from './suite-options.ts';
import { classificationMean } from './tasks/classification.ts';
import { settledAverage } from './tasks/follow-up.ts';
import { classificationTask, followUpTask, phenotypeTask, treatmentTask } from './tasks/tasks.ts';
import { bpChange, regressionToTheMean } from './variation.ts';

/** The options of the hypertension suites. All but `task` have a default. */
export interface HypertensionSuiteOptions {
  /** Which task: `classification`, `phenotype`, `treatment` or `follow_up`. */
  readonly task: 'classification' | 'phenotype' | 'treatment' | 'follow_up';
  /** Whose lines count. Treatment knows `acc_aha_2025` only. Default: `acc_aha_2025`. */
  readonly guideline?: BpGuideline;
  /** Seed of the generated records and of the split. Default: 42. */
  readonly seed?: number;
  /** Evaluation records of the cohort. Default: 1,000. */
  readonly nRecords?: number;
  /** Share of the patients to evaluate; the rest is for learning. Default: 0.2. */
  readonly testSize?: number;
}

const DOMAIN = 'Hypertension';
/** Counts changes of what the suites ask, show or expect: scores of different versions are not comparable. 2: emergencies of the same day, people on drugs in phenotype, inputs of the risk withheld with it. */
const VERSION = 2;
const TASK = choice('', 'which of the hypertension tasks', [
  'classification',
  'phenotype',
  'treatment',
  'follow_up',
]);
/** Usual systolic pressure of adults and its spread, for the fall that regression to the mean explains. */
const POPULATION = { populationMean: 124, sdBetween: 16, sdWithin: 8 } as const;

/**
 * Hypertension: the category of office pressure, the phenotype by office and out-of-office pressure, whether to start drugs, and whether treated pressure is controlled.
 *
 * @example
 * ```ts
 * const suite = hypertensionSuite({ task: 'classification', nRecords: 20 });
 * (await suite.load()).length // => 20
 * suite.task.labels // => ['normal', 'elevated', 'stage_1', 'stage_2']
 * hypertensionSuite({ task: 'classification', guideline: 'esc_2024' }).task.labels // => ['non_elevated', 'elevated', 'hypertension']
 * ```
 */
export function hypertensionSuite(options: HypertensionSuiteOptions): Suite {
  checkOptions('hypertension suite', { task: TASK, ...HYPERTENSION_OPTIONS }, { ...options });
  const { task, guideline = 'acc_aha_2025', seed = 42 } = options;
  if (task === 'treatment' && guideline !== 'acc_aha_2025')
    throw optionError(
      `hypertension/treatment: guideline is "${guideline}"; its rules are those of acc_aha_2025 only`,
      guideline,
    );
  switch (task) {
    case 'classification':
      return cohort(options, classificationTask(guideline), {
        people: () => drawAdults(seed, guideline),
        show: CLASSIFICATION_FORM.show,
        mean: (given) => classificationMean(given, guideline),
        hidden: ({ band, usual }) => ({ band, ...usualPressure(usual) }),
      });
    case 'phenotype':
      return cohort(options, phenotypeTask(guideline), {
        people: () => drawDualSettings(seed, guideline),
        show: PHENOTYPE_FORM.show,
        mean: ({ officeMean }) => officeMean,
        hidden: ({ kind }) => ({ band: kind }),
      });
    case 'treatment':
      return cohort(options, treatmentTask(), {
        people: () => drawAdults(seed, guideline),
        show: (adult) => TREATMENT_FORM.show(withRisk(adult)),
        mean: ({ mean }) => mean,
        hidden: ({ band, usual }) => ({ band, ...usualPressure(usual) }),
      });
    case 'follow_up':
      return cohort(options, followUpTask(guideline), {
        people: () => drawTreated(seed),
        show: FOLLOW_UP_FORM.show,
        mean: (given) => settledAverage(given, guideline).mean,
        hidden({ outcome, usualAfter, changedDay }, given) {
          const earlier = given.visits.filter(({ day }) => (day ?? 0) <= changedDay);
          const before = officeAverage(earlier, null, guideline);
          const change = compareMeans(before, settledAverage(given, guideline));
          return { band: outcome, ...usualPressure(usualAfter), ...change };
        },
      });
  }
}

/** The options of classification on NHANES files. */
export interface NhanesClassificationOptions
  extends Pick<HypertensionSuiteOptions, 'guideline' | 'seed' | 'testSize'> {
  /** One merged CSV, or several CSV or SAS transport files with commas between them. */
  readonly dataPath: string;
}

/** Classification on a copy of NHANES files: one visit each, of which the question says that a second gave the same average. */
export async function nhanesClassificationSuite(options: NhanesClassificationOptions): Promise<Suite> {
  checkOptions('hypertension suite', HYPERTENSION_OPTIONS, { ...options });
  const { dataPath, guideline = 'acc_aha_2025', seed = 42, testSize = 0.2 } = options;
  const survey = await nhanesAdults(dataPath);
  if (survey.people.length === 0)
    throw optionError('hypertension suite: the files hold no untreated adult with a reading', dataPath);
  const rules = classificationTask(guideline, true);
  return surveySuite({
    ...survey,
    domain: DOMAIN,
    task: rules.task,
    seed,
    stream: 'hypertensionFile',
    testSize,
    record: (person) =>
      hypertensionRecord(rules, person, SURVEY_FORM.show(person), {
        origin: 'nhanes',
        guideline,
        mean: (given) => classificationMean(given, guideline),
        hidden: () => ({}),
      }),
    settings: { version: VERSION, source: 'nhanes', guideline, seed, test_size: testSize, min_visits: 1 },
    provenance: { ...texts.nhanes, guideline: texts.guidelines[guideline], ...texts.use },
    warnings: () => texts.warnings.nhanes,
  });
}

/** What differs between the cohorts of the tasks. */
interface Cohort<P extends Person, Case> {
  readonly people: () => Generator<P, never>;
  readonly show: (person: P) => Features;
  /** The mean that the answer rests on. */
  readonly mean: (given: Case) => Pressure | null;
  /** What is never shown, and kept for a reader of the records. */
  readonly hidden: (person: P, given: Case) => Readonly<Record<string, unknown>>;
}

function cohort<P extends Person, Case>(
  options: HypertensionSuiteOptions,
  rules: ClinicalTask<Case>,
  { people, show, mean, hidden }: Cohort<P, Case>,
): Suite {
  const { task, guideline = 'acc_aha_2025', seed = 42, nRecords = 1000, testSize = 0.2 } = options;
  return generatedSuite({
    domain: DOMAIN,
    task: rules.task,
    people,
    record: (person) =>
      hypertensionRecord(rules, person, show(person), {
        origin: 'cohort',
        guideline,
        mean,
        hidden: (given) => hidden(person, given),
      }),
    nRecords,
    testSize,
    settings: { version: VERSION, guideline, seed, n_records: nRecords, test_size: testSize },
    provenance: { ...texts.cohort, guideline: texts.guidelines[guideline], ...texts.use },
    warnings: () => [
      texts.warnings.shared,
      ...(task === 'classification' && guideline === 'acc_aha_2025' ? [texts.warnings.elevated] : []),
    ],
  });
}

function hypertensionRecord<Case>(
  rules: ClinicalTask<Case>,
  person: Person,
  features: Features,
  about: Pick<Cohort<Person, Case>, 'mean'> & {
    readonly origin: 'cohort' | 'nhanes';
    readonly guideline: BpGuideline;
    readonly hidden: (given: Case) => Readonly<Record<string, unknown>>;
  },
) {
  const { origin, guideline, hidden } = about;
  // The place in the cohort keeps ids apart where two people look the same.
  const id = hash('sha256', `${person.index} ${JSON.stringify(features)}`).slice(0, 16);
  return clinicalRecord(rules, {
    id: `hypertension-${id}`,
    features,
    person,
    youngest: person.age < 18 ? 'under 18' : '18-44',
    facts(given) {
      const mean = about.mean(given);
      return { origin, guideline, bp_category: mean === null ? null : bpCategory(mean, guideline) };
    },
    hidden,
  });
}

function usualPressure([sbp, dbp]: Pressure) {
  return { usual_sbp: roundOrNull(sbp, 10), usual_dbp: roundOrNull(dbp, 10) };
}

/** How systolic pressure fell, beside what regression to the mean would have done without treatment. */
function compareMeans(before: OfficeAverage, after: OfficeAverage) {
  if (before.mean === null || after.mean === null)
    return { expected_fall: null, observed_change: null, change_beyond_variation: null };
  const [observed] = before.mean;
  const { expectedFall } = regressionToTheMean({ observed, ...POPULATION, n: before.nVisits });
  const { change, beyond } = bpChange({
    before: observed,
    after: after.mean[0],
    nBefore: before.nVisits,
    nAfter: after.nVisits,
  });
  return {
    expected_fall: roundOrNull(expectedFall, 10),
    observed_change: roundOrNull(change, 10),
    change_beyond_variation: beyond,
  };
}
