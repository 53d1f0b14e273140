import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

/** A tree of pages in which every page points to the next one 200 times: a walk over it would take longer than the age of the universe. */
export function pageBomb(good: string, path: string, table: string): string {
  cpSync(good, path);
  const db = new DatabaseSync(path);
  const { rootpage } = db.prepare('SELECT rootpage FROM sqlite_schema WHERE name = ?').get(table) as {
    rootpage: number;
  };
  const { page_size: size } = db.prepare('PRAGMA page_size').get() as { page_size: number };
  db.exec('PRAGMA wal_checkpoint(TRUNCATE); PRAGMA journal_mode = DELETE');
  db.close();
  const file = readFileSync(path);
  const page = (n: number) => file.subarray((n - 1) * size, n * size);
  const isIndex = [2, 10].includes(page(rootpage)[0]!);
  const leaf = isIndex ? 10 : 13;
  let leafPage = rootpage;
  while (page(leafPage)[0] !== leaf) leafPage = page(leafPage).readUInt32BE(8);
  const first = file.length / size + 1;
  const levels = 12;
  const pages = Array.from({ length: levels }, (_, level) => {
    // The last level points to a real leaf, a copy of which ends the file.
    const child = first + level + 1;
    return interior(size, child, isIndex ? cellOf(page(leafPage)) : null);
  });
  pages.push(Buffer.from(page(leafPage)));
  interior(size, first, isIndex ? cellOf(page(leafPage)) : null).copy(file, (rootpage - 1) * size);
  const all = Buffer.concat([file, ...pages]);
  all.writeUInt32BE(all.length / size, 28);
  writeFileSync(path, all);
  return path;
}

/** The content of the first cell of a leaf of an index, which an interior page holds after its pointer. */
function cellOf(leaf: Buffer): Buffer {
  const start = leaf.readUInt16BE(8);
  return leaf.subarray(start, start + 2 + leaf[start]!);
}

function interior(size: number, child: number, content: Buffer | null): Buffer {
  const cell = Buffer.concat([Buffer.alloc(4), content ?? Buffer.from([1])]);
  cell.writeUInt32BE(child, 0);
  const n = Math.min(200, Math.floor((size - 12) / (cell.length + 2)));
  const page = Buffer.alloc(size);
  page[0] = content === null ? 5 : 2;
  page.writeUInt16BE(n, 3);
  page.writeUInt16BE(size - n * cell.length, 5);
  page.writeUInt32BE(child, 8);
  for (let i = 0; i < n; i++) {
    page.writeUInt16BE(size - (i + 1) * cell.length, 12 + 2 * i);
    cell.copy(page, size - (i + 1) * cell.length);
  }
  return page;
}
