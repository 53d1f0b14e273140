import type { FeatureValue } from '../../core/patient-record.ts';
import type { Features } from '../../suites/task.ts';
import { CONTEXT, type Lines, NO_CONTEXT, numberOrNull, toLines } from '../cohort/fields.ts';
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

const NAMES = Object.fromEntries(
  [...UCI_FEATURES, ...UCI_EXTRAS].map((column) => [column.name, featureName(column)]),
) as Record<UciFeature | 'sex' | 'acr', string>;

/** What the model sees of a patient: readable names, units, null for not measured, imputed values marked as such. */
export function showFeatures(patient: CkdPatient, set: FeatureSet): Features {
  const columns: readonly UciFeature[] = FEATURE_SETS[set];
  const withVisits = patient.visits !== undefined;
  const labels: string[] = [];
  const values: FeatureValue[] = [];
  const add = (label: string, value: FeatureValue) => {
    labels.push(label);
    values.push(value);
  };
  add(NAMES.age, patient.age);
  add(NAMES.sex, patient.sex);
  if (patient.context !== undefined)
    add(CONTEXT, patient.context === null ? (patient.remark ?? NO_CONTEXT) : CONTEXTS[patient.context]);
  // With visits, creatinine and ACR are listed there, dated.
  for (const column of columns)
    if (!(withVisits && column === 'sc')) add(NAMES[column], shown(patient, column));
  if (patient.acr !== undefined && !withVisits) add(NAMES.acr, patient.acr);
  if (patient.visits !== undefined) add(VISITS, patient.visits.map(showVisit));
  return toLines(labels, values);
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

/**
 * Reads a case back from what is shown, and from nothing else: labels and deferral can be recomputed by any reader of the record. Imputed values count as not
 * measured.
 */
export function caseFromFeatures(features: Features): CkdCase {
  const number = (column: UciFeature | 'acr') => numberOrNull(features[NAMES[column]]);
  const context = (Object.keys(CONTEXTS) as Context[]).find((key) => CONTEXTS[key] === features[CONTEXT]);
  const visits = (features[VISITS] ?? []) as readonly Lines[];
  const last = visits.at(-1);
  const days = visits.map(({ date }) => Date.parse(String(date)) / DAY_MS);
  return {
    age: number('age'),
    sex: (features[NAMES.sex] ?? null) as Sex | null,
    // With visits, creatinine and ACR are those of the last one.
    creatinineMgDl: last === undefined ? number('sc') : numberOrNull(last[VISIT_CREATININE]),
    acrMgPerG: last === undefined ? number('acr') : numberOrNull(last[VISIT_ACR]),
    dipstick: number('al'),
    urineRedCells: features[NAMES.rbc] === 'abnormal',
    potassium: number('pot'),
    sodium: number('sod'),
    haemoglobin: number('hemo'),
    context: context ?? null,
    visits: visits.map((visit, i) => ({
      daysBefore: Math.round(days.at(-1)! - days[i]!),
      age: numberOrNull(visit[VISIT_AGE]),
      creatinineMgDl: numberOrNull(visit[VISIT_CREATININE]),
    })),
  };
}
