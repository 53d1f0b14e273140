import { describe, expect, it } from 'vitest';
import { KrisisError } from '../../core/errors.ts';
import { MetricRubricTrait } from './metric-trait.ts';

const wire = { name: 't', metrics: ['f1'], tp_instructions: ['x'] };
const parse = (more: object) => () => MetricRubricTrait.parse({ ...wire, ...more });

describe('MetricRubricTrait', () => {
  it('fills in the defaults', () => {
    const trait = new MetricRubricTrait({ name: ' t ', metrics: ['f1'], tpInstructions: [' x\n'] });
    expect({ ...trait }).toEqual({
      name: 't',
      description: null,
      evaluationMode: 'tp_only',
      metrics: ['f1'],
      tpInstructions: ['x'],
      tnInstructions: [],
      repeatedExtraction: true,
      itemFields: {},
      warnings: [],
    });
  });

  it('reads what it writes', () => {
    const full = {
      name: 'BCL2',
      description: 'Core facts.',
      evaluation_mode: 'full_matrix',
      metrics: ['accuracy', 'f1'],
      tp_instructions: ['α-synuclein', 'Value > 0.5 and < 1.0'],
      tn_instructions: ['Claims BCL2 is pro-apoptotic'],
      repeated_extraction: false,
    };
    expect(JSON.parse(JSON.stringify(MetricRubricTrait.parse(full)))).toEqual(full);
  });

  it('needs three buckets, or four', () => {
    const full = { evaluation_mode: 'full_matrix', tn_instructions: ['y'] };
    expect([...parse({})().getRequiredBuckets()].sort()).toEqual(['fn', 'fp', 'tp']);
    expect([...parse(full)().getRequiredBuckets()].sort()).toEqual(['fn', 'fp', 'tn', 'tp']);
  });

  it('counts a metric once that is listed twice', () => {
    expect(parse({ metrics: ['f1', 'recall', 'f1'] })().metrics).toEqual(['f1', 'recall']);
  });

  it.each<[string, object, string]>([
    ['an unknown field', { fp_instructions: ['y'] }, 'unknown field "fp_instructions"; did you mean'],
    [
      'a field in the other spelling',
      { tpInstructions: ['y'] },
      'unknown field "tpInstructions"; did you mean tp_instructions?',
    ],
    [
      'higher_is_better',
      { higher_is_better: true },
      'higher_is_better is no field of a metric trait: of every metric, more is better; remove it',
    ],
    [
      'no metrics',
      { metrics: undefined },
      'metrics is not given; expected a list with at least one of precision',
    ],
    ['an empty list of metrics', { metrics: [] }, 'metrics is []; expected a list with at least one of'],
    ['a metric that is no list', { metrics: 'f1' }, 'metrics is "f1"; expected a list'],
    [
      'an unknown metric',
      { metrics: ['auc'] },
      'metric "auc" is not known; the metrics are precision, recall',
    ],
    ['a metric in capitals', { metrics: ['F1'] }, 'metric "F1" is not known; write "f1"'],
    ['a metric that is no text', { metrics: [1] }, 'metric 1 is not known'],
    [
      'specificity in tp_only',
      { metrics: ['precision', 'specificity'], tn_instructions: ['y'] },
      'metric "specificity" counts true negatives, which tp_only has none of; set evaluation_mode to full_matrix',
    ],
    ['accuracy in tp_only', { metrics: ['accuracy'] }, 'metric "accuracy" counts true negatives'],
    [
      'another mode',
      { evaluation_mode: 'tn_only' },
      'evaluation_mode is "tn_only"; expected one of tp_only, full_matrix',
    ],
    [
      'no required list',
      { tp_instructions: undefined },
      'tp_instructions is not given; expected a list with at least one thing',
    ],
    [
      'an empty required list',
      { tp_instructions: [] },
      'tp_instructions is []; expected a list with at least one thing',
    ],
    ['null for a list', { tp_instructions: null }, 'tp_instructions is null'],
    [
      'null for the forbidden list',
      { tn_instructions: null },
      'tn_instructions is null; expected a list of lines',
    ],
    [
      'no forbidden list in full_matrix',
      { evaluation_mode: 'full_matrix' },
      'tn_instructions is not given; expected a list with at least one claim that the answer must not make, because evaluation_mode is full_matrix',
    ],
    [
      'an empty forbidden list in full_matrix',
      { evaluation_mode: 'full_matrix', tn_instructions: [] },
      'tn_instructions is []',
    ],
    [
      'a number as an instruction',
      { tp_instructions: [1] },
      'tp_instructions[0] is 1; expected a line of text',
    ],
    [
      'a YAML mapping as an instruction',
      { tp_instructions: [{ Mentions: 'BCL2' }] },
      'in YAML put quotes around a line',
    ],
    ['a blank instruction', { tp_instructions: ['x', '  '] }, 'tp_instructions[1] is blank ("  ")'],
    [
      'a repeated instruction',
      { tp_instructions: ['Mentions X', ' mentions x'] },
      'tp_instructions[1] "mentions x" repeats tp_instructions[0]',
    ],
    ['a line in both lists', { tn_instructions: ['X '] }, '"X" is in tp_instructions and in tn_instructions'],
    ['a blank name', { name: ' ' }, 'name is " "; expected a name that is not blank'],
    ['no name', { name: undefined }, 'name is not given'],
    [
      'a dot in the name',
      { name: 'a.b' },
      'name "a.b" has a dot in it, which separates trait and metric in reports; write "a_b"',
    ],
    [
      'a text for a flag',
      { repeated_extraction: 'yes' },
      'repeated_extraction is "yes"; expected true or false',
    ],
    ['a number for the description', { description: 3 }, 'description is 3; expected text'],
  ])('refuses %s', (_, more, message) => {
    expect(parse(more)).toThrow(KrisisError);
    expect(parse(more)).toThrow(message);
  });

  it('says all that is wrong at once, and of which trait', () => {
    expect(() => MetricRubricTrait.parse({ name: 't', metrics: ['F1', 'auc'] }, 'metric_traits[2]')).toThrow(
      /^metric_traits\[2\] "t":\n {2}metric "F1" .*\n {2}metric "auc" .*\n {2}tp_instructions is not given.*$/,
    );
  });

  it.each([null, 'text', ['a']])('refuses %j in place of an object', (value) => {
    expect(() => MetricRubricTrait.parse(value)).toThrow('expected an object with name, description,');
  });

  it('spells fields as the caller does', () => {
    // @ts-expect-error tpInstructions is required
    expect(() => new MetricRubricTrait({ name: 't', metrics: ['f1'] })).toThrow(
      'tpInstructions is not given',
    );
  });

  it('warns of forbidden claims that are phrased as a negative, and of those that nothing uses', () => {
    const full = parse({
      evaluation_mode: 'full_matrix',
      tn_instructions: ['Does not advise rest', 'States that rest is not needed'],
    })();
    expect(full.warnings).toEqual([
      expect.stringContaining('forbidden claim "Does not advise rest" is phrased as a negative'),
    ]);
    expect(parse({ tn_instructions: ['y'] })().warnings).toEqual([
      expect.stringContaining('tp_only does not use the 1 forbidden claim'),
    ]);
  });

  it('does not share its lists with the caller', () => {
    const lines = ['x'];
    const trait = new MetricRubricTrait({ name: 't', metrics: ['f1'], tpInstructions: lines });
    lines.push('y');
    expect(trait.tpInstructions).toEqual(['x']);
  });
});
