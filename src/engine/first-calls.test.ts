import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';
import {
  type Asked,
  allYes,
  recordsOf,
  scriptedBackend,
  suiteOf,
  temporaryFolder,
} from '../../test/engine-fixture.ts';
import { BackendError } from '../models/backend-error.ts';
import { FIRST_CALLS, FirstCalls } from './first-calls.ts';
import { run } from './run.ts';
import type { RunOptions } from './run-options.ts';

const folder = temporaryFolder();
afterAll(folder.remove);
let made = 0;

const many = suiteOf(recordsOf(Array.from({ length: 300 }, (_, i) => String.fromCodePoint(0x4e00 + i))));
const page = () => new BackendError('malformed', 'a web page', { problem: 'web_page', status: 200 });

function options(more: Partial<RunOptions> & Pick<RunOptions, 'backend'>): RunOptions {
  return {
    suite: many,
    path: folder.file(`${++made}.db`),
    batchSize: 1,
    maxConcurrency: 64,
    scoring: { resamples: 0 },
    ...more,
  };
}

/** Takes a moment, as a provider does, so that many calls are in flight at the same time. */
const slowly =
  (answer: (asked: Asked) => ReturnType<typeof allYes>) =>
  async (asked: Asked): Promise<ReturnType<typeof allYes>> => {
    await sleep(2);
    return answer(asked);
  };

describe('a run whose first calls all fail alike', () => {
  it.each([
    ['a login page', page],
    ['an empty reply', () => new BackendError('empty', 'nothing')],
    ['the same error of the server', () => new BackendError('server', 'boom', { status: 500 })],
  ])('stops after %s, however many calls may be in flight, and can be continued', async (_, error) => {
    const backend = scriptedBackend(
      slowly(() => {
        throw error();
      }),
      { maxRetries: 0 },
    );
    const asked = options({ backend });
    const stopped = await run(asked);
    expect(stopped.status).toBe('stopped');
    expect(stopped.stoppedBecause).toContain(
      `20 calls failed alike before any succeeded: ${error().message}`,
    );
    // An empty reply is asked for once more by itself.
    expect(backend.calls.length).toBeLessThanOrEqual(FIRST_CALLS + 1);
    const mended = scriptedBackend(allYes);
    const again = await run({ ...asked, backend: mended });
    expect([again.status, again.card.ledger.answered_correct]).toEqual(['complete', 300]);
    expect(mended.calls.length, 'rows that failed in that start are asked again').toBe(300);
  });

  it('does not stop while smaller batches may succeed', async () => {
    const backend = scriptedBackend(
      slowly((asked) => {
        if (asked.ids.length > 1) throw new BackendError('malformed', 'no batches');
        return allYes(asked);
      }),
    );
    const result = await run(options({ backend, batchSize: 8 }));
    expect([result.status, result.ledger.answered_correct]).toEqual(['complete', 300]);
  });

  it('has tried a single record before it stops, with few calls more', async () => {
    const backend = scriptedBackend(
      slowly(() => {
        throw new BackendError('malformed', 'unreadable');
      }),
    );
    expect((await run(options({ backend, batchSize: 8 }))).status).toBe('stopped');
    expect(backend.calls.some((call) => call.startsWith('('))).toBe(true);
    expect(backend.calls.length).toBeLessThanOrEqual(FIRST_CALLS + 5);
  });

  it('does not split a batch that got a web page', async () => {
    const backend = scriptedBackend(() => {
      throw page();
    });
    const few = suiteOf(recordsOf('abcdefgh'));
    const result = await run(options({ backend, suite: few, batchSize: 8 }));
    expect([backend.calls.length, result.status, result.ledger.failed_malformed]).toEqual([1, 'complete', 8]);
  });

  it('goes on at full speed once a call has succeeded', async () => {
    let inFlight = 0;
    let most = 0;
    const backend = scriptedBackend(async (asked) => {
      most = Math.max(most, ++inFlight);
      await sleep(5);
      inFlight -= 1;
      if (backend.calls.length > 1 && backend.calls[0] !== asked.ids) throw page();
      return allYes(asked);
    });
    const result = await run(options({ backend }));
    expect([result.status, backend.calls.length]).toEqual(['complete', 300]);
    expect(result.ledger).toMatchObject({ answered_correct: 1, failed_malformed: 299 });
    expect(most).toBeGreaterThan(FIRST_CALLS);
  });

  it('is a failed run when there are fewer records', async () => {
    const backend = scriptedBackend(() => {
      throw page();
    });
    const few = suiteOf(recordsOf('abcdefghijklmno'));
    const result = await run(options({ backend, suite: few }));
    expect([result.status, result.ledger.failed_malformed]).toEqual(['complete', 15]);
  });

  it('stays complete when only failed rows were asked again: those that were not reached stay failed', async () => {
    let isFirst = true;
    const mixed = scriptedBackend((asked) => {
      if (!isFirst) throw page();
      isFirst = false;
      return allYes(asked);
    });
    const asked = options({ backend: mixed, maxConcurrency: 1 });
    expect((await run(asked)).ledger).toMatchObject({ failed_malformed: 299 });
    const broken = scriptedBackend(() => {
      throw page();
    });
    const again = await run({ ...asked, backend: broken });
    expect([again.status, broken.calls.length]).toEqual(['complete', FIRST_CALLS]);
    expect(again.warnings).toContainEqual({
      code: 'asking_again_stopped',
      message:
        'Asking failed cases again was stopped (20 calls failed alike before any succeeded: a web page).',
    });
    const mended = scriptedBackend(allYes);
    expect((await run({ ...asked, backend: mended })).ledger).toMatchObject({ answered_correct: 300 });
  });
});

describe('FirstCalls', () => {
  const failure = {
    fault: 'malformed',
    problem: 'web_page',
    status: 200,
    message: 'page',
    isLast: true,
  } as const;
  const enter = async (calls: FirstCalls) => {
    const leave = await calls.enter(1);
    if (typeof leave !== 'function') throw new Error('no call may be made');
    return leave;
  };

  it('counts causes apart, and a call that says nothing not at all', async () => {
    const calls = new FirstCalls(2);
    (await enter(calls))(failure);
    (await enter(calls))(null);
    (await enter(calls))({ ...failure, status: 502 });
    (await enter(calls))(failure);
    expect(await calls.enter(1)).toEqual(failure);
  });

  it('holds calls back until one has ended', async () => {
    const calls = new FirstCalls(2);
    const [first] = [await enter(calls), await enter(calls)];
    let isIn = false;
    const third = calls.enter(1).then(() => {
      isIn = true;
    });
    await sleep(5);
    expect(isIn).toBe(false);
    first('answered');
    await third;
    expect(isIn).toBe(true);
  });

  it('stops waiting when the run is stopped', async () => {
    const calls = new FirstCalls(1);
    await enter(calls);
    const stop = new AbortController();
    const waiting = calls.enter(1, stop.signal);
    stop.abort();
    await expect(waiting).rejects.toThrow('aborted');
  });
});
