import { describe, expect, it } from 'vitest';
import { groupedWarnings, harmTexts } from './grouped-warnings.ts';

const run = (backendName: string, ...codes: string[]) => ({
  backendName,
  warnings: codes.map((code) => ({ code, message: `${code} of ${backendName}` })),
});

describe('groupedWarnings', () => {
  it('has one line for each kind of warning, with the models it is about', () => {
    const runs = [
      run('unit/a', 'simulated_model', 'few_rows'),
      run('unit/b', 'few_rows', 'stopped'),
      run('unit/c', 'simulated_model', 'few_rows'),
    ];
    expect(groupedWarnings(runs, 78)).toEqual([
      'simulated, answers are made up: unit/a, unit/c',
      'all 3 models: fewer than 400 cases, too few to compare models',
      'stopped of unit/b: unit/b',
    ]);
    expect(groupedWarnings(runs.slice(0, 2), 78)[1]).toMatch(/^both models: fewer/);
  });

  it('writes a sentence of its own without its full stop before the name', () => {
    const cached = { backendName: 'unit/a', warnings: [{ code: 'cached_replies', message: 'Old.' }] };
    expect(groupedWarnings([cached, run('unit/b')], 78)).toEqual(['Old: unit/a']);
  });

  it('names as many models as fit on the line', () => {
    const runs = ['one', 'two', 'three', 'four'].map((name) => run(`provider/model-${name}`, 'few_rows'));
    const other = [...runs, run('unit/other')];
    const text = 'fewer than 400 cases, too few to compare models: ';
    expect(groupedWarnings(other, 108)).toEqual([`${text}provider/model-one, provider/model-two and 2 more`]);
    expect(groupedWarnings(other, 84)).toEqual([`${text}provider/model-one and 3 more`]);
    expect(groupedWarnings(other, 70)).toEqual([`${text}4 models`]);
  });
});

describe('harmTexts', () => {
  it('keeps the words of each model, and puts missed emergencies first', () => {
    const runs = [
      run('unit/a', 'wrong_answers', 'few_rows'),
      run('unit/b', 'few_rows'),
      run('unit/c', 'missed_emergencies', 'wrong_answers'),
    ];
    expect(harmTexts(runs)).toEqual([
      'unit/c: missed_emergencies of unit/c wrong_answers of unit/c',
      'unit/a: wrong_answers of unit/a',
    ]);
    expect(groupedWarnings(runs, 78)).toEqual([
      'fewer than 400 cases, too few to compare models: unit/a, unit/b',
    ]);
  });
});
