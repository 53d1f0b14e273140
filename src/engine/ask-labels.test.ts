import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import {
  type Asked,
  allYes,
  memoryRun,
  recordsOf,
  response,
  scriptedBackend,
  task,
} from '../../test/engine-fixture.ts';
import { type ExecuteOptions, execute } from '../../test/execute.ts';
import { KrisisError } from '../core/errors.ts';
import { BackendError } from '../models/backend-error.ts';
import { plannedBatches } from '../runs/execution.ts';
import { createRandom } from '../statistics/random.ts';
import type { Task } from '../suites/task.ts';
import { RunStopped } from '../transports/transport.ts';
import type { Progress } from './progress.ts';

const IDS = 'abcdefghijklmnopqrst';

function run(script: Parameters<typeof scriptedBackend>[0], more: Partial<ExecuteOptions> = {}) {
  const journal = memoryRun();
  const backend = scriptedBackend(script);
  const seen: Progress[] = [];
  const done = execute({
    records: recordsOf(IDS),
    task,
    backend,
    journal,
    batchSize: 4,
    maxConcurrency: 1,
    onProgress: (progress) => seen.push(progress),
    ...more,
  });
  return { done, journal, backend, seen };
}

describe('execute', () => {
  it.each<[string, Partial<ExecuteOptions>, string]>([
    ['no cases', { records: [] }, 'there are no cases to evaluate'],
    ['a batch size of 0', { batchSize: 0 }, 'batch size is 0; expected a whole number, 1 or more'],
    ['half a batch', { batchSize: 1.5 }, 'batch size is 1.5'],
    ['a batch size that is no number', { batchSize: Number.NaN }, 'batch size is NaN'],
    ['a concurrency of 0', { maxConcurrency: 0 }, 'concurrency is 0; expected a whole number, 1 or more'],
    ['endless concurrency', { maxConcurrency: Number.POSITIVE_INFINITY }, 'concurrency is Infinity'],
    ['a repeat of 0', { repeats: 0 }, 'repeat is 0; expected a whole number from 1 to 100000'],
    ['a billion repeats', { repeats: 1e9 }, 'repeat is 1000000000; expected a whole number from 1 to 100000'],
    ['the same case twice', { records: recordsOf('aba') }, 'two cases have the id "a"'],
  ])('refuses %s', async (_, options, message) => {
    const { done, backend } = run(allYes, options);
    await expect(done).rejects.toThrow(KrisisError);
    await expect(done).rejects.toThrow(message);
    expect(backend.calls).toEqual([]);
  });

  it('asks in batches, in order, with what is left at the end', async () => {
    const { done, backend } = run(allYes, { batchSize: 8 });
    await done;
    expect(backend.calls).toEqual(['abcdefgh', 'ijklmnop', 'qrst']);
    expect(plannedBatches(20, 8)).toBe(3);
    expect(plannedBatches(20, 8, 5)).toBe(15);
  });

  it('gives every record its own answer, whatever finishes first', async () => {
    const random = createRandom(1);
    const echo = async ({ ids }: Asked) => {
      await sleep(random.integer(8));
      return [...ids].map((id) => response({ rawResponse: id }));
    };
    const { done, journal } = run(echo, { batchSize: 3, maxConcurrency: 5, repeats: 2 });
    await done;
    expect(journal.entered.size).toBe(40);
    for (const { id, rawResponse } of journal.entered.values()) expect(rawResponse).toBe(id);
  });

  it.each([1, 2, 5])('has up to %s calls in flight, and never more', async (maxConcurrency) => {
    let under = 0;
    let most = 0;
    const { done } = run(
      async (asked) => {
        most = Math.max(most, ++under);
        await sleep(2);
        under -= 1;
        if (asked.ids.length > 1 && asked.ids.includes('f')) throw new BackendError('malformed', 'no JSON');
        return allYes(asked);
      },
      { maxConcurrency },
    );
    await done;
    expect(most).toBe(maxConcurrency);
  });

  it('asks every record as often as told, with the repeat in every key', async () => {
    const { done, backend, journal } = run(allYes, { records: recordsOf('abc'), batchSize: 2, repeats: 3 });
    await done;
    expect(backend.calls).toEqual(['ab', 'c', 'ab', 'c', 'ab', 'c']);
    expect([...journal.entered.values()].map(({ id, repeat }) => `${repeat}${id}`)).toEqual(
      [0, 1, 2].flatMap((repeat) => ['a', 'b', 'c'].map((id) => `${repeat}${id}`)),
    );
  });

  it('splits each repeat by itself', async () => {
    const { done, backend } = run(
      (asked) => {
        if (asked.ids === 'ab' && asked.time === 1) throw new BackendError('malformed', 'no JSON');
        return allYes(asked);
      },
      { records: recordsOf('ab'), repeats: 2 },
    );
    await done;
    expect(backend.calls).toEqual(['ab', 'a', 'b', 'ab']);
  });

  it('shows what the arm adds, and nothing in the arm that adds nothing', async () => {
    const records = recordsOf('ab');
    const plain = run(allYes, { records });
    await plain.done;
    expect(plain.backend.seen).toEqual(records.map(({ id, features }) => ({ id, features })));
    const hinted = run(allYes, { records, task: { ...task, defaultArm: 'hinted' } });
    await hinted.done;
    expect(hinted.backend.seen[0]).toEqual({ id: 'a', features: { value: 'a', hint: 'two' } });
    expect(records[0]!.features, 'the record itself is left as it is').toEqual({ value: 'a' });
  });

  it('takes records from a source when it needs them', async () => {
    const given: number[] = [];
    const source = {
      length: 5,
      id: (i: number) => IDS[i]!,
      features: (i: number) => {
        given.push(i);
        return { value: i };
      },
    };
    const { done, backend } = run(allYes, { records: source, batchSize: 2 });
    expect(given, 'no more than the first batch').toEqual([0, 1]);
    await done;
    expect(backend.calls).toEqual(['ab', 'cd', 'e']);
    expect(backend.seen.map(({ features }) => features.value)).toEqual([0, 1, 2, 3, 4]);
  });
});

