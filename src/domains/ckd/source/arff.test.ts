import { expect, it } from 'vitest';
import { isArff, splitArff } from './inspect-text.ts';

it('knows ARFF by its first directive', () => {
  expect(isArff('% about, things\r\n\r\n@relation x\r\n')).toBe(true);
  expect(isArff('age,bp\n@data\n')).toBe(false);
  expect(isArff('')).toBe(false);
});

it('reads names with and without quotes, and where the data begin', () => {
  const text =
    '@RELATION r\n@ATTRIBUTE \'age\' numeric\n@attribute "bp" numeric\n  @attribute sg {1.005}\n@DATA\n1,2,3\n';
  expect(splitArff(text)).toMatchObject({
    attributes: ['age', 'bp', 'sg'],
    attributesLine: 2,
    data: '1,2,3\n',
    dataLine: 6,
    problems: [],
  });
});

it('says what is missing', () => {
  expect(splitArff('@relation r\n').problems.map(({ expected }) => expected)).toEqual([
    '@attribute lines that name the columns',
    'an @data line before the rows',
  ]);
  expect(splitArff('@relation r\n@attribute\n@data\n').problems[0]).toMatchObject({
    line: 2,
    value: '@attribute',
  });
});
