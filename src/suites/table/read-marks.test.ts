import { expect, it } from 'vitest';
import type { FileProblem } from '../file-problem.ts';
import { missingMarkers } from './cell.ts';
import type { TableSurvey } from './survey-table.ts';
import { markReader } from './table-records.ts';

const defer = { name: 'defer', index: 0 };
const why = { name: 'why', index: 1 };
const rows = (...cells: string[][]) => cells.map((row, i) => ({ line: i + 2, cells: row }));
const NONE = { shouldAbstain: null, reasons: null, mustAct: null };
const isMissing = missingMarkers(['NA']);

function readMarks(
  table: ReturnType<typeof rows>,
  roles: Pick<TableSurvey['roles'], 'shouldAbstain' | 'reasons' | 'mustAct'>,
  missing: typeof isMissing,
) {
  const problems: FileProblem[] = [];
  const read = markReader({ roles, isMissing: missing }, (problem) => problems.push(problem));
  const metadata = table.map((row) => Object.fromEntries(read(row)));
  return { metadata, problems };
}

it('reads true, false, unlabelled and the reasons', () => {
  const table = rows(['Yes', 'too old; no sodium;'], ['0', ''], ['', 'NA']);
  expect(readMarks(table, { shouldAbstain: defer, reasons: why, mustAct: null }, isMissing).metadata).toEqual(
    [
      { should_abstain: true, should_abstain_reasons: ['too old', 'no sodium'] },
      { should_abstain: false, should_abstain_reasons: [] },
      { should_abstain: null, should_abstain_reasons: [] },
    ],
  );
});

it('says nothing where there is no such column', () => {
  expect(readMarks(rows(['1']), NONE, isMissing).metadata).toEqual([{}]);
});

it('refuses other words', () => {
  const { problems } = readMarks(rows(['maybe']), { ...NONE, shouldAbstain: defer }, isMissing);
  expect(problems).toEqual([
    { line: 2, column: 'defer', value: 'maybe', expected: expect.stringContaining('true, false, yes, no') },
  ]);
});

it('reads emergencies as it reads deferral labels', () => {
  const roles = { ...NONE, mustAct: { name: 'Emergency', index: 0 } };
  const { metadata } = readMarks(rows(['yes'], ['0'], [''], ['NA']), roles, isMissing);
  expect(metadata).toEqual([{ must_act: true }, { must_act: false }, { must_act: null }, { must_act: null }]);
  expect(readMarks(rows(['severe']), roles, isMissing).problems).toEqual([
    {
      line: 2,
      column: 'Emergency',
      value: 'severe',
      expected: expect.stringContaining('nothing for unknown'),
    },
  ]);
});
