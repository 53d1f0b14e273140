import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { createVirtualClock, type VirtualClock } from '../../../test/virtual-clock.ts';
import { KrisisError } from '../../core/errors.ts';
import { createPacer, type Pacer, type PacerOptions, type Permit } from './pacer.ts';

let clock: VirtualClock;
beforeEach(() => {
  clock = createVirtualClock();
});

const startPacer = (options: Partial<PacerOptions> = {}): Pacer =>
  createPacer({ concurrency: 1000, clock, ...options });

/** Calls that take no time: when each was let in. */
async function startTimes(pacer: Pacer, tokens: readonly number[]): Promise<number[]> {
  const call = async (estimate: number) => {
    const permit = await pacer.enter(estimate);
    const now = clock.now();
    permit.done('ok');
    return now;
  };
  return clock.run(Promise.all(tokens.map(call)));
}

const times = (n: number, tokens = 0): number[] => Array(n).fill(tokens);
const rounded = (values: readonly number[]): number[] => values.map(Math.round);

/** What is settled when there is nothing left to do at this moment. */
async function settled<T>(promises: readonly Promise<T>[]): Promise<(T | 'waits')[]> {
  await new Promise((resolve) => setImmediate(resolve));
  return Promise.all(promises.map((promise) => Promise.race([promise, 'waits' as const])));
}

describe('places', () => {
  it('lets in as many as there are places, and the next when one is given back, in the order they came', async () => {
    const pacer = startPacer({ concurrency: 3 });
    const order: number[] = [];
    const permits: Permit[] = [];
    const all = Array.from({ length: 10 }, async (_, i) => {
      permits[i] = await pacer.enter(0);
      order.push(i);
    });
    for (let i = 0; i < 10; i++) {
      await settled(all);
      expect(order).toHaveLength(Math.min(10, i + 3));
      expect(pacer.state.inFlight).toBe(Math.min(3, 10 - i));
      permits[i]!.done('ok');
    }
    expect(order).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(pacer.state.inFlight).toBe(0);
  });

  it('keeps the order of waiting calls, even when the limit has room for a moment', async () => {
    const pacer = startPacer({ concurrency: 1, requestsPerMinute: 60 });
    const first = await pacer.enter(0);
    const second = pacer.enter(0);
    first.done('ok');
    const third = pacer.enter(0);
    expect(await settled([second, third])).toEqual(['waits', 'waits']);
    (await clock.run(second)).done('ok');
    (await clock.run(third)).done('ok');
    expect(rounded([clock.now()])).toEqual([2001]);
  });

  it('sets no timer while nothing is known of a rate', async () => {
    const pacer = startPacer({ concurrency: 1 });
    const first = await pacer.enter(0);
    const second = pacer.enter(0);
    expect(clock.nSleeping).toBe(0);
    first.done('other');
    (await second).done('ok');
    expect(clock.nSleeping).toBe(0);
  });

  it('takes a permit back once', async () => {
    const pacer = startPacer();
    const permit = await pacer.enter(0);
    permit.done('ok');
    expect(() => permit.done('ok')).toThrow('given back before');
    expect(pacer.state.inFlight).toBe(0);
  });

  it('auto: halves once for calls refused together, and starts none until they fit', async () => {
    const pacer = startPacer({ concurrency: 'auto' });
    const permits = await Promise.all(times(8).map((tokens) => pacer.enter(tokens)));
    for (const permit of permits.slice(0, 3)) permit.done('rate_limit');
    const next = pacer.enter(0);
    await clock.run(clock.sleep(5000));
    expect(pacer.state).toEqual({ limit: 4, inFlight: 5, ratePerSecond: null });
    permits[3]!.done('other');
    expect(await settled([next])).toEqual(['waits']);
    permits[4]!.done('other');
    (await clock.run(next)).done('ok');
  });
});

describe('an announced wait', () => {
  it('holds new and waiting calls, also when it grows', async () => {
    let notBefore = 500;
    const pacer = startPacer({ concurrency: 2, hold: () => notBefore - clock.now() });
    const all = startTimes(pacer, times(4));
    notBefore = 800;
    expect(await all).toEqual([800, 800, 800, 800]);
  });

  it('can be announced right after the permit of the refused call is given back', async () => {
    let notBefore = 0;
    const pacer = startPacer({ concurrency: 1, hold: () => notBefore - clock.now() });
    const refused = await pacer.enter(0);
    const next = pacer.enter(0);
    refused.done('rate_limit');
    notBefore = 3000;
    await clock.run(next);
    expect(clock.now()).toBe(3000);
  });

  it('can be announced so by a late one of several refused calls too', async () => {
    let notBefore = 0;
    const pacer = startPacer({ concurrency: 2, hold: () => notBefore - clock.now() });
    const [early, late] = await Promise.all([pacer.enter(0), pacer.enter(0)]);
    early.done('rate_limit');
    await clock.run(pacer.enter(0));
    const next = pacer.enter(0);
    await clock.run(clock.sleep(5000));
    late.done('rate_limit');
    notBefore = 8000;
    await clock.run(next);
    expect(clock.now()).toBe(8000);
  });
});

