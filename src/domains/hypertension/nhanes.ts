import { KrisisError } from '../../core/index.ts';
import type { Features } from '../../suites/task.ts';
import type { Ethnicity, Person } from '../cohort/people.ts';
import { type NhanesRow, readNhanes } from '../nhanes/read-nhanes.ts';
import type { Pressure } from './blood-pressure.ts';
import { showSurveyed } from './features.ts';

const MERCURY = ['BPXSY1', 'BPXDI1', 'BPXSY2', 'BPXDI2', 'BPXSY3', 'BPXDI3', 'BPXSY4', 'BPXDI4'] as const;
const OSCILLOMETRIC = ['BPXOSY1', 'BPXODI1', 'BPXOSY2', 'BPXODI2', 'BPXOSY3', 'BPXODI3'] as const;
const OTHERS = [
  'RIDAGEYR',
  'RIAGENDR',
  'RIDRETH3',
  'RIDEXPRG',
  'BPACSZ',
  'BPAOCSZ',
  'BMXARMC',
  'BPXPULS',
  'BPQ050A',
] as const;
type Column = (typeof MERCURY | typeof OSCILLOMETRIC | typeof OTHERS)[number];
type Row = NhanesRow<Column>;

/** Cuffs by their code, with the arms they are made for. */
const MERCURY_CUFFS: Readonly<Record<number, string>> = {
  3: 'adult cuff (22 to 29.9 cm)',
  4: 'large adult cuff (30 to 37.9 cm)',
  5: 'thigh cuff (38 to 47.9 cm)',
};
const OSCILLOMETRIC_CUFFS: Readonly<Record<number, string>> = {
  2: 'small cuff (17 to 21.9 cm)',
  3: 'adult cuff (22 to 31.9 cm)',
  4: 'large cuff (32 to 41.9 cm)',
  5: 'extra large cuff (42 to 50 cm)',
};
const ETHNICITY: Readonly<Record<number, Ethnicity>> = {
  1: 'Mexican American',
  2: 'other Hispanic',
  3: 'non-Hispanic White',
  4: 'non-Hispanic Black',
  6: 'non-Hispanic Asian',
};

/** A person of the survey, and what a record shows of them. */
export interface SurveyedPerson {
  readonly person: Person;
  readonly features: Features;
}

/** Reads untreated adults with a reading from NHANES files. People who are left out are counted by reason. */
export async function nhanesAdults(
  paths: string,
): Promise<{ readonly people: SurveyedPerson[]; readonly excluded: ReadonlyMap<string, number> }> {
  const { rows, columns } = await readNhanes<Column>(paths, [...MERCURY, ...OSCILLOMETRIC, ...OTHERS]);
  const [isMercury, isOscillometric] = [columns.has('BPXSY1'), columns.has('BPXOSY1')];
  if (!columns.has('RIDAGEYR') || !columns.has('RIAGENDR'))
    throw dataError('the NHANES files have no RIDAGEYR or RIAGENDR; classification needs age and sex (DEMO)');
  if (isMercury === isOscillometric)
    throw dataError(
      isMercury
        ? 'the NHANES files have mercury (BPX) and oscillometric (BPXO) readings; give one of them, they are not mixed'
        : 'the NHANES files have no readings; give BPX (BPXSY1, BPXDI1, ...) or BPXO (BPXOSY1, BPXODI1, ...)',
    );
  const excluded = new Map<string, number>();
  const people: SurveyedPerson[] = [];
  for (const row of rows) {
    const readings = readingsOf(row, isMercury ? MERCURY : OSCILLOMETRIC);
    const why = whyLeftOut(row, readings);
    if (why === null) people.push(personOf(row, readings, isMercury));
    else excluded.set(why, (excluded.get(why) ?? 0) + 1);
  }
  return { people, excluded };
}

function dataError(message: string): KrisisError {
  return new KrisisError(message, { code: 'ERR_DATA_FILE', value: null });
}

/** A diastolic pressure of 0 means sounds down to zero: not a pressure. */
function readingsOf({ values }: Row, columns: readonly Column[]): Pressure[] {
  const readings: Pressure[] = [];
  for (let i = 0; i < columns.length; i += 2) {
    const [sbp, dbp] = [values[columns[i]!] ?? 0, values[columns[i + 1]!] ?? 0];
    if (sbp > 0 && dbp > 0) readings.push([sbp, dbp]);
  }
  return readings;
}

function whyLeftOut({ values }: Row, readings: readonly Pressure[]): string | null {
  const { RIDAGEYR: age = null, RIAGENDR: sex = null } = values;
  if (age === null || (sex !== 1 && sex !== 2)) return 'age_or_sex_missing';
  if (age < 18) return 'under_18';
  if (values.BPQ050A === 1) return 'takes_drugs_for_blood_pressure';
  return readings.length === 0 ? 'no_reading' : null;
}

function personOf({ seqn, values }: Row, readings: readonly Pressure[], isMercury: boolean): SurveyedPerson {
  const person: Person = {
    index: seqn,
    sex: values.RIAGENDR === 1 ? 'male' : 'female',
    ethnicity: ETHNICITY[values.RIDRETH3 ?? 0] ?? 'other or multiracial',
    age: values.RIDAGEYR!,
  };
  const code = (isMercury ? values.BPACSZ : values.BPAOCSZ) ?? 0;
  const features = showSurveyed(person, {
    isPregnant: values.RIDEXPRG === 1,
    cuff: (isMercury ? MERCURY_CUFFS : OSCILLOMETRIC_CUFFS)[code] ?? null,
    armCm: values.BMXARMC ?? null,
    isIrregular: values.BPXPULS === 2 ? true : values.BPXPULS === 1 ? false : null,
    readings,
  });
  return { person, features };
}
