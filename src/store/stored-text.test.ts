import { describe, expect, it } from 'vitest';
import { MAX_STORED_CHARACTERS, storedText, textHash } from './stored-text.ts';

const hashOf = (text: string) => textHash(text, null);

describe('storedText', () => {
  it('keeps a text whole, with its length and hash', () => {
    expect(storedText('yes', null, hashOf)).toEqual({
      text: 'yes',
      length: 3,
      hash: hashOf('yes'),
      keptHash: null,
    });
  });

  it('cuts a long text, and says how long it was', () => {
    const long = `${'x'.repeat(MAX_STORED_CHARACTERS - 1)}😀${'y'.repeat(10)}`;
    const { text, length, hash, keptHash } = storedText(long, null, hashOf);
    expect(text).toBe('x'.repeat(MAX_STORED_CHARACTERS - 1));
    expect([length, hash, keptHash]).toEqual([long.length, hashOf(long), hashOf(text!)]);
  });

  it('measures and hashes a text that is withheld', () => {
    expect(storedText(null, 'Erika', hashOf)).toEqual({
      text: null,
      length: 5,
      hash: hashOf('Erika'),
      keptHash: null,
    });
  });

  it('stores nothing of no text', () => {
    expect(storedText(null, null, hashOf)).toEqual({ text: null, length: null, hash: null, keptHash: null });
  });

  it('hashes what SQLite gives back: a lone surrogate is replaced first', () => {
    const { text, hash } = storedText('a\uD800b', null, hashOf);
    expect(hash).toBe(hashOf(text!));
  });
});

describe('textHash', () => {
  it('depends on the key of a protected run', () => {
    expect(new Set([null, 'one', 'two'].map((key) => textHash('Erika', key))).size).toBe(3);
  });
});
