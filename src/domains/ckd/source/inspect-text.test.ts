import { describe, expect, it } from 'vitest';
import { UCI_FEATURES } from './columns.ts';
import { inspectUciText } from './inspect-text.ts';

const FEATURES = UCI_FEATURES.map(({ name }) => name as string);
const HEADER = ['id', ...FEATURES, 'class'].join(',');
const SICK =
  '63,90,1.010,3,0,abnormal,abnormal,present,notpresent,140,95,4.2,134,5.1,9.4,29,8800,3.3,yes,yes,no,poor,yes,yes,ckd';
const WELL =
  '35,70,1.020,0,0,normal,normal,notpresent,notpresent,95,28,0.9,141,4.2,14.8,45,7000,5.2,no,no,no,good,no,no,notckd';

function file(...rows: string[]): string {
  return `${[HEADER, ...rows].join('\n')}\n`;
}

function listProblems(text: string) {
  return inspectUciText(text).problems.map(({ line, column, value }) => [line, column, value]);
}

describe('inspectUciText', () => {
  it('reads a good file', () => {
    const { rows, problems, summary } = inspectUciText(file(`a,${SICK}`, `b,${WELL}`));
    expect(problems).toEqual([]);
    expect(rows.map(({ id, line, class: label }) => [id, line, label])).toEqual([
      ['a', 2, 'ckd'],
      ['b', 3, 'notckd'],
    ]);
    expect(rows[0]!.values).toMatchObject({ age: 63, sg: 1.01, rbc: 'abnormal', wbcc: 8800 });
    expect(Object.keys(rows[0]!.values)).toEqual(FEATURES);
    expect(summary).toMatchObject({
      rows: 2,
      classCounts: { ckd: 1, notckd: 1 },
      cells: 48,
      missingCells: 0,
    });
  });

  it('numbers rows without ids from 0', () => {
    const text = `\uFEFF${[...FEATURES, 'classification'].join(', ').toUpperCase()}\n${SICK}\n${WELL}\n`;
    const { rows, problems, summary } = inspectUciText(text);
    expect(problems).toEqual([]);
    expect(rows.map(({ id }) => id)).toEqual(['0', '1']);
    expect(summary.idsAssigned).toBe(true);
  });

  it('takes sex and acr when they are there', () => {
    const text = `${HEADER},sex,acr\n1,${SICK},F,412.5\n2,${WELL},male,\n`;
    expect(inspectUciText(text).rows.map(({ values }) => [values.sex, values.acr])).toEqual([
      ['female', 412.5],
      ['male', null],
    ]);
  });

  it('counts missing cells before screening, and lists repairs and screened cells with ids', () => {
    const odd = SICK.replace(',5.1,', ',39,').replace('63,90', '63,?');
    const { problems, repairs, screened, summary, rows } = inspectUciText(file(`a,${odd},`, `b,${WELL}`));
    expect(problems).toEqual([]);
    expect(repairs).toMatchObject([{ line: 2, id: 'a', kind: 'trailing_empty_field' }]);
    expect(screened).toMatchObject([{ line: 2, id: 'a', column: 'pot', value: 39 }]);
    expect(summary).toMatchObject({ missingCells: 1, screenedCells: 1 });
    expect(rows[0]!.values.pot).toBeNull();
  });

  it('keeps a doubled comma in a file whose header grew a nameless column', () => {
    const text = `${HEADER},Unnamed: 26\n1,${SICK},\n2,${WELL.replace('no,no,no,good', 'no,,no,no,good')}\n`;
    const { problems, repairs } = inspectUciText(text);
    expect(problems).toEqual([]);
    expect(repairs).toMatchObject([{ line: 3, kind: 'doubled_comma', column: 'dm' }]);
  });

  it('collects all problems at once', () => {
    const text = file(
      `1,${SICK.replace('4.2', 'high')}`,
      `1,${WELL.replace('good', 'fine')}`,
      `,${WELL.replace('35', '350')}`,
      `4,${WELL.replace('notckd', 'healthy')}`,
      '5,1,2,3',
    );
    expect(listProblems(text)).toEqual([
      [2, 'sc', 'high'],
      [3, 'appet', 'fine'],
      [3, 'id', '1'],
      [4, 'id', null],
      [4, 'age', '350'],
      [5, 'class', 'healthy'],
      [6, null, '4 fields'],
    ]);
  });

  it('still checks the rows when a column is missing or unknown', () => {
    const text = `id,bmi,${FEATURES.slice(1).join(',')},class\n1,22,${SICK.slice(3)}\n2,21,${WELL.slice(3).replace('7000', 'x')}\n`;
    expect(listProblems(text)).toEqual([
      [1, 'bmi', 'bmi'],
      [1, 'age', null],
      [3, 'wbcc', 'x'],
    ]);
  });

  it('refuses a single class, an empty file, a header alone and no header', () => {
    expect(listProblems(file(`1,${SICK}`, `2,${SICK}`))).toEqual([[null, 'class', 'ckd']]);
    expect(listProblems(' \n')).toEqual([[null, null, null]]);
    expect(listProblems(file())).toEqual([[null, null, null]]);
    expect(listProblems(`${SICK}\n${WELL}\n`)).toEqual([[1, null, SICK]]);
  });
});
