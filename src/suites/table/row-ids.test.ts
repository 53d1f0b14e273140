import { expect, it } from 'vitest';
import type { PatientRecord } from '../../core/patient-record.ts';
import { contentIds, idReader, idSurvey } from './row-ids.ts';

const idsFromContent = (features: PatientRecord['features'][]) => {
  const toId = contentIds();
  return features.map((shown) => toId(shown));
};

it('gives ids that do not depend on the order of rows or features', () => {
  const ids = idsFromContent([
    { a: 1, b: null },
    { a: 2, b: 'x' },
  ]);
  expect(
    idsFromContent([
      { b: 'x', a: 2 },
      { b: null, a: 1 },
    ]),
  ).toEqual([...ids].reverse());
  expect(new Set(ids).size).toBe(2);
});

it('distinguishes equal rows by counting', () => {
  expect(new Set(idsFromContent([{ a: 1 }, { a: 1 }, { a: 1 }])).size).toBe(3);
});

it('refuses missing and repeated ids', () => {
  const ids = ['x', '', 'x', 'X'];
  const survey = idSurvey();
  for (const id of ids) survey.add(id);
  const check = idReader('case', survey.repeated);
  const problems = ids.flatMap((id, i) => check(id, i + 2) ?? []);
  expect(problems.map(({ line, value }) => [line, value])).toEqual([
    [3, null],
    [4, 'x'],
  ]);
  expect(problems[1]!.expected).toContain('line 2 has this one');
});
