import { describe, expect, it } from 'vitest';
import { listColumns, listSummaries } from './logistic.ts';

const summary = (fields: string[], value: Parameters<ReturnType<typeof listSummaries>[number]['read']>[0]) =>
  Object.fromEntries(listSummaries(fields).map(({ name, read }) => [name, read(value)]));

describe('listSummaries', () => {
  it('summarises over the visits in which the field was measured', () => {
    expect(summary(['egfr'], [{ egfr: null }, { egfr: 60 }, { egfr: 45 }, { date: 'x' }])).toEqual({
      count: 4,
      'first egfr': 60,
      'last egfr': 45,
      'mean egfr': 52.5,
      'change of egfr': -15,
    });
  });

  it('takes one measurement for no measured change, and none for nothing', () => {
    expect(summary(['egfr'], [{ egfr: 60 }])).toMatchObject({ 'last egfr': 60, 'change of egfr': null });
    expect(summary(['egfr'], [])).toEqual({
      count: 0,
      'first egfr': null,
      'last egfr': null,
      'mean egfr': null,
      'change of egfr': null,
    });
    expect(summary(['egfr'], null)).toMatchObject({ count: null, 'mean egfr': null });
  });
});

describe('listColumns', () => {
  it('finds the numeric fields of the training visits and standardises each summary', () => {
    const training = [
      [
        { month: 0, date: '2024-01-01', egfr: 60 },
        { month: 12, date: '2025-01-01', egfr: 50 },
      ],
      [
        { month: 0, date: '2024-01-01', egfr: 80 },
        { month: 12, date: '2025-01-01', egfr: 90 },
      ],
    ];
    const columns = listColumns('Visits', training);
    const read = (name: string) => columns.find((column) => column.name === name)?.read(training[0]!);
    expect(read('Visits: first egfr')).toBe(-1);
    expect(read('Visits: last egfr')).toBe(-1);
    expect(read('Visits: change of egfr')).toBe(-1);
    expect(columns.some(({ name }) => name.includes('date'))).toBe(false);
  });

  it('reads a list of plain numbers as one field', () => {
    const columns = listColumns('bp', [[120, 130], [140]]);
    expect(columns.find(({ name }) => name === 'bp: mean')?.read([140])).toBe(1);
  });

  it('gives nothing where training has no list', () => {
    expect(listColumns('bp', [120, null])).toEqual([]);
  });
});
