import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it } from 'vitest';
import { borderlessTable } from './borderless-table.ts';
import type { TextColumn } from './column-widths.ts';

const text = (title: string, cells: string[], more: Partial<TextColumn> = {}): TextColumn => ({
  title,
  isNumber: false,
  cells,
  ...more,
});
const number = (title: string, cells: string[], more: Partial<TextColumn> = {}): TextColumn => ({
  title,
  isNumber: true,
  cells,
  ...more,
});
const draw = (columns: readonly TextColumn[], width: number) =>
  borderlessTable(columns, width).map(stripVTControlCharacters);

const models = text('model', ['baseline/guideline-defer', '腎臓']);
const accuracy = number('right decision', ['1.000 (0.99-1.00)', '-']);

describe('borderlessTable', () => {
  it('aligns columns, wide characters too', () => {
    expect(draw([models, accuracy], 80)).toEqual([
      'model                        right decision',
      'baseline/guideline-defer  1.000 (0.99-1.00)',
      '腎臓                                      -',
    ]);
  });

  it('puts intervals below their values where there is little room', () => {
    expect(draw([models, accuracy], 36)).toEqual([
      '                              right',
      'model                      decision',
      'baseline/guideline-defer      1.000',
      '                          0.99-1.00',
      '腎臓                              -',
    ]);
  });

  it('leaves out spare columns first', () => {
    const spare = number('AUGRC', ['0.1', '0.2'], { isSpare: true });
    expect(draw([models, accuracy, spare], 60)[0]).toContain('AUGRC');
    expect(draw([models, accuracy, spare], 44)).toEqual(draw([models, accuracy], 44));
  });

  it('writes a long last text below each row where it has no place beside it', () => {
    const words = text('in words', ['better by more than chance explains', '']);
    expect(draw([models, accuracy, words], 43)).toEqual([
      'model                        right decision',
      'baseline/guideline-defer  1.000 (0.99-1.00)',
      '      better by more than chance explains',
      '腎臓                                      -',
    ]);
  });

  it('never breaks a path: it goes below', () => {
    const path = '.krisis/runs/a-run-with-a-long-name-that-is-wider-than-all.db';
    const lines = draw(
      [models, number('n', ['1', '2']), text('run file', [path, path], { isWhole: true })],
      40,
    );
    expect(lines[2]).toBe(`      ${path}`);
  });

  it('becomes several tables as a last resort, each with the first column', () => {
    const many = Array.from({ length: 6 }, (_, i) => number(`metric${i}`, ['0.123 (0.01-0.23)', '0.5']));
    const lines = draw([models, ...many], 40);
    expect(lines.filter((line) => line.startsWith('model'))).toHaveLength(3);
    for (const column of many) expect(lines.join()).toContain(column.title);
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(40);
  });
});
