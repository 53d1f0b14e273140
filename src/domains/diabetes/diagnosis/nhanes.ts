import { KrisisError } from '../../../core/errors.ts';
import { NO_CONTEXT } from '../../cohort/fields.ts';
import { type NhanesRow, readNhanes, type SurveyPeople, surveyAdults } from '../../nhanes/read-nhanes.ts';
import type { ShownBackground, UnitSystem } from '../form.ts';
import type { DiagnosisPerson, MeasuredResult } from './task.ts';

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

/** From this age on the survey publishes no exact one. */
const OLDEST = 80;

/** Reads adults without a diagnosis of diabetes from NHANES files. */
export async function nhanesPeople(paths: string, units: UnitSystem): Promise<SurveyPeople<DiagnosisPerson>> {
  const { rows, columns } = await readNhanes(paths, COLUMNS);
  const absent = REQUIRED.filter((name) => !columns.has(name));
  if (absent.length > 0)
    throw new KrisisError(
      `the NHANES files have no column ${absent.join(', ')}; diagnosis needs age and sex (DEMO) and HbA1c (GHB)`,
      { code: 'ERR_DATA_FILE', value: absent },
    );
  return surveyAdults(
    rows,
    ({ values }) => (values.DIQ010 === 1 ? 'diabetes_already_diagnosed' : null),
    (row, who) => ({
      ...who,
      source: row.seqn,
      age: who.years >= OLDEST ? '80 or older' : who.years,
      units,
      context: contextWords(row),
      classicSymptoms: null,
      results: readResults(row),
      acute: null,
      background: readBackground(row),
    }),
  );
}

type Row = NhanesRow<(typeof COLUMNS)[number]>;

function contextWords({ values }: Row): string {
  if (values.RIDEXPRG === 1) return 'pregnant';
  if (values.DIQ050 === 1 || values.DIQ070 === 1) return 'takes tablets or insulin that lower glucose';
  return NO_CONTEXT;
}

function readResults({ values }: Row): MeasuredResult[] {
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

function readBackground({ values }: Row): ShownBackground {
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
