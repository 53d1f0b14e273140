import { KrisisError } from '../../../core/index.ts';
import type { Ethnicity } from '../../cohort/people.ts';
import { type NhanesRow, readNhanes } from '../../nhanes/read-nhanes.ts';
import { NO_CONTEXT } from '../contexts.ts';
import type { ShownBackground, UnitSystem } from '../shown.ts';
import type { DiagnosisPerson, MeasuredResult } from './features.ts';

/** A person of the survey. */
export interface NhanesPerson extends DiagnosisPerson {
  readonly seqn: number;
  readonly years: number;
}

const REQUIRED = ['RIDAGEYR', 'RIAGENDR', 'LBXGH'] as const;
const COLUMNS = [
  ...REQUIRED,
  'RIDRETH3',
  'RIDRETH1',
  'RIDEXPRG',
  'LBXGLU',
  'WTSAF2YR',
  'PHAFSTHR',
  'PHAFSTMN',
  'LBXGLT',
  'GTXDRANK',
  'DIQ010',
  'DIQ050',
  'DIQ070',
  'BMXBMI',
  'BMXWAIST',
  'LBXTC',
  'LBXSCH',
  'LBDHDD',
  'LBXTR',
  'LBXSCR',
  'LBXHGB',
  'BPXSY1',
  'BPXDI1',
] as const;
type Column = (typeof COLUMNS)[number];

/** RIDRETH3 has a number of its own for Asian people; RIDRETH1 counts them among others (5). */
const ETHNICITY: Readonly<Record<number, Ethnicity>> = {
  1: 'Mexican American',
  2: 'other Hispanic',
  3: 'non-Hispanic White',
  4: 'non-Hispanic Black',
  5: 'other or multiracial',
  6: 'non-Hispanic Asian',
  7: 'other or multiracial',
};
/** From this age on the survey publishes no exact one. */
const OLDEST = 80;

/** Reads adults without a diagnosis of diabetes from NHANES files. People who are left out are counted by reason. */
export async function nhanesPeople(
  paths: string,
  units: UnitSystem,
): Promise<{ readonly people: NhanesPerson[]; readonly excluded: ReadonlyMap<string, number> }> {
  const { rows, columns } = await readNhanes(paths, COLUMNS);
  const absent = REQUIRED.filter((name) => !columns.has(name));
  if (absent.length > 0)
    throw new KrisisError(
      `the NHANES files have no column ${absent.join(', ')}; diagnosis needs age and sex (DEMO) and HbA1c (GHB)`,
      { code: 'ERR_DATA_FILE', value: absent },
    );
  const excluded = new Map<string, number>();
  const people: NhanesPerson[] = [];
  for (const row of rows) {
    const why = whyLeftOut(row);
    if (why === null) people.push(personOf(row, units));
    else excluded.set(why, (excluded.get(why) ?? 0) + 1);
  }
  return { people, excluded };
}

type Row = NhanesRow<Column>;

function whyLeftOut({ values }: Row): string | null {
  const { RIDAGEYR: age = null, RIAGENDR: sex = null, DIQ010: told = null } = values;
  if (age === null || (sex !== 1 && sex !== 2)) return 'age_or_sex_missing';
  if (age < 18) return 'under_18';
  return told === 1 ? 'diabetes_already_diagnosed' : null;
}

function personOf(row: Row, units: UnitSystem): NhanesPerson {
  const { values, seqn } = row;
  const years = values.RIDAGEYR!;
  return {
    seqn,
    years,
    age: years >= OLDEST ? '80 or older' : years,
    sex: values.RIAGENDR === 1 ? 'male' : 'female',
    ethnicity: ETHNICITY[values.RIDRETH3 ?? values.RIDRETH1 ?? 0] ?? null,
    units,
    context: contextWords(row),
    classicSymptoms: null,
    results: resultsOf(row),
    acute: null,
    background: backgroundOf(row),
  };
}

function contextWords({ values }: Row): string {
  if (values.RIDEXPRG === 1) return 'pregnant';
  if (values.DIQ050 === 1 || values.DIQ070 === 1) return 'takes tablets or insulin that lower glucose';
  return NO_CONTEXT;
}

function resultsOf({ values }: Row): MeasuredResult[] {
  const { LBXGH: hba1c = null, LBXGLU: glucose = null, LBXGLT: ogtt = null } = values;
  const results: MeasuredResult[] = [];
  const add = (test: MeasuredResult['test'], value: number | null, fastingHours: number | null = null) => {
    if (value !== null && value > 0) results.push({ test, value, daysAgo: null, fastingHours, meter: false });
  };
  add('hba1c', hba1c);
  const hours = values.PHAFSTHR ?? null;
  // Without stated hours, only people with a fasting weight are known to have fasted 8 to 24 hours.
  if (hours !== null) add('fpg', glucose, Math.floor(hours + (values.PHAFSTMN ?? 0) / 60));
  else add((values.WTSAF2YR ?? 0) > 0 ? 'fpg' : 'random', glucose);
  if (values.GTXDRANK === 1) add('ogtt_2h', ogtt);
  return results;
}

function backgroundOf({ values }: Row): ShownBackground {
  const { BPXSY1: sbp = null, BPXDI1: dbp = null } = values;
  return {
    bmi: values.BMXBMI ?? null,
    waistCm: values.BMXWAIST ?? null,
    // A diastolic pressure of 0 means sounds down to zero, not a pressure.
    pressure: sbp === null || dbp === null || dbp === 0 ? null : `${sbp}/${dbp}`,
    totalCholesterolMgDl: values.LBXTC ?? values.LBXSCH ?? null,
    hdlMgDl: values.LBDHDD ?? null,
    triglyceridesMgDl: values.LBXTR ?? null,
    creatinineMgDl: values.LBXSCR ?? null,
    haemoglobinGDl: values.LBXHGB ?? null,
  };
}
