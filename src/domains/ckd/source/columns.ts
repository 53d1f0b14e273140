import { quoted } from '../../../core/plain-text.ts';
import columns from './columns.json' with { type: 'json' };

export type UciFeature = keyof typeof columns.features;
export type UciExtra = keyof typeof columns.extras;

export type UciColumn<Name extends string = string> = {
  readonly name: Name;
  /** What a reader calls it. */
  readonly label: string;
} & (NumericColumn | OrdinalColumn | CategoricalColumn);

/** A measured quantity. */
interface NumericColumn {
  readonly kind: 'numeric';
  readonly unit: string;
  /** What a living person can have, wide on purpose: outside it the cell is a slip, not a finding. */
  readonly range: readonly [min: number, max: number];
  /** Decimals as laboratories of this source report them. */
  readonly decimals: number;
}

/** Read off a scale with few steps. */
interface OrdinalColumn extends Pick<NumericColumn, 'decimals'> {
  readonly kind: 'ordinal';
  readonly unit: null;
  readonly allowed: readonly number[];
}

/** One of two words. */
interface CategoricalColumn {
  readonly kind: 'categorical';
  readonly unit: null;
  readonly allowed: readonly string[];
  /** Other spellings of the allowed words. */
  readonly synonyms?: Readonly<Record<string, string>>;
}

/**
 * The 24 features of the UCI Chronic Kidney Disease data (Rubini, Soundarapandian, Eswaran 2015,
 * doi 10.24432/C5G020), in published order. Units and sets are those of the file's own header; ranges are ours.
 */
export const UCI_FEATURES = columnsIn<UciFeature>(columns.features);

/** Columns that the published file lacks and a user's copy may have. */
export const UCI_EXTRAS = columnsIn<UciExtra>(columns.extras);

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

/**
 * How a message names a column: with its label where the label says more, in quotes when the column is not one of the source.
 *
 * @example
 * ```ts
 * columnText('htn') // => 'htn (hypertension)'
 * columnText('age') // => 'age'
 * columnText('years') // => '"years"'
 * ```
 */
export function columnText(column: string): string {
  if (column === 'id' || column === 'class') return column;
  const label = BY_NAME.get(column)?.label;
  if (label === undefined) return quoted(column);
  return label === column ? column : `${column} (${label})`;
}

function columnsIn<Name extends string>(table: Readonly<Record<Name, object>>): readonly UciColumn<Name>[] {
  const names = Object.keys(table) as Name[];
  return names.map((name) => ({ ...(table[name] as UciColumn), name }));
}
