import { KrisisError } from '../../core/errors.ts';
import { type NhanesRow, readNhanes, type SurveyPeople, surveyAdults } from '../nhanes/read-nhanes.ts';
import type { Pressure } from './blood-pressure.ts';
import type { SurveyedPerson } from './form.ts';

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
/** Reads untreated adults with a reading from NHANES files. */
export async function nhanesAdults(paths: string): Promise<SurveyPeople<SurveyedPerson>> {
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
  const readings = (row: NhanesRow<Column>) => readPressures(row, isMercury ? MERCURY : OSCILLOMETRIC);
  return surveyAdults<Column, SurveyedPerson>(
    rows,
    (row) => {
      if (row.values.BPQ050A === 1) return 'takes_drugs_for_blood_pressure';
      return readings(row).length === 0 ? 'no_reading' : null;
    },
    (row, { years, sex, ethnicity }) => {
      const { values, seqn } = row;
      const cuff = (isMercury ? values.BPACSZ : values.BPAOCSZ) ?? 0;
      return {
        index: seqn,
        sex,
        ethnicity: ethnicity ?? 'other or multiracial',
        age: years,
        remark: values.RIDEXPRG === 1 ? 'pregnant' : null,
        cuff: (isMercury ? MERCURY_CUFFS : OSCILLOMETRIC_CUFFS)[cuff] ?? null,
        armCm: values.BMXARMC ?? null,
        isIrregular: values.BPXPULS === 2 ? true : values.BPXPULS === 1 ? false : null,
        visits: [{ day: 0, readings: readings(row) }],
      };
    },
  );
}

function dataError(message: string): KrisisError {
  return new KrisisError(message, { code: 'ERR_DATA_FILE', value: null });
}

/** A diastolic pressure of 0 means sounds down to zero: not a pressure. */
function readPressures({ values }: NhanesRow<Column>, columns: readonly Column[]): Pressure[] {
  const readings: Pressure[] = [];
  for (let i = 0; i < columns.length; i += 2) {
    const [sbp, dbp] = [values[columns[i]!] ?? 0, values[columns[i + 1]!] ?? 0];
    if (sbp > 0 && dbp > 0) readings.push([sbp, dbp]);
  }
  return readings;
}
