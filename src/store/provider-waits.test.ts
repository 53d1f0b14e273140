import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { temporaryFolder } from '../../test/engine-fixture.ts';
import { existingWaits, openProviderWaits, PROCESS_WAITS } from './provider-waits.ts';

const folder = temporaryFolder();
afterAll(folder.remove);
afterEach(() => void vi.restoreAllMocks());

const HOUR = 3_600_000;

describe('waits in a file', () => {
  it('are known to everything that opens it, and the longest counts', () => {
    const path = folder.file('waits.db');
    const [mine, yours] = [openProviderWaits(path), openProviderWaits(path)];
    mine.wait('api.example:443', 20_000);
    mine.wait('api.example:443', 1000);
    expect(yours.left('api.example:443')).toBeGreaterThan(19_000);
    expect(yours.left('other')).toBe(0);
    expect(mine.list().map(({ host }) => host)).toEqual(['api.example:443']);
    mine.close();
    yours.close();
  });

  it('are forgotten for one host or all, also by processes that know them', async () => {
    const path = folder.file('clear.db');
    const [mine, yours] = [openProviderWaits(path), openProviderWaits(path)];
    for (const host of ['a', 'b', 'c']) mine.wait(host, HOUR);
    expect(yours.left('a')).toBeGreaterThan(0);
    expect([existingWaits(path).clear('a'), existingWaits(path).clear()]).toEqual([1, 2]);
    await sleep(120);
    expect([yours.left('a'), mine.left('b')]).toEqual([0, 0]);
    expect(existingWaits(folder.file('none.db')).list()).toEqual([]);
  });

  it('end as asked when the clock is set back meanwhile, in this process and in others', async () => {
    const path = folder.file('clock.db');
    const mine = openProviderWaits(path);
    mine.wait('a', 300);
    const before = Date.now();
    vi.spyOn(Date, 'now').mockImplementation(() => before - 5 * HOUR);
    const later = openProviderWaits(path);
    expect(later.left('a')).toBeGreaterThan(0);
    expect(later.left('a')).toBeLessThanOrEqual(300);
    expect(later.list()[0]!.until.getTime() - Date.now()).toBeLessThanOrEqual(300);
    await sleep(310);
    expect([mine.left('a'), later.left('a')]).toEqual([0, 0]);
    // A new wait replaces the one from the future.
    later.wait('a', 200);
    expect(openProviderWaits(path).left('a')).toBeLessThanOrEqual(200);
  });

  it('say when they cannot be kept', () => {
    expect(() => openProviderWaits('/dev/null/waits.db')).toThrow(
      expect.objectContaining({ code: 'ERR_WAITS_FILE' }),
    );
  });
});

describe('waits in a process', () => {
  it('are shared, by host', () => {
    PROCESS_WAITS.wait('a.test', 2000);
    PROCESS_WAITS.wait('a.test', 1000);
    expect(PROCESS_WAITS.left('a.test')).toBeGreaterThan(1500);
    expect(PROCESS_WAITS.left('b.test')).toBe(0);
    expect([PROCESS_WAITS.clear(), PROCESS_WAITS.left('a.test')]).toEqual([1, 0]);
  });
});
