import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { recordsOf, temporaryFolder } from '../../test/engine-fixture.ts';
import { FINAL_FAULTS } from '../core/index.ts';
import type { CallOutcome, JournalRow } from './journal.ts';
import { type Journal, RunFile } from './run-file.ts';

const folder = temporaryFolder();
afterAll(folder.remove);

const open: RunFile[] = [];
afterEach(() => {
  for (const file of open.splice(0)) file.close();
});

const row = (recordId: string, more: Partial<JournalRow> = {}): JournalRow => ({
  recordId,
  repeat: 0,
  state: 'answered',
  stateReason: null,
  prediction: 'yes',
  abstained: false,
  confidence: 0.5,
  confidenceSource: 'stated',
  rawResponse: null,
  prompt: null,
  promptMode: 'batch',
  inputTokens: null,
  outputTokens: null,
  totalTokens: null,
  tokensEstimated: false,
  repaired: false,
  ...more,
});

const outcome = (kind: CallOutcome['outcome'], more: Partial<CallOutcome> = {}): CallOutcome => ({
  outcome: kind,
  error: kind === 'answered' ? null : `${kind}: trouble`,
  inputTokens: null,
  outputTokens: null,
  wastedTokens: 0,
  latencySeconds: 0.5,
  modelId: null,
  costUsd: null,
  cachedAt: null,
  rawResponse: null,
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
      file.setRecords(
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
    expect(journal.isDone('a', 0)).toBe(false);
    expect(journal.ended('k')).toBeNull();
    expect(journal.left('k')).toEqual([]);
    expect(journal.attempts('k')).toEqual({ n: 0, lastError: null });
    expect(journal.waitLeft()).toBe(0);
    expect(journal.totals()).toEqual({
      calls: 0,
      retries: 0,
      splits: 0,
      singleFallbacks: 0,
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
    await journal.begin(intent('k', 'ab'));
    expect(journal.ended('k')).toBeNull();
    expect(journal.left('k')).toEqual([]);
    expect(journal.attempts('k').n).toBe(0);
    expect(journal.totals().calls).toBe(0);
  });

  it('knows how a call ended, and what it left', async () => {
    const journal = create();
    journal.end(await journal.begin(intent('k', 'abc')), outcome('malformed'), [row('b')]);
    expect(journal.ended('k')).toBe('malformed');
    expect(journal.left('k')).toEqual(['a', 'c']);
    expect(['a', 'b', 'c'].map((id) => journal.isDone(id, 0))).toEqual([false, true, false]);
    expect(journal.isDone('b', 1)).toBe(false);
  });

  it('remembers what a call left, also when others brought it later', async () => {
    const journal = create();
    journal.end(await journal.begin(intent('k', 'abc')), outcome('malformed'), [row('b')]);
    journal.end(await journal.begin(intent('l', 'ac')), outcome('answered'), [row('a'), row('c')]);
    expect(journal.left('k')).toEqual(['a', 'c']);
    expect(journal.left('l')).toEqual([]);
    journal.end(await journal.begin(intent('m', 'd')), outcome('network'), []);
    journal.enter([row('d', { state: 'failed', stateReason: 'network' })]);
    expect(journal.left('m')).toEqual(['d']);
    expect(journal.isDone('d', 0)).toBe(true);
  });

  it('keeps repeats apart', async () => {
    const journal = create();
    const again = intent('k1', 'ab', 0, 'batch', 1);
    journal.end(await journal.begin(intent('k0', 'ab')), outcome('answered'), [row('a'), row('b')]);
    journal.end(await journal.begin(again), outcome('malformed'), [row('b', { repeat: 1 })]);
    expect(journal.left('k1')).toEqual(['a']);
    expect(journal.isDone('a', 1)).toBe(false);
  });

  it('counts attempts, and keeps the last error', async () => {
    const journal = create();
    for (const attempt of [0, 1])
      journal.end(
        await journal.begin(intent('k', 'a', attempt)),
        outcome('retry', { error: `server: ${attempt}` }),
        [],
      );
    expect(journal.attempts('k')).toEqual({ n: 2, lastError: 'server: 1' });
    expect(journal.ended('k')).toBeNull();
  });

  it.each(FINAL_FAULTS)('does not take a call for ended that stopped the run: %s', async (fault) => {
    const journal = create();
    journal.end(await journal.begin(intent('k', 'ab')), outcome(fault), []);
    expect(journal.ended('k')).toBeNull();
    journal.end(await journal.begin(intent('k', 'ab')), outcome('answered'), [row('a'), row('b')]);
    expect(journal.ended('k')).toBe('answered');
  });

  it('keeps the longest wait', () => {
    const journal = create();
    journal.wait(20_000);
    journal.wait(1000);
    expect(journal.waitLeft()).toBeGreaterThan(19_000);
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
    for (const [call, result] of calls) journal.end(await journal.begin(call), result, []);
    expect(journal.totals()).toEqual({
      calls: 9,
      retries: 1,
      // Only the malformed batch was split: the others were lost as a whole, or had one row.
      splits: 1,
      singleFallbacks: 2,
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
