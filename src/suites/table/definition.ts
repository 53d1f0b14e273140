import { z } from 'zod';
import { GENERAL_REASONS, type GeneralReason } from '../../core/deferral-reasons.ts';
import type { DecimalMark } from '../../core/delimited/decimal.ts';
import { FILE_ENCODINGS, type FileEncoding } from '../../core/delimited/decode-text.ts';
import type { Delimiter } from '../../core/delimited/rows.ts';
import { labelKey } from '../../core/label.ts';
import { PRESET_NAMES, type PresetName } from '../choice/presets.ts';
import { VARIANTS, type VariantName, WITHHELD, type Withheld } from '../choice/variants.ts';
import { objectError, sensitivity, suiteName, words } from '../schema-problem.ts';
import type { Sensitivity } from '../suite.ts';
import type { PrimaryEndpoint, Task } from '../task.ts';

/** How a column is shown to the model. */
export interface ColumnDisplay {
  /** The readable name. Default: the column's own. */
  readonly name?: string;
  /** Shown in brackets after the name: `Sodium (mmol/L)`. */
  readonly unit?: string;
  /** How its cells are read: `number` or `text`. Default: `number` when every measured cell is one, else `text`. */
  readonly type?: 'number' | 'text';
}

/**
 * What turns a table of your own into a suite. Each column has one role at most: shown, label, id, should-abstain, reasons, must-act or metadata; groups may be shown
 * or metadata. In a YAML file the keys are the same in snake_case, without `folder`: paths are relative to the YAML file.
 */
export interface TableDefinition {
  /** `<domain>/<task>`, e.g. `ward7/sodium`. */
  readonly name: string;
  /** A .csv, .tsv, .xlsx, .jsonl (one object a line), .json or .parquet file, also with .gz after it, relative to `folder`. Text is read row by row, so its size does not matter; the other forms are held in memory. */
  readonly file: string;
  /** A published multiple-choice set whose columns are known: `question`, `options`, `label` and others then have defaults, and the data are `public`. */
  readonly preset?: PresetName;
  /** Multiple choice: the column with the question. The model then sees it, the context and the options, and nothing else. */
  readonly question?: string;
  /** Multiple choice: the column with the context, a text or a list of texts. Default: none. */
  readonly context?: string;
  /** Multiple choice: the column with the options, an object or a list, or one column for each option. Without it, the answers are the `labels`. */
  readonly options?: string | readonly string[];
  /** Multiple choice: whether the label is the letter of an option, its number, or its text. Default: `letter`. */
  readonly labelIs?: 'letter' | 'index' | 'text';
  /** The number of the first option, where `labelIs` is `index`. Default: 0. */
  readonly firstIndex?: 0 | 1;
  /** Multiple choice: the column with the subject, by which scores may be grouped. Default: none. */
  readonly subject?: string;
  /** Multiple choice: whether `maybe` is a label, or says that deferring is right. Default: `label`. */
  readonly maybe?: 'label' | 'defer';
  /** A version of a multiple-choice set that is changed by a rule. Default: none. */
  readonly variant?: VariantName;
  /** How much of the context the variant `evidence_removed` withholds. Default: `all`. */
  readonly withheld?: Withheld;
  /** The share of questions from which the variant `no_right_option` takes the right option. Default: 0.25. */
  readonly share?: number;
  /** The sheet of a spreadsheet. Default: the first. */
  readonly sheet?: string;
  /** What separates the fields of a line; in YAML also in words: comma, semicolon, tab, pipe. Default: detected. */
  readonly delimiter?: Delimiter;
  /** What separates the decimals of a number; stated, digits in groups of three are read as well. In YAML also in words: point, comma. Default: detected. */
  readonly decimal?: DecimalMark;
  /** How the characters are written: `utf-8`, `utf-16le`, `utf-16be` or `windows-1252`, of which Latin-1 is a part. Default: detected. */
  readonly encoding?: FileEncoding;
  /** The folder of `file`. Default: the working directory. */
  readonly folder?: string;
  /** The columns the model sees, in this order: a list, or an object with the keys below. Default: all that have no other role. */
  readonly columns?: readonly string[] | { readonly [column: string]: ColumnDisplay };
  /** The column with the right answer. Needed, except with a preset. */
  readonly label?: string;
  /** The label space, from mild to severe when `ordered`. Default: the values found, in order of first appearance. */
  readonly labels?: readonly (string | number)[];
  /** Which label means that the condition is present; binary tasks only. */
  readonly positiveLabel?: string | number;
  /** Whether `labels` go from mild to severe. Default: only with the pack `staging`. */
  readonly ordered?: boolean;
  /** The column with ids, which run files and exports hold: pseudonyms such as study numbers. Default: the place in the file (`record-17`) when the data are protected, else a content hash of what is shown. */
  readonly id?: string;
  /** The column that says whether deferring is right: true, false, yes, no, 1, 0; empty is unlabelled. */
  readonly shouldAbstain?: string;
  /** The column that says why, several reasons separated by semicolons. */
  readonly shouldAbstainReasons?: string;
  /** What each of those reasons means to a model that was not given them: a general reason, as `hemolysed: data_conflict`. Default: none are known. */
  readonly deferralReasons?: { readonly [reason: string]: GeneralReason };
  /** The column that marks emergencies, cases that need action today: true, false, yes, no, 1, 0; empty is unknown. Without `actLabels` the model is asked whether a case is urgent. The same as a column `must_act` among the metadata. */
  readonly mustAct?: string;
  /** The labels whose choice means to act today, as in triage. A case whose label is one of them is an emergency, unless `mustAct` says otherwise. Default: none. */
  readonly actLabels?: readonly (string | number)[];
  /** Columns kept for scoring and grouping, never shown. A run of a protected suite stores none of them but `groups` and `cluster`. */
  readonly metadata?: readonly string[];
  /** Columns that scores may be grouped by: few values, none of them identifying. They are shown like any other column, unless `metadata` names them too or `columns` does not. Default: none. */
  readonly groups?: readonly string[];
  /** The column that names the patient, where several rows are of one: metadata, too. They are asked together, and intervals take them as one. A run of a protected suite stores running numbers in its place. */
  readonly cluster?: string;
  /** The text that the model gets besides the case itself: one text, in the arm `natural`. */
  readonly instructions?: string;
  /** In place of `instructions`: several versions of them by name. `natural` is the default arm, or else the first. */
  readonly arms?: { readonly [arm: string]: string };
  /** Markers of a cell that was not measured. Default: NA, N/A, ? and null; an empty cell always. */
  readonly missing?: readonly (string | number)[];
  /** `protected`, `public` or `synthetic`. Default: `protected`. */
  readonly sensitivity?: Sensitivity;
  /** Metrics beside the default bundle: `detection`, `staging` or `progression`. Default: none. */
  readonly pack?: NonNullable<Task['pack']>;
  /** The one metric that decides: its name, or an object with `metric`, `arm` and `why`. Default: `decision_accuracy` with a should-abstain column, else `selective_accuracy`. */
  readonly primaryEndpoint?: string | (Pick<PrimaryEndpoint, 'metric'> & Partial<PrimaryEndpoint>);
  /** The share (below 1) or number of rows to evaluate; the rest is the training part. Default: all are evaluated. */
  readonly testSize?: number;
  /** The seed of the split, and of the draws of a variant. Default: 42. */
  readonly seed?: number;
  /** Where the data come from: source, licence, citation, ... */
  readonly provenance?: { readonly [key: string]: string };
}

