import { describe, expect, it } from 'vitest';
import { createVirtualClock } from '../../../test/virtual-clock.ts';
import { createRandom } from '../../statistics/random.ts';
import type { Clock } from './clock.ts';
import { createPacer } from './pacer.ts';

interface Scenario {
  readonly concurrency: number | 'auto';
  readonly nCalls: number;
  /** The provider: a token bucket of so many calls per second (at a moment), so large. */
  readonly rate: (now: number) => number;
  readonly burst: number;
  readonly latency: number;
  /** How it says how long to wait: to the millisecond, or in whole seconds as the header usually has it. */
  readonly retryAfter: 'exact' | 'seconds';
  /** Whether waiting calls are held too while no call may start; otherwise only new ones. */
  readonly isHeld?: boolean;
  readonly tick?: number;
  /** The share of calls that are refused whatever their rate. */
  readonly byChance?: (now: number) => number;
}

function createProvider(clock: Clock, { rate, burst, latency, retryAfter, byChance }: Scenario) {
  const random = createRandom(1);
  let level = burst;
  let filledAt = 0;
  /** Gives the milliseconds to wait before the next try, or null when the call went well. */
  return async (): Promise<number | null> => {
    const now = clock.now();
    const perMillisecond = rate(now) / 1000;
    level = Math.min(burst, level + (now - filledAt) * perMillisecond);
    filledAt = now;
    const isRefused = level < 1 || random.float() < (byChance?.(now) ?? 0);
    const wait = Math.max(0, 1 - level) / perMillisecond;
    if (!isRefused) level -= 1;
    if (latency > 0) await clock.sleep(latency);
    if (!isRefused) return null;
    return retryAfter === 'exact' ? wait : Math.max(1, Math.ceil(wait / 1000)) * 1000;
  };
}

/** As the engine does it: 64 workers; a refused worker announces the wait, lets the others keep it, and tries again. */
async function simulate(scenario: Scenario) {
  const clock = createVirtualClock({ tick: scenario.tick ?? 0 });
  const call = createProvider(clock, scenario);
  let notBefore = 0;
  const hold = () => notBefore - clock.now();
  const { concurrency, isHeld = true } = scenario;
  const pacer = createPacer({ concurrency, clock, ...(isHeld && { hold }) });
  let nLeft = scenario.nCalls;
  let nRefused = 0;
  let most = 0;
  const tryOnce = async (): Promise<boolean> => {
    while (hold() > 1e-6) await clock.sleep(hold());
    const permit = await pacer.enter(1);
    most = Math.max(most, pacer.state.inFlight);
    const wait = await call();
    permit.done(wait === null ? 'ok' : 'rate_limit');
    if (wait === null) return true;
    nRefused += 1;
    notBefore = Math.max(notBefore, clock.now() + wait);
    return false;
  };
  const worker = async () => {
    while (nLeft-- > 0) while (!(await tryOnce()));
  };
  await clock.run(Promise.all(Array.from({ length: 64 }, worker)));
  return { seconds: clock.now() / 1000, nRefused, most, state: pacer.state };
}

const at200 = { rate: () => 200, burst: 20, nCalls: 10_000 };

describe('a provider that allows 200 calls per second, and 20 at once: 10,000 calls, ideally in 50 s', () => {
  it.each([
    { concurrency: 64, latency: 0, retryAfter: 'seconds', most: 1.15, refused: 67 },
    { concurrency: 64, latency: 0, retryAfter: 'exact', most: 1.05, refused: 67 },
    { concurrency: 64, latency: 20, retryAfter: 'seconds', most: 1.15, refused: 66 },
    { concurrency: 64, latency: 20, retryAfter: 'exact', most: 1.05, refused: 66 },
    { concurrency: 64, latency: 200, retryAfter: 'seconds', most: 1.15, refused: 81 },
    { concurrency: 64, latency: 200, retryAfter: 'exact', most: 1.05, refused: 81 },
    { concurrency: 'auto', latency: 0, retryAfter: 'seconds', most: 1.15, refused: 19 },
    { concurrency: 'auto', latency: 0, retryAfter: 'exact', most: 1.05, refused: 19 },
    { concurrency: 'auto', latency: 20, retryAfter: 'seconds', most: 1.15, refused: 34 },
    { concurrency: 'auto', latency: 20, retryAfter: 'exact', most: 1.05, refused: 34 },
    { concurrency: 'auto', latency: 200, retryAfter: 'seconds', most: 1.2, refused: 48 },
    { concurrency: 'auto', latency: 200, retryAfter: 'exact', most: 1.05, refused: 47 },
  ] as const)(
    'concurrency $concurrency, $latency ms, wait in $retryAfter: within $most of it, $refused refused',
    async ({ most, refused, ...how }) => {
      const { seconds, nRefused, state } = await simulate({ ...at200, ...how });
      expect(seconds / 50).toBeLessThan(most);
      expect(nRefused).toBeLessThanOrEqual(refused);
      expect(state.inFlight).toBe(0);
    },
  );

  it.each([
    { concurrency: 64, latency: 0, retryAfter: 'seconds' },
    { concurrency: 64, latency: 200, retryAfter: 'exact' },
    { concurrency: 'auto', latency: 20, retryAfter: 'seconds' },
    { concurrency: 'auto', latency: 200, retryAfter: 'exact' },
  ] as const)(
    'concurrency $concurrency, $latency ms, $retryAfter: also where those in the line go on while others wait',
    async (how) => {
      const { seconds, nRefused } = await simulate({ ...at200, ...how, isHeld: false });
      expect(seconds / 50).toBeLessThan(1.15);
      expect(nRefused).toBeLessThan(100);
    },
  );

  it('is not slowed by timers that fire at whole milliseconds', async () => {
    const { seconds } = await simulate({
      ...at200,
      concurrency: 64,
      latency: 20,
      retryAfter: 'exact',
      tick: 1,
    });
    expect(seconds / 50).toBeLessThan(1.05);
  });
});

