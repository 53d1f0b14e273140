import { readFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

/** Everything that can be read in a file: its bytes, and of a database every cell, because a long text is split over pages. */
export function textIn(path: string): string {
  const bytes = readFileSync(path);
  const isDatabase = bytes.subarray(0, 15).toString('latin1') === 'SQLite format 3';
  return [bytes.toString('utf8'), ...(isDatabase ? cellsOf(path) : [])].join('\n');
}

function cellsOf(path: string): string[] {
  const db = new DatabaseSync(path, { readOnly: true });
  try {
    const tables = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
    return tables.flatMap(({ name }) =>
      db
        .prepare(`SELECT * FROM "${name}"`)
        .all()
        .flatMap((row) =>
          Object.values(row).map((cell) =>
            cell instanceof Uint8Array ? Buffer.from(cell).toString('utf8') : String(cell),
          ),
        ),
    );
  } finally {
    db.close();
  }
}
