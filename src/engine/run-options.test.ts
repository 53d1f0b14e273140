import { describe, expect, it } from 'vitest';
import { readsCache } from './run-options.ts';

const stopEarly = { plan: { gates: [], nonInferior: null } };

describe('readsCache', () => {
  it('lets a plain run take known replies', () => {
    expect(readsCache({})).toBe(true);
    expect(readsCache({ startNew: false, repeats: 1, hasConditions: false })).toBe(true);
  });

  it.each([
    ['a new run', { startNew: true }],
    ['repeats', { repeats: 2 }],
    ['conditions', { hasConditions: true }],
    ['a run that stops early', { stopEarly }],
  ])('lets %s ask, unless told otherwise', (_, options) => {
    expect(readsCache(options)).toBe(false);
    expect(readsCache({ ...options, readCache: true })).toBe(true);
  });

  it('never reads a cache that is switched off', () => {
    expect(readsCache({ readCache: false })).toBe(false);
  });
});
