import { describe, expect, it } from 'vitest';
import { MAX_STORED_CHARACTERS, storedText, type TextKey, textHash } from './stored-text.ts';

const hashText = (text: string) => textHash(text, null);
const PUBLIC: Pick<TextKey, 'hash' | 'newSalt'> = { hash: hashText, newSalt: () => null };
const PROTECTED: Pick<TextKey, 'hash' | 'newSalt'> = {
  hash: (text, salt) => textHash(text, salt ?? 'key of the run'),
  newSalt: () => 'a salt',
};

describe('storedText', () => {
  it('keeps a text whole, with its length and hash', () => {
    expect(storedText('yes', null, PUBLIC)).toEqual({
      rawResponse: 'yes',
      replySalt: null,
      replyLength: 3,
      replyHash: hashText('yes'),
      keptHash: null,
    });
  });

  it('cuts a long text, and says how long it was', () => {
    const long = `${'x'.repeat(MAX_STORED_CHARACTERS - 1)}😀${'y'.repeat(10)}`;
    const kept = 'x'.repeat(MAX_STORED_CHARACTERS - 1);
    expect(storedText(long, null, PUBLIC)).toEqual({
      rawResponse: kept,
      replySalt: null,
      replyLength: long.length,
      replyHash: hashText(long),
      keptHash: hashText(kept),
    });
  });

  it('measures and hashes a text that is withheld', () => {
    expect(storedText(null, 'Erika', PUBLIC)).toEqual({
      rawResponse: null,
      replySalt: null,
      replyLength: 5,
      replyHash: hashText('Erika'),
      keptHash: null,
    });
  });

  it('salts a text that is kept in a protected run, and hashes one that is withheld with the key of the run', () => {
    const long = 'x'.repeat(MAX_STORED_CHARACTERS + 1);
    expect(storedText(long, null, PROTECTED)).toMatchObject({
      replySalt: 'a salt',
      replyHash: textHash(long, 'a salt'),
      keptHash: textHash(long.slice(1), 'a salt'),
    });
    expect(storedText(null, 'Erika', PROTECTED)).toMatchObject({
      replySalt: null,
      replyHash: textHash('Erika', 'key of the run'),
    });
  });

  it('stores nothing of no text', () => {
    expect(storedText(null, null, PUBLIC)).toEqual({
      rawResponse: null,
      replySalt: null,
      replyLength: null,
      replyHash: null,
      keptHash: null,
    });
  });

  it('hashes what SQLite gives back: a lone surrogate is replaced first', () => {
    const { rawResponse, replyHash } = storedText('a\uD800b', null, PUBLIC);
    expect([rawResponse, replyHash]).toEqual(['a\uFFFDb', hashText(rawResponse!)]);
  });
});

describe('textHash', () => {
  it('depends on the key of a protected run', () => {
    expect(new Set([null, 'one', 'two'].map((key) => textHash('Erika', key))).size).toBe(3);
  });
});
