import { describe, expect, it } from 'vitest';
import { UCI_FEATURES } from './columns.ts';
import { readHeader } from './header.ts';

const FULL = [...UCI_FEATURES.map(({ name }) => name as string), 'class'];

describe('readHeader', () => {
  it('takes the common variants', () => {
    const names = FULL.map((name) => ({ wbcc: 'wc', rbcc: 'RC', class: ' Classification ' })[name] ?? name);
    const header = readHeader(['ID', ...names], 1);
    expect(header.problems).toEqual([]);
    expect(header.slots).toEqual(['id', ...FULL]);
  });

  it('takes any order, and sex and acr on top', () => {
    const header = readHeader(['class', 'sex', 'ACR', ...FULL.slice(0, -1)], 1);
    expect(header.problems).toEqual([]);
    expect(header.slots.slice(0, 4)).toEqual(['class', 'sex', 'acr', 'age']);
  });

  it('names every missing, unknown and duplicate column at once', () => {
    const names = [...FULL.filter((name) => name !== 'sc' && name !== 'wbcc'), 'bmi', 'Age'];
    const { problems, slots } = readHeader(names, 1);
    expect(problems.map(({ column, value, expected }) => [column, value, expected])).toEqual([
      ['bmi', 'bmi', expect.stringContaining('only known columns: age, bp')],
      ['age', 'Age', 'one such column; the file has "age" already'],
      ['sc', null, 'a column named sc'],
      ['wbcc', null, 'a column named wbcc or wc'],
    ]);
    expect(slots.slice(-2)).toEqual([null, null]);
  });

  it('sees that two spellings are one column', () => {
    const { problems } = readHeader([...FULL, 'wc'], 1);
    expect(problems).toMatchObject([{ column: 'wbcc', value: 'wc' }]);
  });

  it('passes over nameless columns at the end, not elsewhere', () => {
    expect(readHeader([...FULL, 'Unnamed: 25', ''], 1)).toMatchObject({ nameless: 2, problems: [] });
    expect(readHeader(['', ...FULL], 1).problems).toHaveLength(1);
  });

  it('says so once when there is no header, or another separator', () => {
    expect(readHeader(['48', '80', '1.020'], 1).problems).toMatchObject([{ value: '48,80,1.020' }]);
    expect(readHeader([FULL.join(';')], 1).problems[0]!.expected).toBe(
      'fields separated by commas, not by semicolons',
    );
  });
});
