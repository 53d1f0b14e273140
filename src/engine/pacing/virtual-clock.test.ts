import { describe, expect, it } from 'vitest';
import { createVirtualClock } from '../../../test/virtual-clock.ts';

describe('the virtual clock', () => {
  it('wakes everybody at their time, in order, whatever the order they fell asleep in', async () => {
    const clock = createVirtualClock();
    const woken: [string, number][] = [];
    const sleeper = async (name: string, ...naps: number[]) => {
      for (const nap of naps) {
        await clock.sleep(nap);
        woken.push([name, clock.now()]);
      }
    };
    await clock.run(Promise.all([sleeper('a', 50, 50), sleeper('b', 30, 60), sleeper('c', 50)]));
    expect(woken).toEqual([
      ['b', 30],
      ['a', 50],
      ['c', 50],
      ['b', 90],
      ['a', 100],
    ]);
  });

  it('wakes at whole ticks, if asked', async () => {
    const clock = createVirtualClock({ tick: 1 });
    await clock.run(clock.sleep(0.3).then(() => clock.sleep(1.2)));
    expect(clock.now()).toBe(3);
  });

  it('forgets a sleeper that was aborted', async () => {
    const clock = createVirtualClock();
    const stop = new AbortController();
    const slept = clock.sleep(1000, stop.signal);
    stop.abort(new Error('stop'));
    await expect(clock.run(slept)).rejects.toThrow('stop');
    await expect(clock.sleep(1, stop.signal)).rejects.toThrow('stop');
    expect([clock.now(), clock.nSleeping]).toEqual([0, 0]);
  });

  it('says so when nothing can happen any more', async () => {
    const clock = createVirtualClock();
    await expect(clock.run(new Promise(() => {}))).rejects.toThrow('nobody sleeps');
  });
});
