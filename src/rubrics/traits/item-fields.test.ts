import { describe, expect, it } from 'vitest';
import { Rubric } from '../rubric.ts';
import { listItems, MetricRubricTrait } from './metric-trait.ts';

const parse = (tp: unknown[], tn: unknown[] = []) =>
  MetricRubricTrait.parse({
    name: 'Dose',
    evaluation_mode: tn.length > 0 ? 'full_matrix' : 'tp_only',
    metrics: ['recall'],
    tp_instructions: tp,
    ...(tn.length > 0 && { tn_instructions: tn }),
  });

describe('items with fields', () => {
  const full = {
    instruction: 'States the dose',
    points: 5,
    critical: true,
    axis: 'accuracy',
    tags: ['dose'],
    harm: 3,
    source: 'BNF 2024',
    check: { number: 500, unit: 'mg', tolerance: 50 },
  };

  it('are read from files and written back', () => {
    const trait = parse([full, 'Advises an ECG'], [{ instruction: 'Claims X', points: -4 }]);
    expect(trait.tpInstructions).toEqual(['States the dose', 'Advises an ECG']);
    expect(listItems(trait)).toMatchObject([
      { ...full, kind: 'required' },
      { instruction: 'Advises an ECG' },
      { instruction: 'Claims X', points: -4, kind: 'forbidden' },
    ]);
    expect(trait.toJSON().tp_instructions).toEqual([full, 'Advises an ECG']);
    expect(MetricRubricTrait.parse(trait.toJSON()).toJSON()).toEqual(trait.toJSON());
  });

  it('are made in code in the same form', () => {
    const trait = new MetricRubricTrait({ name: 'Dose', metrics: ['recall'], tpInstructions: [full] });
    expect(trait.toJSON()).toEqual(parse([full]).toJSON());
  });

  it('are part of the hash of the rubric; an item without fields hashes as a plain line', () => {
    const hash = (item: unknown) => new Rubric({ metricTraits: [parse([item])] }).hash;
    const plain = hash('States the dose');
    // Pinned: stored runs name their rubrics by hash.
    expect(plain).toBe('21581ad20cdf5dba5a90cfda8ae06de673ac2a61c947b38f52dadf2dbdec04a2');
    expect(hash({ instruction: 'States the dose' })).toBe(plain);
    expect(hash({ instruction: 'States the dose', critical: false, tags: [] })).toBe(plain);
    expect(
      new Set([plain, hash(full), hash({ ...full, points: 6 }), hash({ ...full, source: 'x' })]).size,
    ).toBe(4);
  });

  it('keep the id of the item, unless code decides it otherwise', () => {
    const id = (item: unknown) => listItems(parse([item]))[0]!.id;
    expect(id({ instruction: 'States the dose', points: 3 })).toBe(id('States the dose'));
    expect(id(full)).not.toBe(id('States the dose'));
    expect(id({ ...full, check: { number: 250, unit: 'mg' } })).not.toBe(id(full));
  });

  it('are shown to a judge without the fields', () => {
    const rubric = new Rubric({ metricTraits: [parse([full])] });
    expect(rubric.judgeQuestions().items).toEqual([
      { id: expect.any(String), instruction: 'States the dose', check: full.check },
    ]);
  });

  it.each([
    [{ points: 0 }, 'points is 0; expected a number, above 0 for what is wanted'],
    [{ points: -1 }, 'points is -1 on a required item; expected points above 0'],
    [{ critical: 'yes' }, 'critical is "yes"; expected true or false'],
    [{ harm: 0 }, 'harm is 0; expected a number above 0'],
    [{ tags: 'a' }, 'tags is "a"; expected a list of names'],
    [{ axis: 4 }, 'axis is 4; expected text'],
    [{ point: 4 }, 'unknown field "point"; did you mean points?'],
    [{ check: { number: 'x' } }, 'check number is "x"; expected a number'],
  ])('refuse %j', (fields, problem) => {
    expect(() => parse([{ instruction: 'x', ...fields }])).toThrow(`tp_instructions[0]: ${problem}`);
  });

  it('refuse positive points on a forbidden item, and a line that YAML made an object of', () => {
    expect(() => parse(['a'], [{ instruction: 'x', points: 2 }])).toThrow('points is 2 on a forbidden item');
    expect(() => parse([{ States: 'x' }])).toThrow('in YAML put quotes around a line that has ": " in it');
  });
});
