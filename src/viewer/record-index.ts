import { DatabaseSync, type StatementSync } from 'node:sqlite';
import type { RecordLine } from './api.ts';
import { compareTexts, isScoredOutcome, isUsable, labelTextKey, searchText } from './filter-records.ts';

/** The rows of one run in a form that filters and sorts fast. The run file itself is only read: no index can be added to it, so this one lives in memory, made once for each version of the file. */
export interface RecordIndex {
  /** Each line as JSON text, by its number. */
  readonly lines: readonly string[];
  readonly db: DatabaseSync;
  readonly subgroups: ReadonlyMap<string, ReadonlySet<string>>;
  /** The column of a key of `subgroups`. */
  readonly columnOf: (key: string) => string | null;
  close(): void;
}

export function buildIndex(
  lines: readonly RecordLine[],
  subgroups: ReadonlyMap<string, ReadonlySet<string>>,
): RecordIndex {
  const db = new DatabaseSync(':memory:');
  const columns = new Map([...subgroups.keys()].map((key, i) => [key, `group_${i}`]));
  // The text to search in stands last: what does not ask for it need not read past it.
  db.exec(`
    CREATE TABLE lines (
      n INTEGER PRIMARY KEY, repeat INTEGER, outcome TEXT, label TEXT, prediction TEXT, confidence REAL, should_abstain TEXT, stage TEXT, usable INTEGER, scored INTEGER,
      by_id INTEGER, by_label INTEGER, by_prediction INTEGER, by_outcome INTEGER, ${[...columns.values()].map((column) => `${column} TEXT, `).join('')} id TEXT, search TEXT
    );
    CREATE TABLE reasons (reason TEXT, n INTEGER, PRIMARY KEY (reason, n)) WITHOUT ROWID;
    BEGIN`);
  const places = Array.from({ length: 16 + columns.size }, () => '?').join(', ');
  fill(lines, [...columns.keys()], {
    line: db.prepare(`INSERT INTO lines VALUES (${places})`),
    reason: db.prepare('INSERT INTO reasons VALUES (?, ?) ON CONFLICT DO NOTHING'),
  });
  db.exec('COMMIT; CREATE INDEX lines_by_id ON lines (id)');
  return {
    lines: lines.map((line) => JSON.stringify(line)),
    db,
    subgroups,
    columnOf: (key) => columns.get(key) ?? null,
    close: () => db.close(),
  };
}

function fill(
  lines: readonly RecordLine[],
  groupKeys: readonly string[],
  insert: { readonly line: StatementSync; readonly reason: StatementSync },
): void {
  const rank = {
    id: ranks(lines.map(({ id }) => id)),
    label: ranks(lines.map(({ label }) => label)),
    prediction: ranks(lines.map(({ prediction }) => prediction)),
    outcome: ranks(lines.map(({ outcome }) => outcome)),
  };
  for (const [n, line] of lines.entries()) {
    insert.line.run(
      n,
      line.repeat,
      line.outcome,
      labelTextKey(line.label),
      labelTextKey(line.prediction),
      line.confidence,
      String(line.should_abstain),
      line.stage ?? 'none',
      Number(isUsable(line)),
      Number(isScoredOutcome(line.outcome)),
      rank.id(line.id),
      rank.label(line.label),
      rank.prediction(line.prediction),
      rank.outcome(line.outcome),
      ...groupKeys.map((key) => (Object.hasOwn(line.groups, key) ? line.groups[key]! : null)),
      line.id,
      searchText(line),
    );
    for (const reason of line.reasons) insert.reason.run(reason, n);
  }
}

/** The place of each text in the order that people expect; SQLite would go by bytes. Equal texts share one. */
function ranks(texts: readonly (string | null)[]): (text: string | null) => number | null {
  const sorted = [...new Set(texts)].filter((text) => text !== null).sort(compareTexts);
  const places = new Map<string, number>();
  let place = 0;
  for (const [i, text] of sorted.entries()) {
    if (i > 0 && compareTexts(sorted[i - 1]!, text) !== 0) place += 1;
    places.set(text, place);
  }
  return (text) => (text === null ? null : places.get(text)!);
}
