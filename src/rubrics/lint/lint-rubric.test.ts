import { describe, expect, it } from 'vitest';
import { Rubric } from '../rubric.ts';
import { lintInstruction, lintRubric, overlappingPairs } from './lint-rubric.ts';

const codes = (line: string) => lintInstruction(line, '').map(({ code }) => code);

describe('lintInstruction', () => {
  it.each([
    'Mentions BCL2',
    'States that BCL2 is on chromosome 18',
    'States that eGFR is between 45 and 59',
    'Value > 0.5 and < 1.0',
    'Mentions Tsujimoto et al. Science 1985',
    'Mentions Adams and Cory, Science, 1998',
    'Mentions Adams & Cory, Science, 1998',
    'References cancer relevance',
    'Compares drug A vs. Placebo',
    'States that renally cleared drugs accumulate',
    'Mentions head and neck cancer',
    'Names nausea and vomiting',
    'Refers to ear, nose and throat',
    'Advises clear fluids',
    'Advises to correct hypokalaemia',
    'States that asthma is well controlled',
    'Names an NSAID such as ibuprofen, naproxen and diclofenac',
    'Names ramipril, lisinopril or another ACE inhibitor',
    'If eGFR is below 30, advises stopping metformin',
    'States that, in pregnancy, ACE inhibitors are contraindicated',
    'States a dose of 1,000 mg, twice daily',
    'Gives the date March 15, 2024',
    'Cites the National Institute for Health and Care Excellence',
    'States that potassium of 6.3 mmol/L, if confirmed, needs an ECG',
  ])('%s: nothing to say', (line) => {
    expect(codes(line)).toEqual([]);
  });

  it.each([
    ['Advises rest and fluids', 'compound'],
    ['Names the drug as well as the dose', 'compound'],
    ['Stops metformin; starts insulin', 'compound'],
    ['Mentions fever, cough, rash', 'compound'],
    ['Mentions fever, dry cough and rash', 'compound'],
    ['Lists weight, blood pressure, eGFR, potassium', 'compound'],
    ['Treats head and neck cancer and pain', 'compound'],
    ['Advises a suitable dose', 'vague'],
    ['Names the drug. It must be given at once', 'compound'],
    ['Covers the biology well', 'vague'],
    ['Contains inaccurate biology', 'vague'],
    ['Talks about the important details', 'vague'],
    ['Says something wrong', 'vague'],
    [Array(30).fill('word').join(' '), 'too_long'],
  ])('%s: %s', (line, code) => {
    expect(codes(line)).toEqual([code]);
  });

  it('says what to do instead', () => {
    expect(lintInstruction('Advises rest and fluids', 'x')).toMatchObject([
      {
        code: 'compound',
        message: '"Advises rest and fluids" asks for more than one thing ("and")',
        suggestion: 'write one line for each, so that half an answer gets half the credit',
      },
    ]);
  });
});

describe('overlappingPairs', () => {
  it.each([
    [['Mentions BCL2', 'Discusses BCL2']],
    [['States that ibuprofen harms the kidney', 'Says ibuprofen harms kidney']],
  ])('%j overlap', (lines) => {
    expect(overlappingPairs(lines)).toEqual([[0, 1]]);
  });

  it.each([
    [['Mentions BCL2', 'States that BCL2 inhibits apoptosis']],
    [['States BCL2 is on chromosome 18', 'States BCL2 is on chromosome 1']],
    [['that is', 'the']],
  ])('%j do not', (lines) => {
    expect(overlappingPairs(lines)).toEqual([]);
  });
});

describe('lintRubric', () => {
  const trait = (more: object) =>
    Rubric.parse({
      metric_traits: [
        { name: 'T', description: 'Source: own', metrics: ['f1'], tp_instructions: ['Names A'], ...more },
      ],
    });
  const found = (rubric: Rubric, options = {}) =>
    lintRubric(rubric, options).map(({ code, where }) => [code, where]);

  it('says where', () => {
    const full = {
      evaluation_mode: 'full_matrix',
      tn_instructions: ['States that B helps', 'Does not name A', 'Claims B helps'],
    };
    expect(found(trait(full))).toEqual([
      ['negated_forbidden', 'T: tn_instructions[1]'],
      ['overlap', 'T: tn_instructions[2]'],
    ]);
    expect(found(trait({ tn_instructions: ['Claims C'] }))).toEqual([
      ['unused_forbidden', 'T: tn_instructions'],
    ]);
  });

  it('finds negatives among required lines', () => {
    const lines = [
      'Does not recommend NSAIDs',
      'Advises to avoid NSAIDs',
      'States that dialysis is not needed',
    ];
    expect(found(trait({ tp_instructions: lines }))).toEqual([['negated_required', 'T: tp_instructions[0]']]);
  });

  it('asks for a source in the description, beside the question or on every item', () => {
    const item = { instruction: 'Names A', source: 'KDIGO 2024' };
    expect(found(trait({ description: 'Facts.', tp_instructions: [item] }))).toEqual([]);
    expect(found(trait({ description: 'Facts.', tp_instructions: [item, 'Names B'] }))).toEqual([
      ['no_source', 'T'],
    ]);
    expect(found(trait({ description: 'Facts.' }))).toEqual([['no_source', 'T']]);
    expect(found(trait({ description: 'KDIGO 2024' }))).toEqual([]);
    expect(found(trait({ description: 'Facts.' }), { sources: ['KDIGO'] })).toEqual([]);
  });

  it('asks what an LLM trait means', () => {
    expect(found(Rubric.parse({ llm_traits: [{ name: 'Clear', kind: 'boolean' }] }))).toEqual([
      ['no_description', 'Clear'],
    ]);
  });
});
