import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { KrisisError } from '../../core/errors.ts';
import { parseGate } from '../gates/parse-gate.ts';
import { OPERATORS } from './expression.ts';

const known = {
  names: ['accuracy', 'answer_rate', 'selective_accuracy', 'expected_calibration_error', 'Own Metric'],
  extended: ['log_loss'],
};

/** The expression and the caret line of an error, or fails. */
function caret(text: string, withKnown = true): [message: string, under: string | undefined] {
  try {
    parseGate(text, withKnown ? known : undefined);
  } catch (error) {
    expect(error).toBeInstanceOf(KrisisError);
    const isExtended = known.extended.some((name) => text.startsWith(name));
    expect((error as KrisisError).code).toBe(isExtended ? 'ERR_METRIC_NOT_SCORED' : 'ERR_GATE_INVALID');
    const [message, shown, line] = (error as Error).message.split('\n');
    expect(line!.trimStart()).toBe('^');
    return [message!, shown!.slice(line!.indexOf('^'))];
  }
  throw new Error(`${text} was accepted`);
}

describe('parseGate', () => {
  it.each([
    ['accuracy >= 0.9', { of: 'value', metric: 'accuracy', operator: '>=', limit: 0.9 }],
    ['accuracy>=.9', { of: 'value', metric: 'accuracy', operator: '>=', limit: 0.9 }],
    [
      ' lower( selective_accuracy ) > 90 % ',
      { of: 'lower', metric: 'selective_accuracy', operator: '>', limit: 0.9 },
    ],
    ['upper(coverage) != 1e-3', { of: 'upper', metric: 'answer_rate', operator: '!=', limit: 0.001 }],
    ['Accuracy == -1', { of: 'value', metric: 'accuracy', operator: '==', limit: -1 }],
    ['own_metric < 2', { of: 'value', metric: 'Own Metric', operator: '<', limit: 2 }],
  ])('%s', (text, expected) => {
    expect(parseGate(text, known)).toEqual({ text: text.trim(), ...expected });
  });

  it.each([
    ['', 'a metric was expected', ''],
    ['>= 0.9', 'a metric was expected', '>= 0.9'],
    ['accuracy', 'a comparison was expected', ''],
    ['accuracy = 0.9', 'a comparison was expected', '= 0.9'],
    ['accuracy >= high', 'a number was expected', 'high'],
    ['accuracy >= 0.9 and x', 'should end here', 'and x'],
    ['mean(accuracy) > 0.9', '"mean(...)" is not known', 'mean(accuracy) > 0.9'],
    ['lower(accuracy > 0.9', '")" was expected', '> 0.9'],
    ['lower(acuracy) > 0.9', 'did you mean accuracy', 'acuracy) > 0.9'],
    ['log_loss < 1', 'is in the extended bundle', 'log_loss < 1'],
    ['upper(ece) < 0.1', 'expected_calibration_error has no valid interval', 'ece) < 0.1'],
    ['qqq < 1', 'available: accuracy, answer_rate', 'qqq < 1'],
  ])('points at the character: %s', (text, message, under) => {
    expect(caret(text)).toEqual([expect.stringContaining(message), under]);
  });

  it.each([
    ['corrected(safety.recall) >= 0.9', 'value'],
    ['lower( corrected( safety.recall ) ) >= 90%', 'lower'],
  ])('reads a score that is corrected for the judge: %s', (text, of) => {
    const judged = { names: ['safety.recall', 'answer_rate'], correctable: ['safety.recall'] };
    expect(parseGate(text, judged)).toEqual({
      text,
      of,
      metric: 'corrected(safety.recall)',
      operator: '>=',
      limit: 0.9,
    });
  });

  it.each([
    ['corrected(lower(safety.recall)) > 0.9', 'takes the name of a score', 'lower(safety.recall)) > 0.9'],
    ['lower(upper(safety.recall)) > 0.9', 'cannot be inside another function', 'upper(safety.recall)) > 0.9'],
    ['lower(corrected(safety.recall) > 0.9', '")" was expected', '> 0.9'],
    ['corrected(answer_rate) > 0.9', "not a judge's score", 'answer_rate) > 0.9'],
  ])('points at the character of a wrong correction: %s', (text, message, under) => {
    const judged = { names: ['safety.recall', 'answer_rate'], correctable: ['safety.recall'] };
    const error = (() => {
      try {
        return parseGate(text, judged);
      } catch (caught) {
        return caught as Error;
      }
    })() as Error;
    const [first, shown, line] = error.message.split('\n');
    expect(first).toContain(message);
    expect(shown!.slice(line!.indexOf('^'))).toBe(under);
  });

  it('looks through quotes that a shell left in place', () => {
    expect(parseGate(`'accuracy>=0.9'`, known)).toEqual(parseGate('accuracy>=0.9', known));
    expect(parseGate('"accuracy < 1"', known).text).toBe('accuracy < 1');
    expect(caret(`'accuracy >= x'`)[1]).toBe('x');
  });

  it('puts the caret right behind tabs', () => {
    expect(caret('accuracy\t>=\tx')[1]).toBe('x');
  });

  it('reads back whatever can be written', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('value', 'lower', 'upper'),
        fc.constantFrom(...OPERATORS),
        // Minus zero is written as zero.
        fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e6, max: 1e6 }).map((limit) => limit + 0),
        (of, operator, limit) => {
          const name = of === 'value' ? 'accuracy' : `${of}(accuracy)`;
          expect(parseGate(`${name} ${operator} ${limit}`, known)).toMatchObject({ of, operator, limit });
        },
      ),
    );
  });

  it('accepts any name when the known metrics are not given', () => {
    expect(parseGate('my_own > 1').metric).toBe('my_own');
    expect(caret('my_own > x', false)[1]).toBe('x');
  });
});

describe('a metric that takes numbers', () => {
  it('has them in the condition', () => {
    expect(parseGate('threshold_coverage( 5%, 0.9 ) >= 0.5', known)).toEqual({
      text: 'threshold_coverage( 5%, 0.9 ) >= 0.5',
      of: 'value',
      metric: 'threshold_coverage',
      numbers: [0.05, 0.9],
      operator: '>=',
      limit: 0.5,
    });
  });

  it.each([
    ['threshold_coverage >= 0.5', '"(" was expected', '>= 0.5'],
    ['threshold_coverage(0.05) >= 0.5', '"," was expected', ') >= 0.5'],
    ['threshold_coverage(0.05, 0.9, 1) >= 0.5', '")" was expected', ', 1) >= 0.5'],
    ['threshold_coverage(5, 0.9) >= 0.5', 'lies between 0 and 1', '5, 0.9) >= 0.5'],
    ['threshold_coverage(0.05, x) >= 0.5', 'a number was expected', 'x) >= 0.5'],
  ])('points at the character: %s', (text, message, under) => {
    expect(caret(text)).toEqual([expect.stringContaining(message), under]);
  });
});
