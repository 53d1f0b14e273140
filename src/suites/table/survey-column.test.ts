import { expect, it } from 'vitest';
import { missingMarkers } from './cell.ts';
import {
  columnSurvey,
  detectDecimalMark,
  isNumeric,
  possibleNumerals,
  strays,
  surveyCell,
  withOtherMark,
} from './survey-column.ts';

const isMissing = missingMarkers(['NA']);
function survey(cells: string[], type?: 'number' | 'text', name = 'sodium') {
  const column = columnSurvey(name, type);
  cells.forEach((cell, i) => {
    if (!isMissing(cell)) surveyCell(column, cell, i + 2, possibleNumerals(undefined));
  });
  return column;
}
const mark = (...columns: string[][]) =>
  detectDecimalMark(
    columns.map((cells) => survey(cells)),
    'x.csv',
  );

it('is numeric when every measured cell is a number, or as declared', () => {
  expect(isNumeric(survey(['140', 'NA', '', '133.5']), '.')).toBe(true);
  expect(isNumeric(survey(['140', 'high']), '.')).toBe(false);
  expect(isNumeric(survey(['007', '12']), '.')).toBe(false);
  expect(isNumeric(survey(['NA', '']), '.')).toBe(true);
  expect(isNumeric(survey(['1', '2'], 'text'), '.')).toBe(false);
  expect(isNumeric(survey(['007', 'NA'], 'number'), '.')).toBe(true);
});

it('notes the lines that made text of a column of numbers', () => {
  expect(strays(survey(['140', 'n/d', '139']), '.')).toEqual({ n: 1, lines: [3] });
  expect(strays(survey(['140', 'n/d', '139'], 'text'), '.')).toBeNull();
  expect(strays(survey(['yes', 'no', '1']), '.')).toBeNull();
});

it('finds the decimal mark in columns of numbers', () => {
  expect(mark(['1.5', '2'], ['a', 'b'])).toBe('.');
  expect(mark(['1', '2'])).toBe('.');
  expect(mark(['1,5', '2', 'NA'], ['61', '70'])).toBe(',');
  expect(mark(['1,5', '<0,1', '2,5'])).toBe(',');
  expect(mark(['1,234', '12,5'])).toBe(',');
  expect(mark(['a, b', '1,5', 'c', 'd'])).toBe('.');
});

it('keeps the point where any column of numbers has one, and says which columns have commas', () => {
  const columns = [survey(['1.5', '2']), survey(['1,5', '2,5'], undefined, 'weight')];
  expect(detectDecimalMark(columns, 'x.csv')).toBe('.');
  expect(withOtherMark(columns, '.').map(({ name }) => name)).toEqual(['weight']);
});

it('asks where 1,234 is the only sign, unless the column is text', () => {
  expect(() => mark(['5', '1,234'])).toThrow(
    '"x.csv": line 3, column "sodium": a number such as 1,234 can mean 1.234 or 1234; state decimal',
  );
  expect(() => mark(['5', '1,234'])).toThrow(expect.objectContaining({ code: 'ERR_FILE_AMBIGUOUS' }));
  expect(detectDecimalMark([survey(['5', '1,234'], 'text')], 'x.csv')).toBe('.');
});
