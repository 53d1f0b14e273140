import { afterAll, describe, expect, it } from 'vitest';
import {
  allYes,
  modelReply,
  recordsOf,
  response,
  scriptedBackend,
  suiteOf,
  temporaryFolder,
} from '../../../test/engine-fixture.ts';
import { run } from '../../engine/run.ts';
import type { RunOptions } from '../../engine/run-options.ts';
import type { Backend } from '../../models/backend.ts';
import { ResponseCache } from '../../store/response-cache.ts';
import type { GatePlan } from '../conditions/verdict.ts';
import { readRun } from '../read-run.ts';
import { checkGates } from './check-gates.ts';
import { parseGate } from './parse-gate.ts';

const folder = temporaryFolder();
afterAll(folder.remove);
let made = 0;
const newPath = () => folder.file(`run-${++made}.db`);

/** Every record has a label `yes`. */
const suite = suiteOf(recordsOf('abcdefgh'), { sensitivity: 'synthetic' });
const backend = (): Backend => {
  const scripted = scriptedBackend(allYes);
  return {
    ...scripted,
    requestHash: (records) => records.map(({ id }) => id).join(),
    evaluateBatch: async (records, task, call) =>
      call?.cached
        ? [response({ prediction: call.cached.text })]
        : scripted.evaluateBatch(records, task, call),
  };
};
const ask = (path: string, more: Partial<RunOptions> = {}) =>
  run({ suite, backend: backend(), path, batchSize: 1, scoring: { resamples: 0 }, ...more });
const plan = (...conditions: string[]): GatePlan => ({
  gates: conditions.map((text) => parseGate(text)),
  nonInferior: null,
});
const MET = 'answer_rate >= 0.5';
const NOT_MET = 'answer_rate < 0.5';
const reasons = (verdicts: ReturnType<typeof checkGates>) =>
  verdicts.map(({ status, reason }) => [status, reason]);

/** A cache that has every reply, closed when `use` is done. */
async function withCache<T>(use: (cache: ResponseCache) => Promise<T>): Promise<T> {
  const path = folder.file(`cache-${++made}.db`);
  const filling = ResponseCache.open(path);
  for (const id of 'abcdefgh') filling.put(`${id}:0`, modelReply('yes'));
  filling.close();
  const cache = ResponseCache.open(path);
  try {
    return await use(cache);
  } finally {
    cache.close();
  }
}

describe('conditions on answers that were given before', () => {
  it('are decided by a run that asked, and by the same run read from its file', async () => {
    const path = newPath();
    const fresh = await ask(path);
    expect(fresh.nothingAsked).toBe(false);
    expect(reasons(checkGates(plan(MET, NOT_MET), fresh))).toEqual([
      ['pass', undefined],
      ['fail', undefined],
    ]);
    expect(reasons(checkGates(plan(MET), readRun(path)))).toEqual([['pass', undefined]]);
  });

  it('are undecided where a finished run was continued, whether they are met or not', async () => {
    const path = newPath();
    await ask(path);
    const again = await ask(path);
    expect(again.nothingAsked).toBe(true);
    const verdicts = checkGates(plan(MET, NOT_MET), again);
    expect(reasons(verdicts)).toEqual([
      ['undecided', 'nothing_asked'],
      ['undecided', 'nothing_asked'],
    ]);
    expect(verdicts[0]!.message).toBe(
      'answer_rate is 1.000 (8/8), but nothing was asked, and every answer is from an earlier start of this run: a new run (--new) asks again',
    );
  });

  it('are decided where a continued run asked one more question', async () => {
    const path = newPath();
    await ask(path, { limit: 7 });
    const more = await ask(path, { limit: 8 });
    expect(more.nothingAsked).toBe(false);
    expect(reasons(checkGates(plan(MET), more))).toEqual([['pass', undefined]]);
  });

  it('are undecided where replies come from the cache, also for a reader of the file', async () => {
    const path = newPath();
    const cached = await withCache((cache) => ask(path, { cache }));
    expect(cached.extras).toMatchObject({ n_calls: 0, n_cache_hits: 8, n_replies: 8 });
    for (const result of [cached, readRun(path)]) {
      const verdicts = checkGates(plan(MET, NOT_MET), result);
      expect(reasons(verdicts)).toEqual([
        ['undecided', 'cached_replies'],
        ['undecided', 'cached_replies'],
      ]);
      expect(verdicts[0]!.message).toMatch(
        /8 of 8 replies come from the cache \(oldest from \d{4}-\d\d-\d\d \d\d:\d\d UTC\): a new run \(--new\) asks again$/,
      );
    }
  });

  it('rest on the replies of the baseline, too, where they compare with one', async () => {
    const [baseline, candidate] = [newPath(), newPath()];
    await withCache((cache) => ask(baseline, { cache }));
    const result = await ask(candidate);
    const nonInferior = { baseline, margin: 0.9, metric: 'accuracy' };
    const [own, difference] = checkGates({ ...plan(MET), nonInferior }, result);
    expect(own).toMatchObject({ status: 'pass' });
    expect(difference).toMatchObject({ status: 'undecided', reason: 'cached_replies' });
    expect(difference!.message).toMatch(/, but in run-\d+\.db 8 of 8 replies come from the cache/);
  });
});

describe('a run with a cache', () => {
  it.each<[string, Partial<RunOptions>]>([
    ['a new run', { startNew: true }],
    ['conditions', { hasConditions: true }],
  ])('asks and stores, but does not read: %s', async (_, more) => {
    await withCache(async (cache) => {
      expect((await ask(newPath(), { cache, ...more })).extras).toMatchObject({
        n_calls: 8,
        n_cache_hits: 0,
      });
      const told = await ask(newPath(), { cache, ...more, readCache: true });
      expect(told.extras).toMatchObject({ n_calls: 0, n_cache_hits: 8 });
    });
  });

  it('asks every repeat', async () => {
    await withCache(async (cache) => {
      const { extras } = await ask(newPath(), { cache, repeats: 2 });
      expect(extras).toMatchObject({ n_calls: 16, n_cache_hits: 0 });
    });
  });

  it('does not count rows of its own file as cached replies', async () => {
    const path = newPath();
    await ask(path, { limit: 5 });
    const { extras } = await withCache((cache) => ask(path, { cache }));
    expect(extras).toMatchObject({ n_calls: 5, n_cache_hits: 3, n_replies: 8 });
  });
});
