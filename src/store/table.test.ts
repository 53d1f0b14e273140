import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { UnexpectedCell } from './stored-cells.ts';
import {
  canonicalObject,
  defineTable,
  flag,
  integer,
  json,
  label,
  nullable,
  object,
  oneOf,
  real,
  text,
  texts,
  withFallback,
} from './table.ts';
import { createTables, ENTRIES } from './tables.ts';

const ANSWERS = defineTable('answers', {
  columns: {
    id: text,
    nTokens: integer,
    confidence: nullable(real),
    isUrgent: flag,
    mood: oneOf(['calm', 'tense']),
    truth: label,
    metadata: object,
    settings: canonicalObject,
    asked: texts,
    anything: json,
    attempt: withFallback(integer, 0),
    replyHash: nullable(text),
  },
  uncovered: { rawResponse: nullable(text), replySalt: nullable(text) },
  unique: [['id', 'attempt'], ['nTokens']],
  keptText: { text: 'rawResponse', salt: 'replySalt', hashes: ['replyHash'] },
  names: { id: 'record_id' },
});
const KEYS = Object.keys(ANSWERS.columns) as (keyof typeof ANSWERS.columns)[];

const VALUES = {
  id: 'a',
  nTokens: 3,
  confidence: 0.25,
  isUrgent: true,
  mood: 'calm',
  truth: 'yes',
  metadata: { place: 1, nested: { deep: [null] } },
  settings: { b: 1, a: 2 },
  asked: ['a', 'b'],
  anything: [1, 'x'],
  attempt: 2,
  replyHash: 'ab',
  rawResponse: '{"x": "\u0000ü😀"}',
  replySalt: 'salt',
} as const;

/** Writes a row into a database, and reads it back. */
function throughSqlite(values: Parameters<typeof ANSWERS.encode>[0]) {
  const db = new DatabaseSync(':memory:');
  db.exec(ANSWERS.ddl);
  db.prepare(ANSWERS.insert).run(1, ...ANSWERS.encode(values));
  const row = db.prepare(`SELECT ${ANSWERS.select('t', KEYS)} FROM answers t`).get()!;
  db.close();
  return ANSWERS.decode(row, KEYS);
}

