import type { FeatureValue } from '../../core/index.ts';
import type { Features } from '../task.ts';
import { type CkdCase, CONTEXTS, type Context } from './case.ts';
import type { Sex } from './equations/ckd-epi.ts';
import type { CkdPatient } from './patient.ts';
import {
  UCI_EXTRAS,
  UCI_FEATURES,
  type UciColumn,
  type UciFeature,
  type UciValue,
} from './source/columns.ts';

/** Which measurements are shown; age and sex always are. */
export const FEATURE_SETS = {
  full: UCI_FEATURES.map(({ name }) => name).filter((name) => name !== 'age'),
  reduced: ['htn', 'dm', 'sg', 'hemo', 'pcv', 'rbcc', 'rbc', 'pc', 'al', 'bgr', 'sc', 'bu'],
} as const satisfies Record<string, readonly UciFeature[]>;
export type FeatureSet = keyof typeof FEATURE_SETS;

const CONTEXT = 'Clinical context';
const NO_CONTEXT = 'nothing special recorded';
const VISITS = 'Visits';
const VISIT_AGE = 'age (years)';
const VISIT_CREATININE = 'serum creatinine (mg/dL)';
const VISIT_ACR = 'urine albumin-creatinine ratio (mg/g)';
const IMPUTED = ' (imputed, not measured)';
const DAY_MS = 86_400_000;

/** The readable name of a column, with its unit. */
export function featureName(column: UciColumn): string {
  const name = column.label[0]!.toUpperCase() + column.label.slice(1);
  return column.unit === null ? name : `${name} (${column.unit})`;
}

const NAMES = new Map([...UCI_FEATURES, ...UCI_EXTRAS].map((column) => [column.name, featureName(column)]));
const nameOf = (column: UciFeature | 'sex' | 'acr') => NAMES.get(column)!;

/** What the model sees of a patient: readable names, units, null for not measured, imputed values marked as such. */
export function showFeatures(patient: CkdPatient, set: FeatureSet): Features {
  const columns: readonly UciFeature[] = FEATURE_SETS[set];
  const withVisits = patient.visits !== undefined;
  return {
    [nameOf('age')]: patient.age,
    [nameOf('sex')]: patient.sex,
    ...(patient.context === undefined
      ? {}
      : { [CONTEXT]: patient.context === null ? (patient.remark ?? NO_CONTEXT) : CONTEXTS[patient.context] }),
    // With visits, creatinine and ACR are listed there, dated.
    ...Object.fromEntries(
      columns
        .filter((column) => !(withVisits && column === 'sc'))
        .map((column) => [nameOf(column), shown(patient, column)]),
    ),
    ...(patient.acr === undefined || withVisits ? {} : { [nameOf('acr')]: patient.acr }),
    ...(patient.visits === undefined ? {} : { [VISITS]: patient.visits.map(showVisit) }),
  };
}

function shown(patient: CkdPatient, column: UciFeature): FeatureValue {
  const filled = patient.imputed[column];
  return filled === undefined ? words(patient.values[column]) : `${words(filled)}${IMPUTED}`;
}

/** The source writes "notpresent"; a reader does not. */
function words(value: UciValue): UciValue {
  return value === 'notpresent' ? 'not present' : value;
}

function showVisit({
  date,
  age,
  creatinineMgDl,
  acrMgPerG,
}: NonNullable<CkdPatient['visits']>[number]): FeatureValue {
  return { date, [VISIT_AGE]: age, [VISIT_CREATININE]: creatinineMgDl, [VISIT_ACR]: acrMgPerG };
}

/** Whether the record mentions anything under clinical context, of consequence or not. */
export function hasContextLine(features: Features): boolean {
  return (features[CONTEXT] ?? NO_CONTEXT) !== NO_CONTEXT;
}

/**
 * Reads a case back from what is shown, and from nothing else: labels and deferral can be recomputed by any reader of the record. Imputed values count as not
 * measured.
 */
export function caseFromFeatures(features: Features): CkdCase {
  const number = (column: UciFeature | 'acr') => {
    const value = features[nameOf(column)];
    return typeof value === 'number' ? value : null;
  };
  const context = (Object.keys(CONTEXTS) as Context[]).find((key) => CONTEXTS[key] === features[CONTEXT]);
  const visits = (features[VISITS] ?? []) as readonly { readonly [name: string]: FeatureValue }[];
  const days = visits.map(({ date }) => Date.parse(String(date)) / DAY_MS);
  return {
    age: number('age'),
    sex: (features[nameOf('sex')] ?? null) as Sex | null,
    creatinineMgDl:
      visits.length > 0 ? ((visits.at(-1)![VISIT_CREATININE] ?? null) as number | null) : number('sc'),
    acrMgPerG: visits.length > 0 ? ((visits.at(-1)![VISIT_ACR] ?? null) as number | null) : number('acr'),
    dipstick: number('al'),
    urineRedCells: features[nameOf('rbc')] === 'abnormal',
    potassium: number('pot'),
    sodium: number('sod'),
    haemoglobin: number('hemo'),
    context: context ?? null,
    visits: visits.map((visit, i) => ({
      daysBefore: Math.round(days.at(-1)! - days[i]!),
      age: (visit[VISIT_AGE] ?? null) as number | null,
      creatinineMgDl: (visit[VISIT_CREATININE] ?? null) as number | null,
    })),
  };
}
