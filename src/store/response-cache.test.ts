import { writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, describe, expect, it } from 'vitest';
import { response, temporaryFolder } from '../../test/engine-fixture.ts';
import { clearCache, ResponseCache } from './response-cache.ts';

const folder = temporaryFolder();
afterAll(folder.remove);
const prompt = [{ role: 'user' as const, content: 'a template' }];

describe('the cache', () => {
  it('gives back what was put in and when, in another process too', () => {
    const path = folder.file('a.db');
    const rows = [
      response({ prediction: 1, prompt, inputTokens: 7 }),
      response({ prediction: 'no', prompt }),
    ];
    const cache = ResponseCache.open(path);
    const before = Date.now() / 1000;
    cache.put('k', rows);
    const after = Date.now() / 1000;
    cache.close();
    const again = ResponseCache.open(path);
    const reply = again.get('k')!;
    expect(reply.responses).toEqual(rows);
    expect(reply.storedAt).toBeGreaterThanOrEqual(before);
    expect(reply.storedAt).toBeLessThanOrEqual(after);
    expect(again.get('other')).toBeNull();
    again.close();
  });

  it('keeps the first reply to a question', () => {
    const cache = ResponseCache.open(folder.file('b.db'));
    for (const prediction of ['first', 'second']) {
      for (let i = 0; i < 64; i++) cache.put(`k${i}`, [response({ prediction })]);
    }
    expect(cache.get('k3')!.responses[0]!.prediction).toBe('first');
    cache.close();
  });

  it('is left out, with one warning, once it cannot be written', () => {
    const path = folder.file('locked.db');
    const warnings: string[] = [];
    const cache = ResponseCache.open(path, (message) => warnings.push(message));
    const other = new DatabaseSync(path);
    other.exec('BEGIN IMMEDIATE');
    const started = performance.now();
    for (let i = 0; i < 200; i++) cache.put(`k${i}`, [response()]);
    cache.close();
    expect(performance.now() - started).toBeLessThan(1000);
    expect(warnings).toEqual([expect.stringMatching(/left out for the rest of this run: .*locked/)]);
    other.close();
  });

  it('is cleared, counted, also when it is damaged or not there', () => {
    const path = folder.file('c.db');
    expect(clearCache(path)).toBeNull();
    const cache = ResponseCache.open(path);
    cache.put('k', [response()]);
    cache.close();
    expect([clearCache(path), clearCache(path)]).toEqual([1, null]);
    writeFileSync(path, 'this is no database, but long enough to be taken for the head of one');
    expect(() => ResponseCache.open(path)).toThrow(expect.objectContaining({ code: 'ERR_CACHE_UNREADABLE' }));
    expect([clearCache(path), clearCache(path)]).toEqual([0, null]);
  });
});