describe('a learned rate', () => {
  it('paces a fixed concurrency too, and is shown', async () => {
    const pacer = startPacer({ concurrency: 64 });
    const permits = await Promise.all(times(64).map((tokens) => pacer.enter(tokens)));
    for (const [i, permit] of permits.entries()) permit.done(i < 20 ? 'ok' : 'rate_limit');
    await clock.run(clock.sleep(1000));
    const [first = 0, second = 0, third = 0, fourth = 0] = await startTimes(pacer, times(4));
    expect([first, second, third]).toEqual([1000, 1050, 1100]);
    expect(fourth).toBeLessThan(1150);
    expect(pacer.state.ratePerSecond).toBeGreaterThan(20);
    expect(pacer.state.limit).toBe(64);
  });
});

describe('requests per minute', () => {
  it('spaces starts evenly, from the first', async () => {
    const pacer = startPacer({ requestsPerMinute: 60 });
    expect(rounded(await startTimes(pacer, times(4)))).toEqual([0, 1000, 2001, 3001]);
    expect(pacer.state.ratePerSecond).toBe(1);
  });

  it.each([1, 7, 60, 5000])(
    'never lets more than %i start in a minute, and loses little',
    async (requestsPerMinute) => {
      const starts = await startTimes(startPacer({ requestsPerMinute }), times(3 * requestsPerMinute + 1));
      for (const [i, start] of starts.slice(requestsPerMinute).entries())
        expect(start - starts[i]!).toBeGreaterThanOrEqual(60_000 - 1e-6);
      expect(starts.at(-1)).toBeLessThan(180_000 * 1.001);
    },
  );

  it('never lets more start in a minute, however calls come and however coarse the timers are', async () => {
    const gaps = fc.array(fc.oneof(fc.constant(0), fc.nat(3000)), { minLength: 40, maxLength: 80 });
    const scenario = fc.record({
      gaps,
      requestsPerMinute: fc.integer({ min: 1, max: 40 }),
      tick: fc.nat(20),
    });
    const check = async ({
      gaps,
      requestsPerMinute,
      tick,
    }: {
      gaps: number[];
      requestsPerMinute: number;
      tick: number;
    }) => {
      clock = createVirtualClock({ tick });
      const pacer = startPacer({ requestsPerMinute });
      const starts: number[] = [];
      const call = async () => {
        const permit = await pacer.enter(0);
        starts.push(clock.now());
        permit.done('ok');
      };
      const comeAndCall = async () => {
        const calls: Promise<void>[] = [];
        for (const gap of gaps) {
          await clock.sleep(gap);
          calls.push(call());
        }
        await Promise.all(calls);
      };
      await clock.run(comeAndCall());
      expect(starts).toHaveLength(gaps.length);
      for (const [i, start] of starts.slice(requestsPerMinute).entries())
        expect(start - starts[i]!).toBeGreaterThanOrEqual(60_000 - 1e-6);
    };
    await fc.assert(fc.asyncProperty(scenario, check), { numRuns: 30 });
  });

  it('exceeds it by one at most where a process ends and the next begins', async () => {
    const requestsPerMinute = 600;
    const before = await startTimes(startPacer({ requestsPerMinute }), times(400));
    const after = await startTimes(startPacer({ requestsPerMinute }), times(400));
    const starts = [...before, ...after];
    for (const [i, start] of starts.slice(requestsPerMinute + 1).entries())
      expect(start - starts[i]!).toBeGreaterThanOrEqual(60_000 - 1e-6);
  });
});

describe('tokens per minute', () => {
  it('spaces calls by what they are expected to take', async () => {
    const pacer = startPacer({ tokensPerMinute: 60_000 });
    expect(rounded(await startTimes(pacer, [500, 1000, 3000, 500]))).toEqual([0, 1000, 4000, 4500]);
    expect(pacer.state.ratePerSecond).toBeNull();
  });

  it('lets a call pass that is larger than ten seconds bring, and the next pays', async () => {
    const pacer = startPacer({ tokensPerMinute: 60_000 });
    expect(rounded(await startTimes(pacer, [500, 25_000, 500]))).toEqual([0, 10_000, 25_500]);
  });

  it('lets a small call not pass a large one that came before it', async () => {
    const pacer = startPacer({ tokensPerMinute: 60_000 });
    (await pacer.enter(0)).done('ok');
    await clock.run(clock.sleep(1000));
    expect(rounded(await startTimes(pacer, [9000, 100]))).toEqual([9000, 9100]);
  });

  it('wakes earlier when calls took less, and later when they took more', async () => {
    const pacer = startPacer({ tokensPerMinute: 60_000 });
    const first = await pacer.enter(5000);
    const second = pacer.enter(5000);
    await settled([second]);
    first.done('ok', 1000);
    const permit = await clock.run(second);
    expect(Math.round(clock.now())).toBe(1000);
    permit.done('ok', 8000);
    await clock.run(pacer.enter(1000));
    expect(Math.round(clock.now())).toBe(5000);
  });

  it('keeps the estimate where nothing better is known', async () => {
    const pacer = startPacer({ tokensPerMinute: 60_000 });
    (await pacer.enter(5000)).done('ok', null);
    await clock.run(pacer.enter(1000));
    expect(Math.round(clock.now())).toBe(1000);
  });

  it('refuses an estimate that is no number of tokens', async () => {
    const pacer = startPacer({ tokensPerMinute: 60_000 });
    await expect(pacer.enter(Number.NaN)).rejects.toThrow('NaN tokens');
    await expect(pacer.enter(-1)).rejects.toThrow('-1 tokens');
  });
});

