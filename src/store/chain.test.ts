import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import {
  COVERED,
  coveredBy,
  digestOf,
  type EntryKind,
  entryHash,
  keyOf,
  NO_ENTRIES,
  openChain,
  refOf,
} from './chain.ts';
import { createTables } from './schema.ts';

const database = () => {
  const db = new DatabaseSync(':memory:');
  createTables(db);
  return db;
};

describe('the chain', () => {
  it('commits in each entry to all before', () => {
    const db = database();
    const chain = openChain(db);
    chain.append('event', [1], { time: 1, kind: 'started', data: '{}' });
    chain.append('manifest', ['model'], { value: '"m"' });
    const [first, second] = db.prepare('SELECT * FROM chain').all();
    const digest = digestOf('event', { time: 1, kind: 'started', data: '{}' });
    expect(first).toEqual({
      seq: 1,
      kind: 'event',
      ref: '1',
      digest: null,
      hash: entryHash(NO_ENTRIES.hash, 'event', '1', digest),
    });
    // Only what can be overwritten keeps its digest.
    expect(second!.digest).toBe(digestOf('manifest', { value: '"m"' }));
    expect(second!.hash).toBe(
      entryHash(first!.hash as string, 'manifest', 'model', second!.digest as string),
    );
    expect(chain.head()).toEqual({ hash: second!.hash, entries: 2 });
  });

  it('continues where the file ends, also after entries were rolled back', () => {
    const db = database();
    const chain = openChain(db);
    chain.append('select', [1], {});
    const { hash } = chain.head();
    db.exec('BEGIN');
    chain.append('select', [2], {});
    db.exec('ROLLBACK');
    chain.forget();
    expect(chain.head()).toEqual({ hash, entries: 1 });
    expect(openChain(db).head()).toEqual({ hash, entries: 1 });
  });
});

describe('an entry', () => {
  it('covers every column of its table but texts, ids that are its reference, and the flag that select covers', () => {
    const db = database();
    const kinds = Object.keys(COVERED) as EntryKind[];
    const byTable = Object.groupBy(kinds, (kind) => coveredBy(kind).table);
    for (const [table, covering] of Object.entries(byTable)) {
      const covered = new Set(
        covering!.flatMap((kind) => {
          const { key, columns, text } = coveredBy(kind);
          return [
            ...key,
            ...columns,
            ...(text ? [text.column, text.salt] : []),
            ...(kind === 'select' ? ['selected'] : []),
          ];
        }),
      );
      const columns = db
        .prepare('SELECT name FROM pragma_table_info(?)')
        .all(table)
        .map(({ name }) => name as string);
      expect([table, [...covered].sort()]).toEqual([table, columns.sort()]);
    }
  });

  it('is about the texts of a record and a reply through their hashes only', () => {
    const cells = { id: 'a', label: '1', metadata: '{}', features_hash: 'f' };
    expect(digestOf('record', { ...cells, features: 'shown' })).toBe(
      digestOf('record', { ...cells, features: null }),
    );
    expect(digestOf('record', { ...cells, features_hash: 'g' })).not.toBe(digestOf('record', cells));
  });

  it('leaves out nulls', () => {
    expect(digestOf('row', { state: 'answered', confidence: null })).toBe(
      digestOf('row', { state: 'answered' }),
    );
  });

  it.each<[EntryKind, (string | number)[]]>([
    ['manifest', ['model']],
    ['record', [17]],
    ['row', ['a "quoted" id', 0, 1]],
  ])('of the kind %s is found by its reference', (kind, key) => {
    expect(keyOf(kind, refOf(key))).toEqual(key);
  });
});