const column = z.string({ error: 'the name of a column, as text' }).trim().min(1, 'the name of a column');
const label = z.union([z.string().trim().min(1), z.int()], {
  error: 'text or a whole number (true and false in quotes)',
});
const different = (values: readonly (string | number)[]) => new Set(values).size === values.length;

const display = z
  .strictObject(
    {
      name: words('a readable name').optional(),
      unit: words('a unit, as text').optional(),
      type: z.enum(['number', 'text'], { error: 'number or text' }).optional(),
    },
    { error: objectError('an object of name, unit and type') },
  )
  .nullable()
  .transform((value) => value ?? {});

const COLUMNS = 'a list of different column names, or an object of them: { column: { name, unit, type } }';
const columns = z
  .preprocess(
    (value) =>
      Array.isArray(value) && value.every((item) => typeof item === 'string') && different(value)
        ? Object.fromEntries(value.map((name: string) => [name.trim(), {}]))
        : value,
    z.record(z.string(), display, { error: COLUMNS }),
  )
  .refine((value) => Object.keys(value).length > 0, 'at least one column');

const endpoint = z.preprocess(
  (value) => (typeof value === 'string' ? { metric: value } : value),
  z.strictObject(
    {
      metric: words('the name of a metric'),
      arm: words('the name of an arm').optional(),
      why: words('a reason, as text').optional(),
    },
    { error: objectError('the name of a metric, or an object of metric, arm and why') },
  ),
);

/** One of a few values, or a word that means one. */
const inWords = <T extends string>(values: Readonly<Record<string, T>>, expected: string) =>
  z
    .string({ error: expected })
    .transform((text) => Object.values(values).find((value) => value === text) ?? values[text.toLowerCase()])
    .refine((value) => value !== undefined, expected)
    .optional() as z.ZodType<T | undefined>;

/** The metadata key of emergencies. */
const MUST_ACT = 'must_act';

const SHARE = 'a share between 0 and 1';

const oneOf = <const T extends readonly [string, ...string[]]>(names: T) =>
  z.enum(names, { error: `one of ${names.join(', ')}` });

const TEST_SIZE = 'a share between 0 and 1, or a whole number of rows';