describe('a signal that aborts', () => {
  it('rejects every new call with its reason', async () => {
    const pacer = startPacer();
    await expect(pacer.enter(0, AbortSignal.abort(new Error('enough')))).rejects.toThrow('enough');
    expect(pacer.state.inFlight).toBe(0);
  });

  it('rejects all waiting calls, starts none of them, and leaves no timer', async () => {
    const pacer = startPacer({ requestsPerMinute: 6000 });
    const stop = new AbortController();
    const outcomes = Promise.allSettled(times(100).map((tokens) => pacer.enter(tokens, stop.signal)));
    await clock.run(clock.sleep(15));
    expect(clock.nSleeping).toBe(1);
    stop.abort(new Error('enough'));
    const ways = (await outcomes).map(({ status }) => status);
    expect(ways).toEqual([...Array(2).fill('fulfilled'), ...Array(98).fill('rejected')]);
    expect(pacer.state.inFlight).toBe(2);
    expect(clock.nSleeping).toBe(0);
  });

  it('starts no call that is about to be aborted too', async () => {
    const pacer = startPacer({ tokensPerMinute: 60_000 });
    (await pacer.enter(0)).done('ok');
    await clock.run(clock.sleep(1000));
    const stop = new AbortController();
    const outcomes = Promise.allSettled([9000, 100].map((tokens) => pacer.enter(tokens, stop.signal)));
    stop.abort();
    expect((await outcomes).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(pacer.state.inFlight).toBe(0);
  });

  it('takes no room from the others', async () => {
    const pacer = startPacer({ concurrency: 1 });
    const stop = new AbortController();
    const holder = await pacer.enter(0);
    const leaves = pacer.enter(0, stop.signal);
    const stays = pacer.enter(0);
    stop.abort(new Error('enough'));
    await expect(leaves).rejects.toThrow('enough');
    holder.done('ok');
    (await stays).done('ok');
    (await pacer.enter(0)).done('ok');
    expect(pacer.state.inFlight).toBe(0);
  });

  it('leaves the others in the order of arrival, wherever it waited', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.boolean(), { maxLength: 30 }), async (leaving) => {
        const pacer = startPacer({ concurrency: 1 });
        const stop = new AbortController();
        const holder = await pacer.enter(0);
        const served: number[] = [];
        const calls = leaving.map((leaves, i) =>
          pacer.enter(0, leaves ? stop.signal : undefined).then((permit) => {
            served.push(i);
            permit.done('ok');
          }),
        );
        const outcomes = Promise.allSettled(calls);
        stop.abort();
        holder.done('ok');
        expect((await outcomes).map(({ status }) => status === 'rejected')).toEqual(leaving);
        expect(served).toEqual(leaving.flatMap((leaves, i) => (leaves ? [] : [i])));
      }),
    );
  });

  it('starts the next call earlier when the aborted one was waiting for more', async () => {
    const pacer = startPacer({ tokensPerMinute: 60_000 });
    const stop = new AbortController();
    (await pacer.enter(0)).done('ok');
    const large = pacer.enter(9000, stop.signal);
    const small = pacer.enter(1000);
    await settled([small]);
    stop.abort(new Error('enough'));
    await expect(large).rejects.toThrow('enough');
    await clock.run(small);
    expect(Math.round(clock.now())).toBe(1000);
  });

  it('does nothing to a permit that was given before', async () => {
    const pacer = startPacer();
    const stop = new AbortController();
    const permit = await pacer.enter(0, stop.signal);
    stop.abort();
    expect(pacer.state.inFlight).toBe(1);
    permit.done('other');
    expect(pacer.state.inFlight).toBe(0);
  });
});

describe('options', () => {
  it.each([
    [{ concurrency: 0 }, 'concurrency is 0'],
    [{ concurrency: 1.5 }, 'concurrency is 1.5'],
    [{ requestsPerMinute: 0 }, 'requests per minute is 0'],
    [{ tokensPerMinute: Number.NaN }, 'tokens per minute is NaN'],
  ])('%o is an error', (options, message) => {
    expect(() => startPacer(options)).toThrow(KrisisError);
    expect(() => startPacer(options)).toThrow(message);
  });

  it('the real clock is the default', async () => {
    const pacer = createPacer({ concurrency: 1, requestsPerMinute: 600_000 });
    for (let i = 0; i < 50; i++) (await pacer.enter(0)).done('ok');
    expect(pacer.state).toEqual({ limit: 1, inFlight: 0, ratePerSecond: 10_000 });
  });
});
