import { describe, expect, it } from 'vitest';
import { rowsFrom, runOf } from '../../../test/compare-fixture.ts';
import type { RunResult } from '../../runs/run-result.ts';
import { compareRuns } from './compare-runs.ts';
import { comparisonObject } from './comparison.ts';

const options = { resamples: 100 };
const careful = runOf(rowsFrom('+-'.repeat(20)), { backendName: 'careful', path: 'a.db' });
const better = runOf(rowsFrom('++'.repeat(20)), { backendName: 'better', path: 'b.db' });
const imported = runOf([], {
  backendName: 'published',
  path: 'c.db',
  suiteHash: null,
  imported: { format: 'python_metrics', source: 'p.json', sha256: 'ab', hasRows: false },
});

describe('compareRuns', () => {
  it('compares every other run with the first', () => {
    const comparison = compareRuns([careful, better, careful], options);
    expect(comparison.baseline).toBe('careful (a.db) #1');
    expect(comparison.pairs.map(({ model, nPaired }) => [model, nPaired])).toEqual([
      ['better', 40],
      ['careful (a.db) #2', 40],
    ]);
    const accuracy = comparison.pairs.map(
      ({ endpoints }) => endpoints.find(({ metric }) => metric === 'accuracy')!,
    );
    expect(accuracy.map(({ difference, verdict }) => [difference, verdict])).toEqual([
      [0.5, 'higher'],
      [0, 'no_difference_shown'],
    ]);
    expect(accuracy[1]!.p).toBe(1);
  });

  it('adjusts over models within an endpoint', () => {
    const alone = compareRuns([careful, better], options).pairs[0]!.endpoints;
    const three = compareRuns([careful, better, better, better], options).pairs;
    alone.forEach(({ p, pHolm }, e) => {
      expect(pHolm).toBe(p);
      for (const { endpoints } of three) {
        if (p === null) expect(endpoints[e]!.pHolm).toBeNull();
        else expect(endpoints[e]!.pHolm).toBeCloseTo(Math.min(1, 3 * p), 12);
      }
    });
  });

  it('takes another baseline when told', () => {
    const { baseline, pairs } = compareRuns([careful, better], { ...options, baseline: better });
    expect([baseline, pairs[0]!.model]).toEqual(['better', 'careful']);
    expect(() => compareRuns([careful, better], { baseline: imported })).toThrow('not among the runs');
    expect(() => compareRuns([careful, imported], { baseline: imported })).toThrow(
      'published (c.db) cannot be the baseline',
    );
  });

  it('refuses runs of different suites, and says both hashes', () => {
    const other = { ...better, suiteHash: 'cd'.repeat(32) };
    expect(() => compareRuns([careful, other])).toThrow(
      expect.objectContaining({
        code: 'ERR_DIFFERENT_SUITES',
        message: expect.stringMatching(new RegExp(`${'ab'.repeat(32)}[^]*${'cd'.repeat(32)}`)),
      }),
    );
    const { warnings, pairs } = compareRuns([careful, other], { ...options, allowDifferentSuites: true });
    expect(pairs[0]!.nPaired).toBe(40);
    expect(warnings[0]).toMatchObject({ code: 'different_suites' });
  });

  it('shows imported runs without pairing them', () => {
    const { models, pairs, notPaired } = compareRuns([imported, careful, better], options);
    expect(models).toHaveLength(3);
    expect(pairs.map(({ baseline, model }) => [baseline, model])).toEqual([['careful', 'better']]);
    expect(notPaired).toEqual([
      { model: 'published', reason: 'imported_without_rows', message: expect.stringContaining('p.json') },
    ]);
    const withRows = { ...imported, imported: { ...imported.imported!, hasRows: true } };
    const none = compareRuns([withRows, careful], options);
    expect([none.baseline, none.pairs, none.notPaired[0]!.reason]).toEqual([null, [], 'suite_unknown']);
  });

  it('pairs what a smaller run has', () => {
    const some = runOf(rowsFrom('++++'), { backendName: 'some' });
    const { pairs } = compareRuns([careful, some], options);
    expect(pairs[0]).toMatchObject({ nPaired: 4, leftOut: { onlyInBaseline: 36 } });
  });

  it('says what must be known', () => {
    const codes = (...reports: RunResult[]) => compareRuns(reports, options).warnings.map(({ code }) => code);
    expect(codes(careful, { ...better, arm: 'instructed' })).toContain('different_arms');
    const asked = (result: RunResult, prompt_frame: string) => ({ ...result, parameters: { prompt_frame } });
    expect(codes(asked(careful, 'v1'), asked(better, 'v2'))).toContain('different_prompts');
    expect(codes(asked(careful, 'v1'), asked(better, 'v1'))).not.toContain('different_prompts');
    expect(codes(asked(careful, 'v1'), better)).not.toContain('different_prompts');
    expect(codes(careful, { ...better, execution: { ...better.execution, simulated: true } })).toContain(
      'simulated_model',
    );
    expect(codes(careful, runOf(rowsFrom('+x')))).toContain('incomplete');
    expect(codes(careful, better)).toContain('few_records');
  });

  it('needs two runs, and a level that is a share', () => {
    expect(() => compareRuns([careful])).toThrow('two runs or more; 1 given');
    expect(() => compareRuns([careful, better], { level: 95 })).toThrow('between 0 and 1');
  });

  it('has a file form that is strict JSON in snake_case', () => {
    const object = comparisonObject(compareRuns([careful, better, imported], options));
    const text = JSON.stringify(object);
    expect(JSON.parse(text)).toEqual(object);
    const keys: string[] = [];
    JSON.parse(text, (key, value) => {
      keys.push(key);
      return value;
    });
    expect(keys.filter((key) => /[A-Z]/.test(key))).toEqual([]);
    expect(object).toMatchObject({
      baseline: 'careful',
      comparisons: [
        { n_paired: 40, endpoints: { accuracy: { p_holm: expect.any(Number), mcnemar: { b: 0, c: 20 } } } },
      ],
    });
  });

  it('gives the same numbers every time', () => {
    expect(compareRuns([careful, better], options)).toEqual(compareRuns([careful, better], options));
  });
});