const fields = {
  name: suiteName('ward7/sodium'),
  file: words('the path of a .csv, .tsv, .jsonl, .json or .parquet file'),
  folder: words('the path of a folder').optional(),
  columns: columns.optional(),
  label: column,
  labels: z
    .array(label, { error: 'a list of at least two labels' })
    .min(2, 'at least two labels')
    .refine((values) => different(values.map(labelKey)), 'labels that differ by more than letter case')
    .optional(),
  positiveLabel: label.optional(),
  ordered: z.boolean({ error: 'true or false' }).optional(),
  id: column.optional(),
  shouldAbstain: column.optional(),
  shouldAbstainReasons: column.optional(),
  deferralReasons: z
    .record(z.string().min(1), z.enum(GENERAL_REASONS, { error: `one of ${GENERAL_REASONS.join(', ')}` }), {
      error: 'an object of reasons, each with its general reason',
    })
    .optional(),
  mustAct: column.optional(),
  actLabels: z
    .array(label, { error: 'a list of labels' })
    .min(1, 'at least one label')
    .refine((values) => different(values.map(labelKey)), 'each label once')
    .optional(),
  metadata: z
    .array(column, { error: 'a list of column names' })
    .refine(different, 'each column once')
    .default([]),
  groups: z
    .array(column, { error: 'a list of column names' })
    .refine(different, 'each column once')
    .default([]),
  cluster: column.optional(),
  instructions: words('the instructions for the model').optional(),
  arms: z
    .record(
      z.string().regex(/^[a-z][a-z0-9_]*$/, 'names of arms in small letters'),
      words('the instructions for the model'),
      { error: 'an object of texts: { natural: ..., instructed: ... }' },
    )
    .refine((value) => Object.keys(value).length > 0, 'at least one arm')
    .optional(),
  missing: z
    .array(z.union([z.string(), z.number()], { error: 'text or a number (null in quotes)' }), {
      error: 'a list of markers',
    })
    .optional(),
  sheet: words('the name of a sheet').optional(),
  delimiter: inWords<Delimiter>(
    { comma: ',', semicolon: ';', tab: '\t', pipe: '|' },
    'one of "," ";" "\\t" "|", or comma, semicolon, tab, pipe',
  ),
  decimal: inWords<DecimalMark>({ point: '.', comma: ',' }, '"." or ",", or point, comma'),
  encoding: inWords<FileEncoding>(
    {
      'utf-8': 'utf-8',
      'utf-16le': 'utf-16le',
      'utf-16be': 'utf-16be',
      'windows-1252': 'windows-1252',
      utf8: 'utf-8',
      latin1: 'windows-1252',
      'iso-8859-1': 'windows-1252',
      cp1252: 'windows-1252',
    },
    `one of ${FILE_ENCODINGS.join(', ')}, latin1`,
  ),
  sensitivity,
  pack: z
    .enum(['detection', 'staging', 'progression'], { error: 'detection, staging or progression' })
    .optional(),
  primaryEndpoint: endpoint.optional(),
  testSize: z
    .number({ error: TEST_SIZE })
    .refine((size) => size > 0 && (size < 1 || Number.isInteger(size)), TEST_SIZE)
    .optional(),
  seed: z.int({ error: 'a whole number' }).default(42),
  provenance: z
    .record(z.string(), z.string({ error: 'text (numbers in quotes)' }), { error: 'an object of texts' })
    .default({}),
  preset: oneOf(PRESET_NAMES).optional(),
  question: column.optional(),
  context: column.optional(),
  options: z
    .union([column, z.array(column).min(2).refine(different)], {
      error: 'the name of a column, or a list of at least two',
    })
    .optional(),
  labelIs: oneOf(['letter', 'index', 'text']).optional(),
  firstIndex: z.union([z.literal(0), z.literal(1)], { error: '0 or 1' }).optional(),
  subject: column.optional(),
  maybe: oneOf(['label', 'defer']).optional(),
  variant: oneOf(VARIANTS).optional(),
  withheld: oneOf(WITHHELD).optional(),
  share: z
    .number({ error: SHARE })
    .refine((share) => share > 0 && share < 1, SHARE)
    .optional(),
} satisfies Record<keyof TableDefinition, z.ZodType>;

/** All keys of a definition. */
export const DEFINITION_KEYS = Object.keys(fields) as (keyof TableDefinition)[];

/** Fields one by one; what holds between them is in `check-definition.ts`. A message says what was expected. */
export const definitionSchema = z
  .strictObject(fields, { error: objectError('an object') })
  .transform(({ mustAct, metadata, missing: stated, ...rest }) => {
    // An option of a question may be "NA" or "null".
    const missing = stated ?? (rest.question === undefined ? ['NA', 'N/A', '?', 'null'] : []);
    // Kept as metadata, the mark would be text that no score reads.
    return mustAct === undefined && metadata.includes(MUST_ACT)
      ? { ...rest, missing, mustAct: MUST_ACT, metadata: metadata.filter((name) => name !== MUST_ACT) }
      : { ...rest, missing, mustAct, metadata };
  });

/** A definition with its defaults filled in. */
export type CheckedDefinition = z.output<typeof definitionSchema>;
