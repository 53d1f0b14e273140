import { type EvaluationResult, isBlank, type Label, ledgerClass, type Stratum } from '../../core/index.ts';
import { SubgroupValues } from './subgroup-values.ts';

/** One row as a list of records shows it. */
export interface RecordLine {
  readonly id: string;
  readonly repeat: number;
  /** Its class in the ledger. */
  readonly outcome: string;
  readonly label: string | null;
  readonly prediction: string | null;
  readonly confidence: number | null;
  readonly should_abstain: boolean | null;
  readonly reasons: readonly string[];
  /** The value of the stratum that the task names; null for a record without one. */
  readonly stratum: string | null;
  /** Values of the keys in `subgroups`, where the record has one. */
  readonly groups: Readonly<Record<string, string>>;
  /** Values of the metadata keys that the filter's `column` names, where the record has one. Default: none were asked for. */
  readonly metadata?: Readonly<Record<string, unknown>>;
}

/** All that a line needs of a row. */
export type LineRow = EvaluationResult & { readonly repeat: number };

interface RecordLines {
  readonly lines: readonly RecordLine[];
  /** Metadata keys that rows can be grouped by, with their values in order of appearance. */
  readonly subgroups: ReadonlyMap<string, ReadonlySet<string>>;
}

/** The rows of a run file as lines of a list. */
export function recordLines(rows: Iterable<LineRow>, stratum: Stratum): RecordLines {
  const values = new SubgroupValues();
  const lines: RecordLine[] = [];
  for (const row of rows) lines.push(recordLine(row, stratum, values.add(row.metadata)));
  const subgroups = values.subgroups();
  // A key can turn out to have too many values after lines with it were made.
  const known = (groups: RecordLine['groups']) =>
    Object.fromEntries(Object.entries(groups).filter(([key]) => subgroups.has(key)));
  return { lines: lines.map((line) => ({ ...line, groups: known(line.groups) })), subgroups };
}

export function recordLine(row: LineRow, stratum: Stratum, groups: RecordLine['groups']): RecordLine {
  const { should_abstain, should_abstain_reasons: reasons } = row.metadata;
  const value = row.metadata[stratum.key] ?? null;
  return {
    id: row.id!,
    repeat: row.repeat,
    outcome: ledgerClass(row),
    label: labelText(row.groundTruth),
    prediction: labelText(row.prediction),
    confidence: row.confidence,
    should_abstain: typeof should_abstain === 'boolean' ? should_abstain : null,
    reasons: Array.isArray(reasons) ? reasons.filter((reason) => typeof reason === 'string') : [],
    stratum: value === null ? null : String(value),
    groups,
  };
}

function labelText(label: Label | null): string | null {
  return isBlank(label) ? null : String(label);
}
