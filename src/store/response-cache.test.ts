import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { modelReply, temporaryFolder } from '../../test/engine-fixture.ts';
import { clearCache, ResponseCache } from './response-cache.ts';

const folder = temporaryFolder();
afterAll(folder.remove);

/** Edits the file as any program of the same machine can. */
function edit(path: string, sql: string): void {
  const db = new DatabaseSync(path);
  db.exec(sql);
  db.close();
}

function fill(path: string, ...keys: string[]): void {
  const cache = ResponseCache.open(path);
  for (const key of keys) cache.put(key, modelReply(`reply to ${key}`));
  cache.close();
}

function read(path: string, key: string): string | null {
  const cache = ResponseCache.open(path);
  const text = cache.get(key)?.reply.text ?? null;
  cache.close();
  return text;
}

describe('the cache', () => {
  it('gives back what was put in and when, in another process too', () => {
    const path = folder.file('a.db');
    const reply = { ...modelReply('{"prediction": "yes"}'), usage: { inputTokens: 7, outputTokens: null } };
    const cache = ResponseCache.open(path);
    const before = Date.now() / 1000;
    cache.put('k', reply);
    const after = Date.now() / 1000;
    cache.close();
    const again = ResponseCache.open(path);
    const entry = again.get('k')!;
    expect(entry.reply).toEqual(reply);
    expect(entry.storedAt).toBeGreaterThanOrEqual(before);
    expect(entry.storedAt).toBeLessThanOrEqual(after);
    expect(again.get('other')).toBeNull();
    again.close();
  });

  it('keeps the first reply to a question', () => {
    const cache = ResponseCache.open(folder.file('b.db'));
    for (const text of ['first', 'second']) {
      for (let i = 0; i < 512; i++) cache.put(`k${i}`, modelReply(text));
    }
    expect(cache.get('k3')!.reply.text).toBe('first');
    cache.close();
  });

  it.each([
    ['an edited reply', "UPDATE replies SET value = replace(value, 'reply to k', 'forged')"],
    ['another time', 'UPDATE replies SET created_at = created_at - 1'],
    [
      'the reply to another question',
      "UPDATE replies SET key = 'x' WHERE key = 'k'; UPDATE replies SET key = 'k' WHERE key = 'other'",
    ],
    ['no code', "UPDATE replies SET mac = ''"],
    ['a code of another length', "UPDATE replies SET mac = mac || 'x'"],
    ['an empty list', 'UPDATE replies SET value = \'{"responses":[]}\''],
    ['a number', 'UPDATE replies SET value = 7'],
    ['bytes', "UPDATE replies SET value = x'00ff', mac = x'00'"],
  ])('takes %s for a miss, and replaces it by the next reply', (name, sql) => {
    const path = folder.file(`forged-${name.replaceAll(' ', '-')}.db`);
    fill(path, 'k', 'other');
    expect(read(path, 'k')).toBe('reply to k');
    edit(path, sql);
    expect(read(path, 'k')).toBeNull();
    fill(path, 'k');
    expect(read(path, 'k')).toBe('reply to k');
  });

  it('takes what another user wrote, and a file of another form, for misses', () => {
    const path = folder.file('foreign.db');
    vi.stubEnv('KRISIS_CONFIG_DIR', folder.file('another user'));
    fill(path, 'k');
    vi.unstubAllEnvs();
    expect(read(path, 'k')).toBeNull();
    edit(
      path,
      'PRAGMA user_version = 0; DROP TABLE replies; CREATE TABLE replies (key TEXT, value TEXT, created_at REAL)',
    );
    expect(read(path, 'k')).toBeNull();
    fill(path, 'k');
    expect(read(path, 'k')).toBe('reply to k');
  });

  it('has its key in the folder of the user, for the user alone, and not beside it', () => {
    const config = folder.file('config');
    vi.stubEnv('KRISIS_CONFIG_DIR', config);
    fill(folder.file('keyed.db'), 'k');
    expect(statSync(join(config, 'cache.key')).mode & 0o777).toBe(0o600);
    const key = readFileSync(join(config, 'cache.key'), 'utf8').trim();
    expect(readFileSync(folder.file('keyed.db')).includes(key)).toBe(false);
    vi.unstubAllEnvs();
  });

  it('is left out, with one warning, where its key cannot be used', () => {
    const config = folder.file('bad config');
    mkdirSync(config);
    writeFileSync(join(config, 'cache.key'), 'short', { mode: 0o600 });
    vi.stubEnv('KRISIS_CONFIG_DIR', config);
    const warnings: string[] = [];
    const cache = ResponseCache.open(folder.file('no-key.db'), (message) => warnings.push(message));
    for (let i = 0; i < 100; i++) cache.put(`k${i}`, modelReply('text'));
    expect(cache.get('k1')).toBeNull();
    cache.close();
    vi.unstubAllEnvs();
    expect(warnings).toEqual([
      expect.stringMatching(/left out for the rest of this run: .*cache\.key: expected/),
    ]);
  });

  it('is left out, with one warning, once it cannot be written', () => {
    const path = folder.file('locked.db');
    const warnings: string[] = [];
    const cache = ResponseCache.open(path, (message) => warnings.push(message));
    const other = new DatabaseSync(path);
    other.exec('BEGIN IMMEDIATE');
    const started = performance.now();
    for (let i = 0; i < 200; i++) cache.put(`k${i}`, modelReply('text'));
    cache.close();
    expect(performance.now() - started).toBeLessThan(1000);
    expect(warnings).toEqual([expect.stringMatching(/left out for the rest of this run: .*locked/)]);
    other.close();
  });

  it('is cleared, counted, also when it is damaged or not there', () => {
    const path = folder.file('c.db');
    expect(clearCache(path)).toBeNull();
    const cache = ResponseCache.open(path);
    cache.put('k', modelReply('text'));
    cache.close();
    expect([clearCache(path), clearCache(path)]).toEqual([1, null]);
    writeFileSync(path, 'this is no database, but long enough to be taken for the head of one');
    expect(() => ResponseCache.open(path)).toThrow(expect.objectContaining({ code: 'ERR_CACHE_UNREADABLE' }));
    expect([clearCache(path), clearCache(path)]).toEqual([0, null]);
  });
});
