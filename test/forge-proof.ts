import { createHash, createPublicKey, type KeyObject, sign } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import type { Cell } from '../src/store/table.ts';
import { ENTRIES } from '../src/store/tables.ts';

interface Forgery {
  /** Makes every seal fit what comes before it, without a signature. Default: seals stay as they are. */
  readonly fitSeals?: boolean;
  /** Signs the digest with a key of the forger. Default: it is not signed. */
  readonly signKey?: KeyObject | undefined;
}

/** What a careful forger does after editing a run file: states a digest that fits its entries. */
export function forgeProof(path: string, { fitSeals = false, signKey }: Forgery = {}): void {
  const db = new DatabaseSync(path);
  const hash = createHash('sha256');
  const entries = ENTRIES.flatMap((table) => {
    const rows = db.prepare(`SELECT seq, ${table.sqlNames.join(', ')} FROM ${table.name}`).all();
    return rows.map(({ seq, ...cells }) => ({
      table,
      seq: Number(seq),
      cells: Object.values(cells) as Cell[],
    }));
  }).sort((a, b) => a.seq - b.seq);
  for (const { table, seq, cells } of entries) {
    if (fitSeals && table.name === 'events' && cells[1] === 'sealed') {
      const { signature: _, public_key: __, ...seal } = JSON.parse(String(cells[2]));
      cells[2] = JSON.stringify({ ...seal, digest: hash.copy().digest('hex'), entries: seq - 1 });
      db.prepare('UPDATE events SET data = ? WHERE seq = ?').run(cells[2], seq);
    }
    hash.update(table.covered(seq, cells));
  }
  const [last, digest] = [entries.at(-1)?.seq ?? 0, hash.digest('hex')];
  const signature = signKey && sign(null, Buffer.from(`krisis entries ${last} ${digest}`), signKey);
  const publicKey = signKey && createPublicKey(signKey).export({ type: 'spki', format: 'der' });
  db.prepare('INSERT OR REPLACE INTO proof VALUES (1, ?, ?, ?, ?)').run(
    last,
    digest,
    publicKey?.toString('base64') ?? null,
    signature?.toString('base64') ?? null,
  );
  db.close();
}

/** Deletes all entries after this one. */
export function cutEntries(path: string, lastKept: number): void {
  const db = new DatabaseSync(path);
  for (const { name } of ENTRIES) db.prepare(`DELETE FROM ${name} WHERE seq > ?`).run(lastKept);
  db.close();
}
