import { expect, it } from 'vitest';
import type { FileProblem } from '../file-problem.ts';
import { missingMarkers } from './cell.ts';
import type { TableSurvey } from './survey-table.ts';
import { deferralReader } from './table-records.ts';

const defer = { name: 'defer', index: 0 };
const why = { name: 'why', index: 1 };
const rows = (...cells: string[][]) => cells.map((row, i) => ({ line: i + 2, cells: row }));
const isMissing = missingMarkers(['NA']);

function readDeferral(
  table: ReturnType<typeof rows>,
  roles: Pick<TableSurvey['roles'], 'shouldAbstain' | 'reasons'>,
  missing: typeof isMissing,
) {
  const problems: FileProblem[] = [];
  const read = deferralReader({ roles, isMissing: missing }, (problem) => problems.push(problem));
  const metadata = table.map((row) => Object.fromEntries(read(row)));
  return { metadata, problems };
}

it('reads true, false, unlabelled and the reasons', () => {
  const table = rows(['Yes', 'too old; no sodium;'], ['0', ''], ['', 'NA']);
  expect(readDeferral(table, { shouldAbstain: defer, reasons: why }, isMissing).metadata).toEqual([
    { should_abstain: true, should_abstain_reasons: ['too old', 'no sodium'] },
    { should_abstain: false, should_abstain_reasons: [] },
    { should_abstain: null, should_abstain_reasons: [] },
  ]);
});

it('says nothing where there is no such column', () => {
  expect(readDeferral(rows(['1']), { shouldAbstain: null, reasons: null }, isMissing).metadata).toEqual([{}]);
});

it('refuses other words', () => {
  const { problems } = readDeferral(rows(['maybe']), { shouldAbstain: defer, reasons: null }, isMissing);
  expect(problems).toEqual([
    { line: 2, column: 'defer', value: 'maybe', expected: expect.stringContaining('true, false, yes, no') },
  ]);
});
