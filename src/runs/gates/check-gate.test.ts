import { describe, expect, it } from 'vitest';
import { rowsFrom } from '../../../test/compare-fixture.ts';
import { evaluationResult } from '../../core/evaluation-result.ts';
import { buildTable } from '../../metrics/columns.ts';
import { scoreTable } from '../../metrics/score.ts';
import { checkGate } from './check-gate.ts';
import { parseGate } from './parse-gate.ts';

const card = (word: string) => scoreTable(buildTable(rowsFrom(word)), { resamples: 100 });
const check = (expression: string, word: string) => checkGate(parseGate(expression), card(word));
const status = (expression: string, word: string) => check(expression, word).status;

describe('checkGate', () => {
  it.each([
    ['accuracy >= 0.5', 'pass'],
    ['accuracy > 0.5', 'fail'],
    ['accuracy <= 0.5', 'pass'],
    ['accuracy < 0.5', 'fail'],
    ['accuracy == 0.5', 'pass'],
    ['accuracy != 0.5', 'fail'],
    ['accuracy >= 50%', 'pass'],
    ['lower(accuracy) >= 0.5', 'fail'],
    ['upper(accuracy) >= 0.5', 'pass'],
    ['coverage == 1', 'pass'],
  ])('%s of half right: %s', (expression, expected) => {
    expect(status(expression, '+-+-')).toBe(expected);
  });

  it('shows enough digits to see why', () => {
    const third = check('accuracy >= 0.3335', '+--'.repeat(10));
    expect(third).toEqual({
      text: 'accuracy >= 0.3335',
      status: 'fail',
      message: 'accuracy is 0.333 (10/30)',
    });
    expect(check('accuracy >= 0.3334', '+--').message).toBe('accuracy is 0.3333 (1/3)');
    expect(check('lower(accuracy) > 0.9', '++++').message).toMatch(
      /^lower\(accuracy\) is 0\.510 \(1\.000, 0\.510 to 1\.000, 4\/4\): the value meets it, but that is not shown; about 35 cases would show it$/,
    );
  });

  it('tells a bound that fails from a value that does', () => {
    expect(check('lower(accuracy) > 0.9', '++++')).toMatchObject({
      status: 'fail',
      reason: 'fail_not_shown',
    });
    expect(check('lower(accuracy) > 0.9', '----')).not.toHaveProperty('reason');
    expect(check('accuracy > 0.9', '----')).not.toHaveProperty('reason');
  });

  it('refuses balanced accuracy when classes were lost', () => {
    const rows = ['a', 'b', 'c'].map((groundTruth) =>
      evaluationResult({ groundTruth, prediction: groundTruth, abstained: groundTruth === 'c' }),
    );
    const scored = scoreTable(buildTable(rows), { resamples: 0, bundle: 'extended' });
    expect(checkGate(parseGate('balanced_accuracy_answered >= 0.5'), scored)).toMatchObject({
      status: 'undecided',
      message: 'balanced_accuracy_answered cannot be gated: 1 of 3 classes has no answer',
    });
  });

  it('cannot decide on a value that is not there', () => {
    expect(check('selective_accuracy > 0.5', 'ooo')).toMatchObject({ status: 'undecided' });
    expect(check('must_act_accuracy > 0.5', '+++').message).toContain('has no value (');
    expect(check('lower(brier_top_label) > 0', '+').message).toContain('has no interval');
    expect(check('nonsense > 0', '+').message).toBe('nonsense was not computed');
  });

  it.each([
    // Five of eight are right; the two failed ones make it 5/10 to 7/10.
    ['accuracy >= 0.5', 'pass'],
    ['accuracy >= 0.6', 'undecided'],
    ['accuracy > 0.7', 'fail'],
    ['accuracy < 0.5', 'fail'],
    ['accuracy <= 0.7', 'pass'],
    ['accuracy == 0.6', 'undecided'],
    ['accuracy != 0.6', 'undecided'],
    ['accuracy == 0.9', 'fail'],
    ['accuracy != 0.9', 'pass'],
  ])('with failed rows, %s: %s', (expression, expected) => {
    expect(status(expression, '+++++---xx')).toBe(expected);
  });

  it('says how far failed rows could move it', () => {
    expect(check('accuracy >= 0.6', '+++++---x?').message).toBe(
      'accuracy is 0.625 (5/8), but 2 of 10 cases failed or never ran; had they been answered: 0.500 to 0.700',
    );
  });

  it('moves bounds of intervals as well', () => {
    const rows = `${'+'.repeat(90)}${'-'.repeat(10)}`;
    expect(status('lower(accuracy) >= 0.8', rows)).toBe('pass');
    expect(status('lower(accuracy) >= 0.8', `${rows}x`)).toBe('pass');
    expect(status('lower(accuracy) >= 0.8', `${rows}xxxxxxxx`)).toBe('undecided');
    expect(status('lower(accuracy) >= 0.95', `${rows}x`)).toBe('fail');
  });

  it('decides on scores of confidence only where arithmetic bounds them', () => {
    const rows = '+-+-+'.repeat(20);
    expect(status('ece < 0.9', `${rows}x`)).toBe('pass');
    expect(status('augrc < 0.5', `${rows}x`)).toBe('pass');
    expect(status('brier_top_label > 0.01', `${rows}x`)).toBe('pass');
    const { value } = card(rows).scores.find(({ name }) => name === 'expected_calibration_error')!;
    expect(status(`ece <= ${value! + 0.001}`, `${rows}x`)).toBe('undecided');
    expect(check('overconfidence < 1', `${rows}x`)).toMatchObject({
      status: 'undecided',
      message: expect.stringContaining('is not known'),
    });
  });
});
