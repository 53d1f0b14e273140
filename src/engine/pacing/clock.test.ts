import { describe, expect, it } from 'vitest';
import { realClock } from './clock.ts';

describe('the real clock', () => {
  it('does not wake before the time has passed by its own measure', async () => {
    const before = realClock.now();
    await realClock.sleep(1.5);
    expect(realClock.now() - before).toBeGreaterThanOrEqual(1.5);
  });

  it('rejects a sleep whose signal aborts', async () => {
    const stop = new AbortController();
    const slept = realClock.sleep(60_000, stop.signal);
    stop.abort();
    await expect(slept).rejects.toThrow('aborted');
  });

  it('sleeps longer than a timer can', async () => {
    const warnings: string[] = [];
    const onWarning = ({ name }: Error) => warnings.push(name);
    process.on('warning', onWarning);
    const stop = new AbortController();
    const slept = realClock.sleep(2 ** 31 + 1000, stop.signal);
    const first = await Promise.race([
      slept.then(() => 'the long one'),
      realClock.sleep(5).then(() => 'the short one'),
    ]);
    stop.abort();
    await expect(slept).rejects.toThrow('aborted');
    process.off('warning', onWarning);
    expect(first).toBe('the short one');
    expect(warnings).not.toContain('TimeoutOverflowWarning');
  });
});
