import { describe, expect, it } from 'vitest';
import { MAX_STORED_CHARACTERS, storedText, type TextHashes, textHash } from './stored-text.ts';

const hashOf = (text: string) => textHash(text, null);
const PUBLIC: TextHashes = { hash: hashOf, newSalt: () => null };
const PROTECTED: TextHashes = {
  hash: (text, salt) => textHash(text, salt ?? 'key of the run'),
  newSalt: () => 'a salt',
};

describe('storedText', () => {
  it('keeps a text whole, with its length and hash', () => {
    expect(storedText('yes', null, PUBLIC)).toEqual({
      text: 'yes',
      salt: null,
      length: 3,
      hash: hashOf('yes'),
      keptHash: null,
    });
  });

  it('cuts a long text, and says how long it was', () => {
    const long = `${'x'.repeat(MAX_STORED_CHARACTERS - 1)}😀${'y'.repeat(10)}`;
    const { text, length, hash, keptHash } = storedText(long, null, PUBLIC);
    expect(text).toBe('x'.repeat(MAX_STORED_CHARACTERS - 1));
    expect([length, hash, keptHash]).toEqual([long.length, hashOf(long), hashOf(text!)]);
  });

  it('measures and hashes a text that is withheld', () => {
    expect(storedText(null, 'Erika', PUBLIC)).toEqual({
      text: null,
      salt: null,
      length: 5,
      hash: hashOf('Erika'),
      keptHash: null,
    });
  });

  it('salts a text that is kept in a protected run, and hashes one that is withheld with the key of the run', () => {
    const long = 'x'.repeat(MAX_STORED_CHARACTERS + 1);
    expect(storedText(long, null, PROTECTED)).toMatchObject({
      salt: 'a salt',
      hash: textHash(long, 'a salt'),
      keptHash: textHash(long.slice(1), 'a salt'),
    });
    expect(storedText(null, 'Erika', PROTECTED)).toMatchObject({
      salt: null,
      hash: textHash('Erika', 'key of the run'),
    });
  });

  it('stores nothing of no text', () => {
    expect(storedText(null, null, PUBLIC)).toMatchObject({ text: null, salt: null, hash: null });
  });

  it('hashes what SQLite gives back: a lone surrogate is replaced first', () => {
    const { text, hash } = storedText('a\uD800b', null, PUBLIC);
    expect(hash).toBe(hashOf(text!));
  });
});

describe('textHash', () => {
  it('depends on the key of a protected run', () => {
    expect(new Set([null, 'one', 'two'].map((key) => textHash('Erika', key))).size).toBe(3);
  });
});
