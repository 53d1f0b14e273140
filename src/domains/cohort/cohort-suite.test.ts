import { expect, it } from 'vitest';
import type { Task } from '../../suites/task.ts';
import { CohortSuite } from './cohort-suite.ts';

const task: Task = {
  id: 'demo/sign',
  labels: ['low', 'high'],
  ordered: true,
  arms: { natural: { instructions: 'Low or high?' } },
  defaultArm: 'natural',
  primaryEndpoint: { metric: 'decision_accuracy', arm: 'natural', why: 'a test' },
};

function createSuite(made: string[] = []) {
  return new CohortSuite({
    domain: 'Demonstration',
    task,
    sensitivity: 'synthetic',
    nRecords: 4,
    *records(part) {
      for (let i = 0; i < (part === 'test' ? 4 : 2); i++) {
        made.push(part);
        const metadata = { should_abstain: i === 3, should_abstain_reasons: i === 3 ? ['a_gap'] : [] };
        yield { id: `${part}-${i}`, features: { value: i }, label: i < 2 ? 'low' : 'high', metadata };
      }
    },
    about: ({ deferral }) => ({
      nTraining: 2,
      settings: { seed: 1 },
      provenance: { source: 'made up' },
      warnings: [`${deferral.mustDefer} to defer`],
    }),
  });
}

it('describes its records while it makes them, once', async () => {
  const made: string[] = [];
  const suite = createSuite(made);
  expect(await suite.describe()).toMatchObject({
    domain: 'Demonstration',
    nRecords: 4,
    nTraining: 2,
    deferral: { mustDefer: 1, mustAnswer: 3, reasons: [{ name: 'a_gap', n: 1 }] },
    warnings: ['1 to defer'],
  });
  await suite.describe();
  expect(suite.canStream()).toBe(false);
  expect([...suite.stream()]).toEqual(await suite.load());
  expect(made).toEqual(['test', 'test', 'test', 'test']);
});

it('makes its records once, whichever is asked for first, and all of them after a look at a few', async () => {
  const made: string[] = [];
  const suite = createSuite(made);
  expect([...Iterator.from(suite.stream()).take(2)]).toHaveLength(2);
  expect(suite.canStream()).toBe(true);
  expect([...suite.stream()]).toHaveLength(4);
  expect((await suite.describe()).nRecords).toBe(4);
  expect(made).toHaveLength(2 + 4);
});

it('describes what it has loaded, streamed or not, by the same hash', async () => {
  const suite = createSuite();
  const records = await suite.load();
  expect([...suite.stream!()]).toEqual(records);
  expect((await suite.describe()).hash).toBe((await createSuite().describe()).hash);
  expect((await suite.training!()).map(({ id }) => id)).toEqual(['train-0', 'train-1']);
});
