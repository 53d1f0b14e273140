import { expect, it } from 'vitest';
import { smallResult } from '../../test/report-fixture.ts';
import { methodText } from './method-text.ts';

const report = await smallResult();
const { card } = report;

it('names every way in which an interval was made', () => {
  expect(methodText(report)).toBe(
    '95 % intervals: Wilson for shares; BCa bootstrap over cases for the others (50 resamples, seed 42, xoroshiro128plus). Calibration errors have no valid interval: they are read against their noise floor.',
  );
});

it('says what was drawn', () => {
  const clustered = { ...card, method: { ...card.method, cluster: 'id', level: 0.9 } };
  expect(methodText({ ...report, card: clustered })).toMatch(
    /^90 % intervals: .* bootstrap over clusters \(id\)/,
  );
  const byCall = { ...card, method: { ...card.method, cluster: 'call' } };
  expect(methodText({ ...report, card: byCall })).toContain(
    'bootstrap over calls, since several cases shared a prompt',
  );
});

it('says when there are none', () => {
  const scores = card.scores.map((score) => ({ ...score, interval: null, intervalReason: 'resampling_off' }));
  expect(methodText({ ...report, card: { ...card, scores } })).toBe('No intervals.');
  const imported = { format: 'f', source: 's', sha256: '0', hasRows: false };
  expect(methodText({ ...report, imported })).toContain('Values as published, without rows');
});