describe.each([64, 'auto'] as const)('other providers, concurrency %s', (concurrency) => {
  it.each(['seconds', 'exact'] as const)(
    '5 calls per second, wait in %s: 500 calls, ideally in 100 s',
    async (retryAfter) => {
      const provider = { rate: () => 5, burst: 5, latency: 20, retryAfter };
      const { seconds, nRefused } = await simulate({ ...provider, concurrency, nCalls: 500 });
      expect(seconds / 100).toBeLessThan(1.1);
      expect(nRefused).toBeLessThan(80);
    },
  );

  it.each(['seconds', 'exact'] as const)(
    '2000 calls per second and 100 at once, coarse timers, wait in %s: 40,000 calls, ideally in 20 s',
    async (retryAfter) => {
      const provider = { rate: () => 2000, burst: 100, latency: 20, retryAfter, tick: 1 };
      const { seconds, nRefused } = await simulate({ ...provider, concurrency, nCalls: 40_000 });
      expect(seconds / 20).toBeLessThan(retryAfter === 'seconds' ? 1.3 : 1.1);
      expect(nRefused).toBeLessThan(80);
    },
  );

  it.each(['seconds', 'exact'] as const)(
    'a limit that falls from 200 to 50 per second in the middle, wait in %s: ideally 125 s',
    async (retryAfter) => {
      const provider = {
        rate: (now: number) => (now < 25_000 ? 200 : 50),
        burst: 20,
        latency: 20,
        retryAfter,
      };
      const { seconds, nRefused, state } = await simulate({ ...provider, concurrency, nCalls: 10_000 });
      expect(seconds / 125).toBeLessThan(retryAfter === 'seconds' ? 1.25 : 1.1);
      expect(nRefused).toBeLessThan(100);
      expect(state.ratePerSecond).toBeLessThan(60);
    },
  );

  it('a limit that rises from 50 to 200 per second is found again', async () => {
    const provider = { rate: (now: number) => (now < 50_000 ? 50 : 200), burst: 20, latency: 20 };
    const { state } = await simulate({ ...provider, concurrency, nCalls: 15_000, retryAfter: 'seconds' });
    expect(state.ratePerSecond).toBeGreaterThan(150);
  });

  it('12 calls per minute and 10 at once: 100 calls, ideally in 450 s', async () => {
    const provider = { rate: () => 0.2, burst: 10, latency: 200, retryAfter: 'seconds' } as const;
    const { seconds, nRefused } = await simulate({ ...provider, concurrency, nCalls: 100 });
    expect(seconds / 450).toBeLessThan(1.05);
    expect(nRefused).toBeLessThan(80);
  });

  it('no limit at all: never refused, never paced', async () => {
    const provider = { rate: () => 1e9, burst: 1e9, latency: 200, retryAfter: 'seconds' } as const;
    const { seconds, nRefused, most, state } = await simulate({ ...provider, concurrency, nCalls: 10_000 });
    expect(seconds / ((10_000 / 64) * 0.2)).toBeLessThan(1.03);
    expect(nRefused).toBe(0);
    expect(most).toBe(64);
    expect(state).toEqual({ limit: 64, inFlight: 0, ratePerSecond: null });
  });
});

/** Slowing down does not make them rarer. Before the pattern was looked at, 48 calls took 22 to 478 s and 1000 calls 1.5 to 2.5 hours (three seeds, announced waits). */
describe('30 % of calls refused by chance', () => {
  const unlimited = { rate: () => 1e9, burst: 1e9, byChance: () => 0.3 };

  it.each([
    { concurrency: 'auto', latency: 20, retryAfter: 'exact', nCalls: 48, most: 10 },
    { concurrency: 'auto', latency: 200, retryAfter: 'exact', nCalls: 48, most: 10 },
    { concurrency: 8, latency: 1000, retryAfter: 'exact', nCalls: 48, most: 20 },
    // A second of waiting for every refusal.
    { concurrency: 'auto', latency: 200, retryAfter: 'seconds', nCalls: 48, most: 25 },
    { concurrency: 'auto', latency: 200, retryAfter: 'exact', nCalls: 1000, most: 60 },
    { concurrency: 64, latency: 200, retryAfter: 'exact', nCalls: 1000, most: 60 },
    { concurrency: 'auto', latency: 200, retryAfter: 'seconds', nCalls: 1000, most: 200 },
  ] as const)(
    '$nCalls calls, concurrency $concurrency, $latency ms, wait in $retryAfter: at most $most s',
    async ({ most, ...how }) => {
      const { seconds } = await simulate({ ...unlimited, ...how });
      expect(seconds).toBeLessThan(most);
    },
  );

  it.each([0.02, 0.1, 0.2])('neither do rarer ones hold up 2000 calls: %s of them', async (share) => {
    const provider = { ...unlimited, byChance: () => share, latency: 200, retryAfter: 'exact' } as const;
    const { seconds } = await simulate({ ...provider, concurrency: 'auto', nCalls: 2000 });
    expect(seconds).toBeLessThan(30);
  });
});
