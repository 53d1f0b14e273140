import { type EvaluationResult, isBlank, type Label, ledgerClass } from '../core/index.ts';
import { ageBand } from '../metrics/index.ts';
import type { StoredRow } from '../store/index.ts';
import type { RecordLine } from './api.ts';

/** Keys with more values than this are not for choosing from: an id, an age. */
const MOST_VALUES = 50;

interface RecordLines {
  readonly lines: readonly RecordLine[];
  /** Keys of metadata that rows can be grouped by, with their values in the order met. */
  readonly subgroups: ReadonlyMap<string, ReadonlySet<string>>;
}

/** Rows of a run file as a list shows them. A key with a colon in its name cannot be written in a filter, and is no subgroup. */
export function recordLines(rows: Iterable<StoredRow>): RecordLines {
  const values = new Map<string, Set<string>>();
  const lines: RecordLine[] = [];
  for (const row of rows) lines.push(lineOf(row, groupsOf(row.metadata, values)));
  const subgroups = new Map([...values].filter(([, { size }]) => size <= MOST_VALUES));
  return {
    lines: lines.map((line) => ({
      ...line,
      groups: Object.fromEntries(Object.entries(line.groups).filter(([key]) => subgroups.has(key))),
    })),
    subgroups,
  };
}

/** One row where it is known already which keys are for choosing from. */
export function recordLine(row: LineRow, isSubgroup: (key: string) => boolean): RecordLine {
  const groups = Object.entries(row.metadata)
    .filter(([key, value]) => isSubgroup(key) && isScalar(value))
    .map(([key, value]) => [key, groupText(key, value)]);
  return lineOf(row, Object.fromEntries(groups));
}

/** All that a line needs of a row. */
type LineRow = EvaluationResult & Pick<StoredRow, 'repeat'>;

/** Ages are chosen in the bands that they are scored in. */
function groupText(key: string, value: unknown): string {
  return key === 'age' ? ageBand(String(value)) : String(value);
}

function isScalar(value: unknown): boolean {
  return ['string', 'number', 'boolean'].includes(typeof value);
}

function lineOf(row: LineRow, groups: RecordLine['groups']): RecordLine {
  const { should_abstain, should_abstain_reasons: reasons, ckd_stage: stage } = row.metadata;
  return {
    id: row.id!,
    repeat: row.repeat,
    outcome: ledgerClass(row),
    label: labelText(row.groundTruth),
    prediction: labelText(row.prediction),
    confidence: row.confidence,
    should_abstain: typeof should_abstain === 'boolean' ? should_abstain : null,
    reasons: Array.isArray(reasons) ? reasons.filter((reason) => typeof reason === 'string') : [],
    stage: stage === undefined || stage === null ? null : String(stage),
    groups,
  };
}

function labelText(label: Label | null): string | null {
  return isBlank(label) ? null : String(label);
}

function groupsOf(
  metadata: StoredRow['metadata'],
  values: Map<string, Set<string>>,
): Readonly<Record<string, string>> {
  const groups: [string, string][] = [];
  for (const [key, value] of Object.entries(metadata)) {
    if (!isScalar(value)) continue;
    if (key === 'should_abstain' || key.includes(':')) continue;
    const known = values.get(key) ?? new Set();
    values.set(key, known);
    const group = groupText(key, value);
    // One more than fits is enough to know that the key is none to choose from.
    if (known.size <= MOST_VALUES) known.add(group);
    if (known.size <= MOST_VALUES) groups.push([key, group]);
  }
  return Object.fromEntries(groups);
}
