import { afterAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../test/engine-fixture.ts';
import { openProviderWaits, PROCESS_WAITS } from './provider-waits.ts';

const folder = temporaryFolder();
afterAll(folder.remove);

describe('waits that a provider asked for', () => {
  it('are shared by all callers, and only the latest counts', () => {
    const path = folder.file('waits.db');
    const [mine, yours] = [openProviderWaits(path), openProviderWaits(path)];
    mine.waitUntil('api.example:443', 2000.5);
    mine.waitUntil('api.example:443', 1000);
    expect([yours.notBefore('api.example:443'), yours.notBefore('other')]).toEqual([2000.5, 0]);
    mine.close();
    yours.close();
  });

  it('are shared within a process that writes no files', () => {
    PROCESS_WAITS.waitUntil('a.test', 2000);
    PROCESS_WAITS.waitUntil('a.test', 1000);
    expect([PROCESS_WAITS.notBefore('a.test'), PROCESS_WAITS.notBefore('b.test')]).toEqual([2000, 0]);
  });
});
