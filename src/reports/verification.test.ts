import { describe, expect, it } from 'vitest';
import type { RunVerification } from '../store/index.ts';
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
  entriesAfterSeal: 0,
  problems: [],
  nProblems: 0,
  seals: 1,
  seal: SEAL,
  adoptedAt: null,
  startedBy: '0.2.0',
  mergedFrom: null,
  textsChecked: 7,
  textsNotChecked: 0,
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
    const lines = verificationLines({ ...verified, verdict: 'changed', problems: [problem], nProblems: 5 });
    expect(lines.slice(0, 3)).toEqual([
      'CHANGED since it was written: 5 problems in 1,200 entries',
      'text changed: row, record 3, repeat 0, attempt 0',
      'and 4 more',
    ]);
  });

  it.each<[string, Partial<RunVerification>]>([
    ['cannot be verified: written by krisis 0.2.0', { verdict: 'not_chained', entries: 0, seal: null }],
    ['not every row', { checked: 'seal' }],
    ['not sealed: the run has not ended yet', { seal: null, seals: 0, entriesAfterSeal: 1200 }],
    ['30 entries after the last seal', { entriesAfterSeal: 30 }],
    ['not sealed before 2026-11-01', { adoptedAt: '2026-11-01T00:00:00Z' }],
    ['begun by krisis 0.1.0', { startedBy: '0.1.0' }],
    ['merged from 2 runs', { mergedFrom: [{}, {}] }],
    ['7 stored texts cannot be checked', { textsNotChecked: 7 }],
  ])('says: %s', (text, more) => {
    expect(verificationText({ ...verified, ...more })).toContain(text);
  });

  it('has a JSON form', () => {
    expect(verificationObject(verified)).toMatchObject({ n_problems: 0, seal: { sealed_at: SEAL.sealedAt } });
  });
});
