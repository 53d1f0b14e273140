import { describe, expect, it } from 'vitest';
import type { RunVerification } from '../store/verify-run.ts';
import { verificationLines, verificationObject, verificationText } from './verification.ts';

const SEAL = {
  sealedAt: '2026-11-16T12:00:00Z',
  krisisVersion: '0.2.0',
  entries: 1199,
  scoresHash: null,
  signed: false,
  keyFingerprint: null,
};
const verified: RunVerification = {
  verdict: 'verified',
  checked: 'everything',
  entries: 1200,
  head: 'ab12',
  entriesAfterSeal: 0,
  unsignedEntries: 0,
  problems: [],
  nProblems: 0,
  seals: 1,
  seal: SEAL,
  startedBy: '0.2.0',
  mergedFrom: null,
  textsChecked: 7,
};

const PART = {
  file: 'a.db',
  run_id: null,
  head: 'ab',
  entries: 9,
  sealed_at: 'now',
  key_fingerprint: null,
};

describe('the verdict on a run file', () => {
  it('says what an unsigned seal shows', () => {
    expect(verificationText(verified)).toBe(
      'verified: none of 1,200 entries was changed, dropped or added; sealed 2026-11-16T12:00:00Z by krisis 0.2.0; not signed: this shows accidents and careless edits only, since the file can be sealed again by anyone who can write it',
    );
  });

  it('names the key of a signed seal', () => {
    const lines = verificationLines({ ...verified, seal: { ...SEAL, signed: true, keyFingerprint: 'ab' } });
    expect(lines).toContain('signed with the key ab');
    expect(lines.join()).not.toContain('careless');
  });

  it('lists problems, and counts those that are not listed', () => {
    const problem = { problem: 'text_changed', kind: 'row', where: 'record 3, repeat 0, attempt 0' } as const;
    const lines = verificationLines({
      ...verified,
      verdict: 'unverified',
      problems: [problem],
      nProblems: 5,
    });
    expect(lines.slice(0, 3)).toEqual([
      'unverified: 5 problems in 1,200 entries',
      'text changed: row, record 3, repeat 0, attempt 0',
      'and 4 more',
    ]);
  });

  it.each<[string, Partial<RunVerification>]>([
    ['only the seal was checked', { checked: 'seal' }],
    ['not sealed yet', { verdict: 'unsealed', seal: null, seals: 0, entriesAfterSeal: 1200 }],
    ['unsealed: no seal covers the last 30 of 1,200 entries', { verdict: 'unsealed', entriesAfterSeal: 30 }],
    ['4 entries of this signed run were covered by no signature in time', { unsignedEntries: 4 }],
    ['begun by krisis 0.1.0', { startedBy: '0.1.0' }],
    ['merged from 1 runs; part a.db: 9 entries up to ab, sealed now, not signed', { mergedFrom: [PART] }],
    ['signed with the key cd', { mergedFrom: [{ ...PART, key_fingerprint: 'cd' }] }],
  ])('says: %s', (text, more) => {
    expect(verificationText({ ...verified, ...more })).toContain(text);
  });

  it('has a JSON form', () => {
    expect(verificationObject(verified)).toMatchObject({ n_problems: 0, seal: { sealed_at: SEAL.sealedAt } });
  });
});
