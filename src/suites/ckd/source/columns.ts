/** A measured quantity. */
interface NumericColumn<Name extends string = string> {
  readonly kind: 'numeric';
  readonly name: Name;
  /** What a reader calls it. */
  readonly label: string;
  readonly unit: string;
  /** What a living person can have, wide on purpose: outside it the cell is a slip, not a finding. */
  readonly range: readonly [min: number, max: number];
  /** Decimals as laboratories of this source report them. */
  readonly decimals: number;
}

/** Read off a scale with few steps. */
interface OrdinalColumn<Name extends string = string> {
  readonly kind: 'ordinal';
  readonly name: Name;
  readonly label: string;
  readonly unit: null;
  readonly allowed: readonly number[];
  readonly decimals: number;
}

/** One of two words. */
interface CategoricalColumn<Name extends string = string> {
  readonly kind: 'categorical';
  readonly name: Name;
  readonly label: string;
  readonly unit: null;
  readonly allowed: readonly string[];
  /** Other spellings of the allowed words. */
  readonly synonyms: Readonly<Record<string, string>>;
}

export type UciColumn = NumericColumn | OrdinalColumn | CategoricalColumn;

/**
 * The 24 features of the UCI Chronic Kidney Disease data (Rubini, Soundarapandian, Eswaran 2015,
 * doi 10.24432/C5G020), in published order. Units and sets are those of the file's own header; ranges are ours.
 */
export const UCI_FEATURES = [
  numeric('age', 'age', 'years', [0, 120], 0),
  numeric('bp', 'blood pressure', 'mmHg', [20, 300], 0),
  ordinal('sg', 'urine specific gravity', [1.005, 1.01, 1.015, 1.02, 1.025], 3),
  ordinal('al', 'urine albumin, dipstick 0 to 5', [0, 1, 2, 3, 4, 5], 0),
  ordinal('su', 'urine sugar, dipstick 0 to 5', [0, 1, 2, 3, 4, 5], 0),
  categorical('rbc', 'urine red blood cells', ['normal', 'abnormal']),
  categorical('pc', 'urine pus cells', ['normal', 'abnormal']),
  categorical('pcc', 'urine pus cell clumps', ['present', 'notpresent']),
  categorical('ba', 'urine bacteria', ['present', 'notpresent']),
  numeric('bgr', 'random blood glucose', 'mg/dL', [10, 2000], 0),
  numeric('bu', 'blood urea', 'mg/dL', [2, 600], 0),
  numeric('sc', 'serum creatinine', 'mg/dL', [0.1, 60], 1),
  numeric('sod', 'serum sodium', 'mEq/L', [90, 200], 0),
  numeric('pot', 'serum potassium', 'mEq/L', [1, 15], 1),
  numeric('hemo', 'haemoglobin', 'g/dL', [1, 25], 1),
  numeric('pcv', 'packed cell volume', '%', [3, 75], 0),
  numeric('wbcc', 'white blood cell count', 'cells/mm3', [100, 500_000], 0),
  numeric('rbcc', 'red blood cell count', 'millions/mm3', [0.5, 10], 1),
  categorical('htn', 'hypertension', ['yes', 'no']),
  categorical('dm', 'diabetes mellitus', ['yes', 'no']),
  categorical('cad', 'coronary artery disease', ['yes', 'no']),
  categorical('appet', 'appetite', ['good', 'poor']),
  categorical('pe', 'pedal oedema', ['yes', 'no']),
  categorical('ane', 'anaemia', ['yes', 'no']),
] as const;

/** Columns that the published file lacks and a user's copy may have. */
export const UCI_EXTRAS = [
  categorical('sex', 'sex', ['female', 'male'], { f: 'female', woman: 'female', m: 'male', man: 'male' }),
  numeric('acr', 'urine albumin-creatinine ratio', 'mg/g', [0, 50_000], 0),
] as const;

export type UciFeature = (typeof UCI_FEATURES)[number]['name'];
export type UciExtra = (typeof UCI_EXTRAS)[number]['name'];

/** A cell: a number for numeric and ordinal columns, a word for categorical ones, null for not measured. */
export type UciValue = number | string | null;
export type UciValues = Readonly<Record<UciFeature, UciValue> & Partial<Record<UciExtra, UciValue>>>;

export const UCI_CLASSES = ['ckd', 'notckd'] as const;
export type UciClass = (typeof UCI_CLASSES)[number];

const BY_NAME = new Map<string, UciColumn>(
  [...UCI_FEATURES, ...UCI_EXTRAS].map((column) => [column.name, column]),
);

/**
 * The column of a canonical name.
 *
 * @example
 * ```ts
 * uciColumn('sc').unit // => 'mg/dL'
 * ```
 */
export function uciColumn(name: UciFeature | UciExtra): UciColumn {
  return BY_NAME.get(name)!;
}

/**
 * What a column may hold, in words.
 *
 * @example
 * ```ts
 * allowedText(uciColumn('sg')) // => 'one of 1.005, 1.010, 1.015, 1.020, 1.025'
 * allowedText(uciColumn('age')) // => 'a number from 0 to 120 (years)'
 * ```
 */
export function allowedText(column: UciColumn): string {
  if (column.kind === 'numeric') {
    return `a number from ${column.range[0]} to ${column.range[1]} (${column.unit})`;
  }
  if (column.kind === 'categorical') return `one of ${column.allowed.join(', ')}`;
  return `one of ${column.allowed.map((value) => value.toFixed(column.decimals)).join(', ')}`;
}

function numeric<const Name extends string>(
  name: Name,
  label: string,
  unit: string,
  range: readonly [number, number],
  decimals: number,
): NumericColumn<Name> {
  return { kind: 'numeric', name, label, unit, range, decimals };
}

function ordinal<const Name extends string>(
  name: Name,
  label: string,
  allowed: readonly number[],
  decimals: number,
): OrdinalColumn<Name> {
  return { kind: 'ordinal', name, label, unit: null, allowed, decimals };
}

function categorical<const Name extends string>(
  name: Name,
  label: string,
  allowed: readonly string[],
  synonyms: Readonly<Record<string, string>> = {},
): CategoricalColumn<Name> {
  return { kind: 'categorical', name, label, unit: null, allowed, synonyms };
}
