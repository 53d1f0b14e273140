import { DatabaseSync } from 'node:sqlite';
import {
  compareTexts,
  harmRank,
  isScoredOutcome,
  isUsable,
  LIST_KEYS,
  listValues,
  searchText,
} from './record-filter.ts';
import { type LineOptions, type LineRow, type RecordLine, recordLines } from './record-line.ts';

/** The rows of one run in a form that filters and sorts fast. Readers do not change a run file, so this index is in memory, built once per version of the file. */
export interface RecordIndex {
  /** Each line as JSON text, in file order. */
  readonly lines: readonly string[];
  readonly db: DatabaseSync;
  readonly subgroups: ReadonlyMap<string, ReadonlySet<string>>;
  /** The column of a key of `subgroups`; null for another key. */
  readonly getColumn: (key: string) => string | null;
  /** The line of a record as JSON text; null if there is none. */
  findLine(id: string, repeat: number): string | null;
  /** The places in `lines` of a record: of all its repeats, or of one. */
  findPlaces(id: string, repeat?: number): number[];
  close(): void;
}

/** Builds the index of a run's rows. `shown` gives a line without what may not be shown of it: what the index does not have cannot be searched for either. Default: lines are shown whole. */
export function indexRecords(
  rows: Iterable<LineRow>,
  options: LineOptions,
  shown: (line: RecordLine) => RecordLine = (line) => line,
): RecordIndex {
  const all = recordLines(rows, options);
  const lines = all.lines.map(shown);
  const keys = new Set(lines.flatMap(({ groups }) => Object.keys(groups)));
  const subgroups = new Map([...all.subgroups].filter(([key]) => keys.has(key)));
  const db = new DatabaseSync(':memory:');
  const groupColumns = new Map([...subgroups.keys()].map((key, i) => [key, `group_${i}`]));
  const columns: [declaration: string, cell: (line: RecordLine) => string | number | null][] = [
    ['repeat INTEGER', ({ repeat }) => repeat],
    ...LIST_KEYS.filter((list) => list !== 'reason').map((list): (typeof columns)[number] => [
      `${list} TEXT`,
      (line) => listValues(line, list)[0]!,
    ]),
    ['confidence REAL', ({ confidence }) => confidence],
    ['usable INTEGER', (line) => Number(isUsable(line))],
    ['scored INTEGER', ({ outcome }) => Number(isScoredOutcome(outcome))],
    ['by_harm INTEGER', harmRank],
    ...RANKED.map((key): (typeof columns)[number] => {
      const rank = ranks(lines.map((line) => line[key]));
      return [`by_${key} INTEGER`, (line) => rank(line[key])];
    }),
    ...[...groupColumns].map(([key, column]): (typeof columns)[number] => [
      `${column} TEXT`,
      ({ groups }) => (Object.hasOwn(groups, key) ? groups[key]! : null),
    ]),
    ['id TEXT', ({ id }) => id],
    // Last, so that queries without a text filter do not read past it.
    ['search TEXT', searchText],
  ];
  db.exec(`
    CREATE TABLE lines (n INTEGER PRIMARY KEY, ${columns.map(([declaration]) => declaration).join(', ')});
    CREATE TABLE reasons (reason TEXT, n INTEGER, PRIMARY KEY (reason, n)) WITHOUT ROWID;
    BEGIN`);
  const insertLine = db.prepare(`INSERT INTO lines VALUES (?${', ?'.repeat(columns.length)})`);
  const insertReason = db.prepare('INSERT INTO reasons VALUES (?, ?) ON CONFLICT DO NOTHING');
  for (const [n, line] of lines.entries()) {
    insertLine.run(n, ...columns.map(([, cell]) => cell(line)));
    for (const reason of line.reasons) insertReason.run(reason, n);
  }
  db.exec('COMMIT; CREATE INDEX lines_by_id ON lines (id)');
  const texts = lines.map((line) => JSON.stringify(line));
  const places = db.prepare('SELECT n, repeat FROM lines WHERE id = ? ORDER BY repeat');
  const findPlaces = (id: string, repeat?: number) =>
    places.all(id).flatMap((row) => (repeat === undefined || row.repeat === repeat ? [Number(row.n)] : []));
  return {
    lines: texts,
    db,
    subgroups,
    findLine(id, repeat) {
      const [n] = findPlaces(id, repeat);
      return n === undefined ? null : texts[n]!;
    },
    findPlaces,
    getColumn: (key) => groupColumns.get(key) ?? null,
    close: () => db.close(),
  };
}

/** What rows are sorted by besides numbers, in the order of the columns `by_...`. */
const RANKED = ['id', 'label', 'prediction', 'outcome'] as const;

/** The rank of each text in natural order, since SQLite orders by bytes. Equal texts share a rank. */
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