describe('progress', () => {
  it('adds up', async () => {
    const { done, seen } = run(({ ids }) => {
      if (ids === 'd') throw new BackendError('empty', 'nothing');
      if (ids.includes('d')) throw new BackendError('malformed', 'no JSON');
      return [...ids].map((id) =>
        response(
          id === 'a'
            ? { abstained: true }
            : id === 'b'
              ? { prediction: 'maybe' }
              : id === 'c'
                ? { refused: true }
                : {},
        ),
      );
    });
    const last = await done;
    expect(last).toEqual({
      total: 20,
      done: 20,
      answered: 16,
      abstained: 1,
      invalid: 2,
      failed: 1,
      inFlight: 0,
      rateLimits: 0,
      waitedSeconds: 0,
      waitingUntil: null,
      askedAgain: { answers: 0, judgements: 0 },
      costUsd: null,
    });
    let before = 0;
    for (const { done: n, total, answered, abstained, invalid, failed, inFlight } of seen) {
      expect(answered + abstained + invalid + failed).toBe(n);
      expect(total).toBe(20);
      expect(n).toBeGreaterThanOrEqual(before);
      expect(inFlight).toBeLessThanOrEqual(4);
      before = n;
    }
    expect(seen.some(({ inFlight }) => inFlight === 4)).toBe(true);
  });

  it('begins with what was done before', async () => {
    const { done, journal } = run(allYes, { records: recordsOf('abcd') });
    await done;
    const again = run(allYes, { records: recordsOf('abcdef'), journal });
    expect(await again.done).toMatchObject({ total: 6, done: 6, answered: 2 });
    expect(again.backend.calls).toEqual(['ef']);
  });

  it('counts a wish to wait once, however many wait', async () => {
    const { done } = run(
      (asked) => {
        if (asked.ids === 'abcd' && asked.time === 1)
          throw new BackendError('rate_limit', 'slow down', { retryAfterSeconds: 0.02 });
        return allYes(asked);
      },
      { maxConcurrency: 3 },
    );
    const { rateLimits, waitedSeconds } = await done;
    expect(rateLimits).toBe(1);
    expect(waitedSeconds).toBeGreaterThan(0);
  });
});

describe('a run that is stopped', () => {
  it('finishes calls in flight, and makes no new one', async () => {
    const stop = new AbortController();
    const { done, backend, journal } = run(
      async (asked) => {
        if (backend.calls.length === 2) stop.abort();
        await sleep(3);
        return allYes(asked);
      },
      { maxConcurrency: 2, signal: stop.signal },
    );
    const progress = await done;
    expect(backend.calls).toEqual(['abcd', 'efgh']);
    expect(progress).toMatchObject({ total: 20, done: 8, answered: 8, inFlight: 0 });
    expect(journal.entered.size).toBe(8);
  });

  it('does nothing when it was told before it began', async () => {
    const { done, backend } = run(allYes, { signal: AbortSignal.abort() });
    expect(await done).toMatchObject({ done: 0, inFlight: 0 });
    expect(backend.calls).toEqual([]);
  });

  it('does not sit out a wait', async () => {
    const stop = new AbortController();
    const { done } = run(
      () => {
        setImmediate(() => stop.abort());
        throw new BackendError('rate_limit', 'come back in an hour', { retryAfterSeconds: 3000 });
      },
      { signal: stop.signal, maxConcurrency: 3 },
    );
    expect(await done).toMatchObject({ done: 0 });
  });
});

describe('a run that cannot go on', () => {
  it.each(['auth', 'quota'] as const)('stops with %s, after finishing calls in flight', async (fault) => {
    const { done, backend, journal } = run(
      async (asked) => {
        if (asked.ids === 'efgh') throw new BackendError(fault, 'do something');
        await sleep(3);
        return allYes(asked);
      },
      { maxConcurrency: 2 },
    );
    await expect(done).rejects.toThrow(RunStopped);
    await expect(done).rejects.toMatchObject({ fault, message: 'do something' });
    expect(backend.calls).toEqual(['abcd', 'efgh']);
    expect([...journal.entered.keys()], 'nothing is lost').toEqual(['0:a', '0:b', '0:c', '0:d']);

    const again = run(allYes, { journal });
    expect(await again.done).toMatchObject({ done: 20, failed: 0 });
    expect(again.backend.calls).toEqual(['efgh', 'ijkl', 'mnop', 'qrst']);
  });

  it('does not let others sit out a wait', async () => {
    const { done } = run(
      async ({ ids }) => {
        if (ids === 'abcd') throw new BackendError('rate_limit', 'later', { retryAfterSeconds: 3000 });
        await sleep(5);
        throw new BackendError('auth', 'the key is gone');
      },
      { maxConcurrency: 2 },
    );
    await expect(done).rejects.toThrow('the key is gone');
  });

  it('ends with an internal error after finishing calls in flight', async () => {
    const throwing: Task = {
      ...task,
      arms: {
        natural: {
          instructions: '',
          show: (features) => {
            if (features.value === 'i') throw new Error('the arm broke');
            return features;
          },
        },
      },
    };
    const { done, journal } = run(
      async (asked) => {
        await sleep(3);
        return allYes(asked);
      },
      { task: throwing, maxConcurrency: 2 },
    );
    await expect(done).rejects.toThrow('the arm broke');
    expect(journal.entered.size).toBe(8);
  });
});
