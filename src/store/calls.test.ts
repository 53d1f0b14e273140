import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { recordsOf, temporaryFolder } from '../../test/engine-fixture.ts';
import { FINAL_FAULTS } from '../core/fault.ts';
import type { CallOutcome } from './call.ts';
import type { NewRow } from './rows.ts';
import { type Journal, RunFile } from './run-file.ts';

const folder = temporaryFolder();
afterAll(folder.remove);

const open: RunFile[] = [];
afterEach(() => {
  for (const file of open.splice(0)) file.close();
});

const row = (id: string, more: Partial<NewRow> = {}): NewRow => ({
  id,
  repeat: 0,
  state: 'answered',
  prediction: 'yes',
  confidence: 0.5,
  promptMode: 'batch',
  ...more,
});

const outcome = (kind: CallOutcome['outcome'], more: Partial<CallOutcome> = {}): CallOutcome => ({
  outcome: kind,
  error: kind === 'answered' ? null : `${kind}: trouble`,
  wastedTokens: 0,
  latencySeconds: 0.5,
  ...more,
});

const intent = (key: string, ids: string, attempt = 0, mode: 'single' | 'batch' = 'batch', repeat = 0) => ({
  key,
  mode,
  repeat,
  recordIds: [...ids],
  attempt,
});

const journals: [string, () => Journal][] = [
  ['a run in memory', () => RunFile.inMemory()],
  [
    'RunFile',
    () => {
      const file = RunFile.write(folder.file(`${open.length}-${Math.random()}.db`));
      file.records.enter(
        recordsOf('abcd').map((record, i) => [i, record] as const),
        false,
      );
      open.push(file);
      return file;
    },
  ],
];

