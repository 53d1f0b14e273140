import { describe, expect, it } from 'vitest';
import { task } from '../../../test/engine-fixture.ts';
import { CkdSuite } from '../../domains/ckd/ckd-suite.ts';
import { defineSuite } from '../../suites/define-suite.ts';
import { oneLookShare, suiteBaselines } from './suite-baselines.ts';

const record = (id: string, label: string) => ({ id, features: {}, label, metadata: {} });

describe('suiteBaselines', () => {
  it('scores the rules of a suite with a guideline and training records on all of its records', async () => {
    const baselines = await suiteBaselines(new CkdSuite({ task: 'staging', nRecords: 60 }));
    const names = baselines.map(({ model }) => model);
    expect(names).toEqual(
      expect.arrayContaining(['majority', 'guideline', 'guideline-defer'].map((name) => `baseline/${name}`)),
    );
    for (const { n } of baselines) expect(n).toBe(60);
    const score = (name: string) => baselines.find(({ model }) => model === `baseline/${name}`)!.scores;
    const [rule, careful] = [score('guideline'), score('guideline-defer')];
    expect(careful.decision_accuracy!.value).toBeGreaterThan(rule.decision_accuracy!.value!);
    expect(rule.answer_rate!.value).toBeGreaterThan(careful.answer_rate!.value!);
    expect(careful.decision_accuracy!.lower).toBeLessThan(careful.decision_accuracy!.value!);
  });

  it('has the majority only where there is no guideline', async () => {
    const suite = defineSuite({
      name: 'demo/learned',
      task,
      load: () => [record('a', 'yes'), record('b', 'no'), record('c', 'yes')],
      training: () => [record('t', 'yes')],
    });
    const baselines = await suiteBaselines(suite);
    expect(baselines.map(({ model }) => model)).toEqual(['baseline/majority']);
    expect(baselines[0]!.scores.accuracy).toMatchObject({ value: 2 / 3, n: 3 });
  });

  it('has none where nothing applies, and does not fail', async () => {
    const suite = defineSuite({ name: 'demo/bare', task, load: () => [record('a', 'yes')] });
    expect(await suiteBaselines(suite)).toEqual([]);
  });

  it('computes them once for suites with the same records', async () => {
    const suite = () =>
      defineSuite({
        name: 'demo/once',
        task,
        load: () => [record('once', 'yes')],
        training: () => [record('t', 'no')],
      });
    expect(await suiteBaselines(suite())).toBe(await suiteBaselines(suite()));
  });
});

it('counts answers of a rule to cases that should be deferred as failures', async () => {
  const baselines = await suiteBaselines(new CkdSuite({ task: 'staging' }));
  const rightOf = (name: string) =>
    baselines.find(({ model }) => model === `baseline/${name}`)!.scores.selective_accuracy_strict!.value!;
  // Its answers equal the labels, also near a line, where the case should be deferred.
  expect(rightOf('guideline')).toBeLessThan(0.95);
  expect(rightOf('guideline-defer')).toBe(1);
});

describe.each([
  ['detection', 0.8],
  ['staging', 0.7],
  ['progression', 0.7],
] as const)('the baselines of ckd/%s', (name, most) => {
  const baselines = suiteBaselines(new CkdSuite({ task: name }));
  const decisions = async (baseline: string) =>
    (await baselines).find(({ model }) => model === `baseline/${baseline}`)!.scores.decision_accuracy!.value!;

  it('are in order: no skill, a rule that never defers, a careful reader', async () => {
    expect(await decisions('majority')).toBeLessThan(await decisions('guideline'));
    // Detection is deferred only where its rule has no answer, so there the two agree.
    if (name === 'detection') expect(await decisions('guideline')).toBe(await decisions('guideline-defer'));
    else expect(await decisions('guideline')).toBeLessThan(await decisions('guideline-defer'));
    expect(await decisions('guideline-defer')).toBeGreaterThan(0.98);
  });

  it(`leave deferring without reasoning at most ${most * 100} % of the way to a careful reader`, async () => {
    const share = oneLookShare(await baselines)!;
    expect(share).toBeGreaterThan(0.2);
    expect(share).toBeLessThan(most);
  });
});
