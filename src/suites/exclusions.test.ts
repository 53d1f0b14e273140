import { expect, it } from 'vitest';
import { type Exclusions, excludedSuiteHash, exclusionsText, parseExclusions } from './exclusions.ts';

const list: Exclusions = {
  suite: 'ckd/staging',
  suiteHash: 'abc',
  newSuiteHash: excludedSuiteHash('abc', ['p2', 'p1']),
  records: [
    { id: 'p1', reason: 'decided_otherwise', decision: 'G4', nRaters: 2 },
    { id: 'p2', reason: 'marked_wrong', decision: null, nRaters: 1 },
  ],
  review: { runId: null, lastEvent: 'e1' },
  createdAt: '2026-01-01T00:00:00.000Z',
};

it('is read as it was written', () => {
  expect(parseExclusions(exclusionsText(list))).toEqual(list);
});

it('does not depend on the order of records', () => {
  expect(excludedSuiteHash('abc', ['p1', 'p2'])).toBe(list.newSuiteHash);
  expect(excludedSuiteHash('abc', ['p1'])).not.toBe(list.newSuiteHash);
});

it.each([
  ['something else', '[]', /is not a list that krisis review apply wrote/],
  ['no JSON', 'x', /is not JSON/],
  [
    'a list with a case taken out',
    exclusionsText({ ...list, records: list.records.slice(1) }),
    /was changed/,
  ],
])('refuses %s', (_, text, message) => {
  expect(() => parseExclusions(text, 'list.json')).toThrow(
    expect.objectContaining({ code: 'ERR_EXCLUSIONS', message: expect.stringMatching(message) }),
  );
});
