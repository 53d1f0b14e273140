import type { PatientRecord } from '../../core/index.ts';
import { createRandom, shuffle } from '../../statistics/index.ts';
import { cohortSuite } from '../cohort/cohort-suite.ts';
import type { Person } from '../cohort/people.ts';
import { checkOptions, choice, optionError } from '../domains/suite-option.ts';
import type { Suite } from '../suite.ts';
import type { Features } from '../task.ts';
import type { BpGuideline, Pressure } from './blood-pressure.ts';
import { drawAdults } from './cohort/adults.ts';
import { drawDualSettings } from './cohort/dual-setting.ts';
import { drawTreated } from './cohort/treated.ts';
import {
  readClassification,
  readFollowUp,
  readPhenotype,
  readTreatment,
  showClassification,
  showFollowUp,
  showPhenotype,
  showTreatment,
} from './features.ts';
import { nhanesAdults } from './nhanes.ts';
import { officeAverage } from './office-average.ts';
import texts from './provenance.json' with { type: 'json' };
import { hypertensionRecord } from './record.ts';
import { HYPERTENSION_OPTIONS } from './suite-options.ts';
import { settledAverage } from './tasks/follow-up.ts';
import {
  HYPERTENSION_TASKS,
  type HypertensionTask,
  type HypertensionTaskName,
  hypertensionTask,
} from './tasks/hypertension-task.ts';
import { bpChange, regressionToTheMean } from './variation.ts';

/** The options of the hypertension suites. All but `task` have a default. */
export interface HypertensionSuiteOptions {
  /** Which task: `classification`, `phenotype`, `treatment` or `follow_up`. */
  readonly task: HypertensionTaskName;
  /** Whose lines count. Treatment knows `acc_aha_2025` only. Default: `acc_aha_2025`. */
  readonly guideline?: BpGuideline;
  /** Seed of the generated records and of the split. Default: 42. */
  readonly seed?: number;
  /** Evaluation records of the cohort. Default: 1,000. */
  readonly nRecords?: number;
  /** Share of the patients to evaluate; the rest is for learning. Default: 0.2. */
  readonly testSize?: number;
}

/** Counts changes of what the suites ask, show or expect: scores of different versions are not comparable. 2: emergencies of the same day, people on drugs in phenotype, inputs of the risk withheld with it. */
const VERSION = 2;
const TASK = choice('', 'which of the hypertension tasks', HYPERTENSION_TASKS);
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
  const { task, guideline = 'acc_aha_2025', seed = 42, nRecords = 1000, testSize = 0.2 } = options;
  if (task === 'treatment' && guideline !== 'acc_aha_2025')
    throw optionError(
      `hypertension/treatment: guideline is "${guideline}"; its rules are those of acc_aha_2025 only`,
      guideline,
    );
  const nTraining = Math.round(nRecords / testSize) - nRecords;
  const rules = hypertensionTask(task, { guideline, confirmed: false });
  return cohortSuite({
    name: `hypertension/${task}`,
    domain: 'Hypertension',
    task: rules.task,
    sensitivity: 'synthetic',
    nTraining,
    *records(part) {
      const [from, n] = part === 'test' ? [0, nRecords] : [nRecords, nTraining];
      yield* records(rules, RECORDS[task](seed, guideline), guideline).drop(from).take(n);
    },
    settings: { version: VERSION, guideline, seed, n_records: nRecords, test_size: testSize },
    provenance: { ...texts.cohort, guideline: texts.guidelines[guideline], ...texts.use },
    warnings: () => [
      texts.warnings.shared,
      ...(task === 'classification' && guideline === 'acc_aha_2025' ? [texts.warnings.elevated] : []),
    ],
  });
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
  const { people, excluded } = await nhanesAdults(dataPath);
  if (people.length === 0)
    throw optionError('hypertension suite: the files hold no untreated adult with a reading', dataPath);
  shuffle(createRandom(seed, 'hypertensionFile'), people);
  const nTest = Math.max(1, Math.round(people.length * testSize));
  const { task, assess, mustActReasons } = hypertensionTask('classification', { guideline, confirmed: true });
  return cohortSuite({
    name: 'hypertension/classification',
    domain: 'Hypertension',
    task,
    sensitivity: 'public',
    nTraining: people.length - nTest,
    *records(part) {
      for (const { person, features } of part === 'test' ? people.slice(0, nTest) : people.slice(nTest)) {
        const given = readClassification(features);
        const { mean } = officeAverage(given.visits, given.rhythm, guideline);
        yield hypertensionRecord({
          person,
          features,
          verdict: assess(features),
          mustActReasons: mustActReasons(features),
          guideline,
          mean,
          origin: 'nhanes',
          hidden: {},
        });
      }
    },
    settings: { version: VERSION, source: 'nhanes', guideline, seed, test_size: testSize, min_visits: 1 },
    provenance: { ...texts.nhanes, guideline: texts.guidelines[guideline], ...texts.use },
    warnings: () => texts.warnings.nhanes,
    excluded: () => [...excluded].map(([reason, n]) => ({ reason, n })),
  });
}