/** What every journal promises; the engine knows no other memory. */
describe.each(journals)('%s', (_, create) => {
  it('knows nothing at first', () => {
    const journal = create();
    expect(journal.rows.isDone('a', 0)).toBe(false);
    expect(journal.calls.ended('k')).toBeNull();
    expect(journal.calls.unanswered('k')).toEqual([]);
    expect(journal.calls.attempts('k')).toEqual({ n: 0, lastError: null });
    expect(journal.wait.left()).toBe(0);
    expect(journal.calls.totals()).toEqual({
      calls: 0,
      retries: 0,
      splits: 0,
      singleFallbacks: 0,
      ofOneRecord: 0,
      inputTokens: null,
      outputTokens: null,
      wastedTokens: 0,
      rateLimits: 0,
      settledAtReserve: 0,
      latencies: [],
      modelIds: [],
      costUsd: null,
      cacheHits: 0,
      oldestCacheHit: null,
      replies: 0,
    });
  });

  it('does not take a call for made that never came back', async () => {
    const journal = create();
    await journal.calls.begin(intent('k', 'ab'));
    expect(journal.calls.ended('k')).toBeNull();
    expect(journal.calls.unanswered('k')).toEqual([]);
    expect(journal.calls.attempts('k').n).toBe(0);
    expect(journal.calls.totals().calls).toBe(0);
  });

  it('knows how a call ended, and what it left', async () => {
    const journal = create();
    journal.calls.end(await journal.calls.begin(intent('k', 'abc')), outcome('malformed'), [row('b')]);
    expect(journal.calls.ended('k')).toBe('malformed');
    expect(journal.calls.unanswered('k')).toEqual(['a', 'c']);
    expect(['a', 'b', 'c'].map((id) => journal.rows.isDone(id, 0))).toEqual([false, true, false]);
    expect(journal.rows.isDone('b', 1)).toBe(false);
  });

  it('remembers what a call left, also when others brought it later', async () => {
    const journal = create();
    journal.calls.end(await journal.calls.begin(intent('k', 'abc')), outcome('malformed'), [row('b')]);
    journal.calls.end(await journal.calls.begin(intent('l', 'ac')), outcome('answered'), [
      row('a'),
      row('c'),
    ]);
    expect(journal.calls.unanswered('k')).toEqual(['a', 'c']);
    expect(journal.calls.unanswered('l')).toEqual([]);
    journal.calls.end(await journal.calls.begin(intent('m', 'd')), outcome('network'), []);
    journal.rows.enter([row('d', { state: 'failed', stateReason: 'network' })]);
    expect(journal.calls.unanswered('m')).toEqual(['d']);
    expect(journal.rows.isDone('d', 0)).toBe(true);
  });

  it('keeps repeats apart', async () => {
    const journal = create();
    const again = intent('k1', 'ab', 0, 'batch', 1);
    journal.calls.end(await journal.calls.begin(intent('k0', 'ab')), outcome('answered'), [
      row('a'),
      row('b'),
    ]);
    journal.calls.end(await journal.calls.begin(again), outcome('malformed'), [row('b', { repeat: 1 })]);
    expect(journal.calls.unanswered('k1')).toEqual(['a']);
    expect(journal.rows.isDone('a', 1)).toBe(false);
  });

  it('counts attempts, and keeps the last error', async () => {
    const journal = create();
    for (const attempt of [0, 1])
      journal.calls.end(
        await journal.calls.begin(intent('k', 'a', attempt)),
        outcome('retry', { error: `server: ${attempt}` }),
        [],
      );
    expect(journal.calls.attempts('k')).toEqual({ n: 2, lastError: 'server: 1' });
    expect(journal.calls.ended('k')).toBeNull();
  });

  it.each(FINAL_FAULTS)('does not take a call for ended that stopped the run: %s', async (fault) => {
    const journal = create();
    journal.calls.end(await journal.calls.begin(intent('k', 'ab')), outcome(fault), []);
    expect(journal.calls.ended('k')).toBeNull();
    journal.calls.end(await journal.calls.begin(intent('k', 'ab')), outcome('answered'), [
      row('a'),
      row('b'),
    ]);
    expect(journal.calls.ended('k')).toBe('answered');
  });

  it('keeps the longest wait', () => {
    const journal = create();
    journal.wait.extend(20_000);
    journal.wait.extend(1000);
    expect(journal.wait.left()).toBeGreaterThan(19_000);
  });

  it('sums up what came back', async () => {
    const journal = create();
    const calls: [ReturnType<typeof intent>, CallOutcome][] = [
      [intent('k', 'abcd'), outcome('retry', { error: 'rate_limit: slow down', latencySeconds: 1 })],
      [
        intent('k', 'abcd', 1),
        outcome('malformed', { inputTokens: 100, outputTokens: 20, wastedTokens: 120 }),
      ],
      [intent('l', 'ab'), outcome('answered', { inputTokens: 50, outputTokens: 8, modelId: 'm-1' })],
      [intent('m', 'cd'), outcome('network')],
      [intent('n', 'c'), outcome('truncated', { inputTokens: 30, wastedTokens: 30 })],
      [intent('o', 'c', 0, 'single'), outcome('answered', { inputTokens: 31, modelId: 'm-2' })],
      [intent('p', 'd', 0, 'single'), outcome('answered', { modelId: 'm-1' })],
      [intent('q', 'ab'), outcome('auth')],
      [intent('r', 'ab'), outcome('rate_limit')],
      [intent('s', 'e'), outcome('answered', { cachedAt: 2000, modelId: 'm-2' })],
      [intent('t', 'f'), outcome('answered', { cachedAt: 1000, modelId: 'm-2' })],
    ];
    for (const [call, result] of calls) journal.calls.end(await journal.calls.begin(call), result, []);
    expect(journal.calls.totals()).toEqual({
      calls: 9,
      retries: 1,
      // Only the malformed batch was split: the others were lost as a whole, or had one row.
      splits: 1,
      singleFallbacks: 2,
      ofOneRecord: 1,
      inputTokens: 100 + 50 + 30 + 31,
      outputTokens: 20 + 8,
      wastedTokens: 150,
      rateLimits: 2,
      settledAtReserve: 0,
      latencies: [1, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5],
      modelIds: ['m-1', 'm-2'],
      costUsd: null,
      cacheHits: 2,
      oldestCacheHit: 1000,
      replies: 5,
    });
  });
});