describe('a table', () => {
  it('is declared with its columns, those that entries commit to first', () => {
    expect(ANSWERS.ddl).toBe(
      'CREATE TABLE answers (seq INTEGER PRIMARY KEY, record_id TEXT NOT NULL, n_tokens INTEGER NOT NULL, confidence REAL, is_urgent INTEGER NOT NULL, mood TEXT NOT NULL, truth TEXT NOT NULL, metadata TEXT NOT NULL, settings TEXT NOT NULL, asked TEXT NOT NULL, anything TEXT NOT NULL, attempt INTEGER NOT NULL, reply_hash TEXT, raw_response TEXT, reply_salt TEXT, UNIQUE (record_id, attempt), UNIQUE (n_tokens))',
    );
    expect([ANSWERS.sql('id'), ANSWERS.sql('nTokens'), ANSWERS.place('nTokens')]).toEqual([
      'record_id',
      'n_tokens',
      1,
    ]);
  });

  it('gives back what was written', () => {
    expect(throughSqlite(VALUES)).toEqual(VALUES);
  });

  it('has fallbacks for what is not stated', () => {
    const {
      confidence: _,
      attempt: __,
      replyHash: ___,
      rawResponse: ____,
      replySalt: _____,
      ...stated
    } = VALUES;
    expect(throughSqlite({ ...stated, confidence: undefined })).toEqual({
      ...stated,
      confidence: null,
      attempt: 0,
      replyHash: null,
      rawResponse: null,
      replySalt: null,
    });
  });

  it('leaves a row as it is that is there already', () => {
    const db = new DatabaseSync(':memory:');
    db.exec(ANSWERS.ddl);
    const insert = db.prepare(ANSWERS.insert);
    expect(insert.run(1, ...ANSWERS.encode(VALUES)).changes).toBe(1);
    expect(insert.run(2, ...ANSWERS.encode({ ...VALUES, nTokens: 4 })).changes).toBe(0);
    expect(db.prepare('SELECT seq, n_tokens FROM answers').all()).toEqual([{ seq: 1, n_tokens: 3 }]);
    db.close();
  });

  it('replaces what SQLite cannot store, so that what is hashed is what is read: lone surrogates, and NaN', () => {
    const values = {
      ...VALUES,
      id: 'a\uD800b',
      truth: '\uDC00',
      metadata: { '\uD800': '\uD800' },
      settings: { x: '\uDFFF' },
      asked: ['\uD800'],
      confidence: Number.NaN,
      rawResponse: '\uD83D',
    };
    const cells = ANSWERS.encode(values);
    for (const cell of cells) if (typeof cell === 'string') expect(cell.isWellFormed()).toBe(true);
    const read = throughSqlite(values);
    expect(read).toMatchObject({ id: 'a\uFFFDb', confidence: null, rawResponse: '\uFFFD' });
    expect(ANSWERS.encode(read)).toEqual(cells);
  });

  it.each([
    ['record_id', 1],
    ['n_tokens', 'many'],
    ['n_tokens', null],
    ['confidence', 'high'],
    ['mood', 'furious'],
    ['truth', '{}'],
    ['truth', 'not JSON'],
    ['metadata', '[]'],
    ['metadata', 'null'],
    ['settings', null],
    ['asked', 'not JSON'],
    ['anything', new Uint8Array([1])],
    ['anything', `${'['.repeat(200)}${']'.repeat(200)}`],
    ['attempt', '0'],
    ['reply_hash', 7],
    ['raw_response', new Uint8Array([1])],
  ])('refuses a hostile cell, and does not quote it: %s %s', (name, cell) => {
    const row = Object.fromEntries(ANSWERS.encode(VALUES).map((value, i) => [KEYS[i]!, value as unknown]));
    const key = KEYS[ANSWERS.sqlNames.indexOf(name)]!;
    row[key] = cell;
    expect(() => ANSWERS.decode(row, KEYS)).toThrow(UnexpectedCell);
    expect(() => ANSWERS.decode(row, KEYS)).toThrow(`${key} in answers`);
    expect(() => ANSWERS.decode(row, [key])).not.toThrow(/furious|many|high/);
  });

  it('reads only the columns that are asked for, and none of a row that is not there', () => {
    expect(ANSWERS.decode({ id: 'a' }, ['id'])).toEqual({ id: 'a' });
    expect(ANSWERS.decode({ confidence: 'x', attempt: 'x' }, ['confidence', 'attempt'], false)).toEqual({
      confidence: null,
      attempt: 0,
    });
  });

  it('does not read a kept text that is longer than any that is written', () => {
    const db = new DatabaseSync(':memory:');
    db.exec(ANSWERS.ddl);
    db.prepare(ANSWERS.insert).run(1, ...ANSWERS.encode(VALUES));
    db.exec('UPDATE answers SET raw_response = zeroblob(70000000)');
    const row = db.prepare(`SELECT ${ANSWERS.select('t', ['rawResponse'])} FROM answers t`).get()!;
    db.close();
    expect(ANSWERS.decode(row, ['rawResponse'])).toEqual({ rawResponse: null });
  });
});

describe('what the digest covers of a row', () => {
  const covered = (more: object = {}, seq = 7) =>
    ANSWERS.covered(seq, ANSWERS.encode({ ...VALUES, ...more }));

  it('is its number, its table and its columns, and neither the kept text nor its salt', () => {
    expect(covered()).toBe(
      '7 answers ["a",3,0.25,1,"calm","\\"yes\\"","{\\"place\\":1,\\"nested\\":{\\"deep\\":[null]}}","{\\"a\\":2,\\"b\\":1}","[\\"a\\",\\"b\\"]","[1,\\"x\\"]",2,"ab"]\n',
    );
    expect(covered({ rawResponse: null, replySalt: null })).toBe(covered());
    expect(covered({ settings: { a: 2, b: 1 } })).toBe(covered());
  });

  it('is another for another number or any other value', () => {
    const others = [
      covered({}, 8),
      covered({ id: 'b' }),
      covered({ confidence: null }),
      covered({ isUrgent: false }),
      covered({ replyHash: null }),
      covered({ replyHash: 'null' }),
    ];
    expect(new Set([covered(), ...others]).size).toBe(others.length + 1);
    // One line for each entry, whatever is in it.
    expect(covered({ id: 'a\n8 answers' }).split('\n')).toHaveLength(2);
  });

  it('is every column of the tables of a run file but kept texts, their salts, and what entries derive', () => {
    const left = ENTRIES.map(({ name, sqlNames, nCovered }) => [name, sqlNames.slice(nCovered)]);
    expect(Object.fromEntries(left)).toEqual({
      records: ['features', 'features_salt'],
      templates: [],
      calls: [],
      outcomes: ['raw_response', 'reply_salt'],
      rows: ['raw_response', 'reply_salt'],
      judgements: [],
      events: [],
    });
    const db = new DatabaseSync(':memory:');
    createTables(db);
    for (const { name, sqlNames } of ENTRIES)
      expect(
        db
          .prepare('SELECT name FROM pragma_table_xinfo(?)')
          .all(name)
          .map((column) => column.name),
      ).toEqual(['seq', ...sqlNames]);
    db.close();
  });
});