/** What a task shows of a generated person, with the mean that the answer rests on and what is never shown. */
interface Shown {
  readonly person: Person;
  readonly features: Features;
  readonly mean: Pressure | null;
  readonly hidden: Readonly<Record<string, unknown>>;
}

const RECORDS: Record<HypertensionTaskName, (seed: number, guideline: BpGuideline) => Generator<Shown>> = {
  *classification(seed, guideline) {
    for (const adult of drawAdults(seed, guideline)) {
      const features = showClassification(adult);
      const { visits, rhythm } = readClassification(features);
      const { mean } = officeAverage(visits, rhythm, guideline);
      yield { person: adult, features, mean, hidden: { band: adult.band, ...usual(adult.usual) } };
    }
  },
  *treatment(seed, guideline) {
    for (const adult of drawAdults(seed, guideline)) {
      const features = showTreatment(adult);
      const { mean } = readTreatment(features);
      yield { person: adult, features, mean, hidden: { band: adult.band, ...usual(adult.usual) } };
    }
  },
  *phenotype(seed, guideline) {
    for (const person of drawDualSettings(seed, guideline)) {
      const features = showPhenotype(person);
      yield { person, features, mean: readPhenotype(features).officeMean, hidden: { band: person.kind } };
    }
  },
  *follow_up(seed, guideline) {
    for (const person of drawTreated(seed)) {
      const features = showFollowUp(person);
      const { visits, treatmentChangedDay } = readFollowUp(features);
      const after = settledAverage(visits, treatmentChangedDay, guideline);
      const earlier = visits.filter(({ day }) => (day ?? 0) <= person.changedDay);
      const before = officeAverage(earlier, null, guideline);
      const hidden = { band: person.outcome, ...usual(person.usualAfter), ...changeOf(before, after) };
      yield { person, features, mean: after.mean, hidden };
    }
  },
};

function* records(
  { assess, mustActReasons }: HypertensionTask,
  people: Iterable<Shown>,
  guideline: BpGuideline,
): Generator<PatientRecord> {
  for (const shown of people) {
    const { features } = shown;
    const decided = { verdict: assess(features), mustActReasons: mustActReasons(features) };
    yield hypertensionRecord({ ...shown, ...decided, guideline, origin: 'cohort' });
  }
}

function usual([sbp, dbp]: Pressure) {
  return { usual_sbp: Math.round(sbp * 10) / 10, usual_dbp: Math.round(dbp * 10) / 10 };
}

type Average = ReturnType<typeof officeAverage>;

/** How systolic pressure fell, beside what regression to the mean would have done without treatment. */
function changeOf(before: Average, after: Average) {
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
    expected_fall: Math.round(expectedFall * 10) / 10,
    observed_change: Math.round(change * 10) / 10,
    change_beyond_variation: beyond,
  };
}
