import type { DecimalMark, Delimiter, FileEncoding } from '../../core/delimited/index.ts';
import type { GeneralReason } from '../../core/index.ts';
import type { Sensitivity } from '../suite.ts';
import type { PrimaryEndpoint, Task } from '../task.ts';

/** How a column is shown to the model. */
export interface ColumnDisplay {
  /** The readable name; default: the column's own. */
  readonly name?: string;
  /** Shown in brackets after the name: `Sodium (mmol/L)`. */
  readonly unit?: string;
  /** Default: `number` when every measured cell is one, else `text`. */
  readonly type?: 'number' | 'text';
}

/**
 * What turns a table of your own into a suite. Each column has one role at most: shown, label, id, should-abstain, reasons, must-act or metadata; groups may be shown
 * or metadata. In a YAML file the keys are the same in snake_case, without `folder`: paths are relative to the YAML file.
 */
export interface TableDefinition {
  /** `<domain>/<task>`, e.g. `ward7/sodium`. */
  readonly name: string;
  /** A .csv, .tsv or .jsonl file (one flat object a line), relative to `folder`. It is read row by row, so its size does not matter. */
  readonly file: string;
  /** What separates the fields of a line; in YAML also in words: comma, semicolon, tab, pipe. Default: detected. */
  readonly delimiter?: Delimiter;
  /** What separates the decimals of a number; stated, digits in groups of three are read as well. In YAML also in words: point, comma. Default: detected. */
  readonly decimal?: DecimalMark;
  /** How the characters are written: `utf-8`, `utf-16le`, `utf-16be` or `windows-1252`, of which Latin-1 is a part. Default: detected. */
  readonly encoding?: FileEncoding;
  /** Default: the working directory. */
  readonly folder?: string;
  /** The columns the model sees, in this order. Default: all that have no other role. */
  readonly columns?: readonly string[] | { readonly [column: string]: ColumnDisplay };
  /** The column with the right answer. */
  readonly label: string;
  /** The label space, from mild to grave when `ordered`. Default: the values found, in order of first appearance. */
  readonly labels?: readonly (string | number)[];
  /** Which label means that the condition is present; binary tasks only. */
  readonly positiveLabel?: string | number;
  /** Whether `labels` go from mild to grave. Default: only with the pack `staging`. */
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
  /** Or several ways of putting it; `natural` is the default arm, or else the first. */
  readonly arms?: { readonly [arm: string]: string };
  /** Markers of a cell that was not measured. Default: NA, N/A, ? and null; an empty cell always. */
  readonly missing?: readonly (string | number)[];
  /** Default: `protected`. */
  readonly sensitivity?: Sensitivity;
  /** Metrics beside the default bundle. */
  readonly pack?: NonNullable<Task['pack']>;
  /** A metric's name, or more. Default: `decision_accuracy` with a should-abstain column, else `selective_accuracy`. */
  readonly primaryEndpoint?: string | (Pick<PrimaryEndpoint, 'metric'> & Partial<PrimaryEndpoint>);
  /** The share (below 1) or number of rows to evaluate; the rest is the training part. Default: all are evaluated. */
  readonly testSize?: number;
  /** Of the split. Default: 42. */
  readonly seed?: number;
  /** Where the data come from: source, licence, citation, ... */
  readonly provenance?: { readonly [key: string]: string };
}
