import {
  canonicalJson,
  decisionFacts,
  evaluationResult,
  type Label,
  type PatientRecord,
} from '../core/index.ts';
import type { Cells } from './chain.ts';
import type { EntryWriter } from './entry-writer.ts';
import type { Commits } from './shared-commit.ts';
import type { Statements } from './statements.ts';
import { labelCell, objectCell } from './stored-cells.ts';
import type { TextHashes } from './stored-text.ts';

type Features = PatientRecord['features'];

/** One transaction for all records would keep all of them in SQLite's journal at once. */
const RECORDS_AT_ONCE = 1000;

/** How records are stored. */
interface RecordContext {
  readonly withFeatures: boolean;
  /** Whether they are part of the run. */
  readonly selected: boolean;
  readonly textKey: TextHashes;
}

/** Enters records by place in the suite, in portions. */
export function enterRecords(
  records: Iterable<readonly [position: number, record: PatientRecord]>,
  context: RecordContext,
  writer: EntryWriter,
  commits: Commits,
): void {
  const kind = context.selected ? 'record' : 'candidate';
  const iterator = records[Symbol.iterator]();
  for (let next = iterator.next(); !next.done; ) {
    commits.alone(() => {
      for (let i = 0; i < RECORDS_AT_ONCE && !next.done; i++, next = iterator.next()) {
        const [position, record] = next.value;
        writer.insert(kind, [position], recordCells(position, record, context));
      }
    });
  }
}

function recordCells(
  position: number,
  { id, label, metadata, features }: PatientRecord,
  { withFeatures, selected, textKey }: RecordContext,
): Cells {
  const shown = JSON.stringify(features);
  const salt = withFeatures ? textKey.newSalt() : null;
  return {
    position,
    id,
    label: JSON.stringify(label),
    metadata: canonicalJson(metadata),
    features: withFeatures ? shown : null,
    selected: selected ? 1 : 0,
    features_salt: salt,
    features_hash: textKey.hash(shown, salt),
  };
}

/** Makes the records at these places part of the run. */
export function selectPlaces(sql: Statements, writer: EntryWriter, positions: Iterable<number>): void {
  for (const position of positions) {
    const query = 'UPDATE records SET selected = 1 WHERE position = ? AND selected = 0';
    if (sql.run(query, position).changes > 0) writer.append('select', [position], {});
  }
}

/** What was shown of the record at a place; null where it was not stored. */
export function featuresAt(sql: Statements, position: number): Features | null {
  const found = sql.get('SELECT features FROM records WHERE position = ?', position);
  return found?.features == null ? null : featuresIn(sql, found.features);
}

/** The records of the run in their order; features are null where they were not stored. */
export function* storedRecords(sql: Statements): Generator<{ id: string; features: Features | null }> {
  const found = sql.iterate('SELECT id, features FROM records WHERE selected = 1 ORDER BY position');
  for (const { id, features } of found)
    yield { id: id as string, features: features === null ? null : featuresIn(sql, features) };
}

function featuresIn(sql: Statements, cell: unknown): Features {
  return sql.reading(() => objectCell(cell, 'features')) as Features;
}

/** How many records the run has. */
/** Emergencies among the records of the run, by the same rule as its rows. */
export function countEmergencies(sql: Statements, actLabels: readonly Label[]): number {
  const query =
    "SELECT label, json_object('must_act', json(metadata -> '$.must_act')) AS marks, count(*) AS n FROM (SELECT * FROM records LIMIT ?) WHERE selected = 1 GROUP BY 1, 2";
  let found = 0;
  for (const { label, marks, n } of sql.all(query, sql.mostRows())) {
    const groundTruth = labelCell(label as string, 'a label');
    const metadata = objectCell(marks as string, 'metadata');
    if (decisionFacts(evaluationResult({ groundTruth, metadata }), actLabels).mustAct) found += Number(n);
  }
  return found;
}

export function countRecords(sql: Statements): number {
  const query = 'SELECT count(*) AS n FROM (SELECT selected FROM records LIMIT ?) WHERE selected = 1';
  return Number(sql.get(query, sql.mostRows())!.n);
}
