import { existsSync } from 'node:fs';
import { expect, it } from 'vitest';
import { readCaseFile } from './case-file.ts';
import { rubricFunctions } from './rubric-functions.ts';
import { runCases } from './run-cases.ts';

const shared = '../shared/conformance/rubrics.json';
const failures = async (path: string) => runCases(await readCaseFile(path)).filter(({ passed }) => !passed);

it('passes every case on rubrics that ships with the package', async () => {
  const cases = await readCaseFile('conformance/rubrics.json');
  expect(cases.filter(({ metric }) => metric !== 'quantity_in_text').length).toBeGreaterThan(100);
  expect(cases.filter(({ metric }) => metric === 'quantity_in_text').length).toBeGreaterThan(100);
  expect(new Set(cases.map(({ metric }) => metric))).toEqual(new Set(Object.keys(rubricFunctions)));
  expect(await failures('conformance/rubrics.json')).toEqual([]);
});

it.skipIf(!existsSync(shared))(
  'passes the project reference cases (skipped where ../shared is absent)',
  async () => {
    expect((await readCaseFile(shared)).length).toBe(37);
    expect(await failures(shared)).toEqual([]);
  },
);

it.skipIf(!existsSync('../shared/conformance/act.json'))(
  'passes the reference cases on quantities (skipped where ../shared is absent)',
  async () => {
    const cases = await readCaseFile('../shared/conformance/act.json');
    const quantities = cases.filter(({ metric }) => metric === 'quantity_in_text');
    expect(quantities.length).toBeGreaterThan(0);
    expect(runCases(quantities).filter(({ passed }) => !passed)).toEqual([]);
  },
);

it('fails a case that expects otherwise', () => {
  const trait = { name: 't', metrics: ['recall'], tp_instructions: ['x'] };
  const lists = { tp: ['a'], fn: ['b'], fp: [], tn: [] };
  const outcomes = runCases([
    {
      id: 'value',
      metric: 'metric_trait_scores',
      inputs: { trait, confusion_lists: lists },
      expected: { recall: 0.4 },
    },
    { id: 'taken', metric: 'metric_trait', inputs: { trait }, expected: { valid: false } },
    { id: 'refused', metric: 'metric_trait', inputs: { trait: { name: 't' } }, expected: { valid: true } },
    {
      id: 'buckets',
      metric: 'metric_trait',
      inputs: { trait },
      expected: { valid: true, required_buckets: ['tp'] },
    },
    {
      id: 'names',
      metric: 'rubric',
      inputs: { rubric: { metric_traits: [trait] } },
      expected: { metric_trait_names: ['u'] },
    },
    {
      id: 'stray',
      metric: 'metric_trait_verdicts',
      inputs: { trait, verdicts: [{ instruction: 'y', verdict: 'absent' }] },
      expected: {},
    },
  ]);
  expect(outcomes.map(({ passed }) => passed)).toEqual(Array(6).fill(false));
  expect(outcomes[5]!.got).toBe('throws: no instruction "y"');
});
