import { describe, expect, it } from 'vitest';
import { retryAfter } from './retry-after.ts';

const NOW = Date.UTC(2030, 0, 1, 0, 0, 0, 250);

describe('retry-after', () => {
  it('is in whole seconds, rounded up', () => {
    const { headers, seconds, until } = retryAfter('seconds', 1.2, NOW);
    expect([headers, seconds, until(NOW)]).toEqual([{ 'retry-after': '2' }, 2, NOW + 2000]);
  });

  it('is in milliseconds', () => {
    const { headers, seconds, until } = retryAfter('ms', 0.0312, NOW);
    expect([headers, seconds, until(NOW)]).toEqual([{ 'retry-after-ms': '32' }, 0.032, NOW + 32]);
  });

  it('is a date, which does not depend on when it is sent', () => {
    const { headers, seconds, until } = retryAfter('date', 3, NOW);
    expect(headers).toEqual({ 'retry-after': 'Tue, 01 Jan 2030 00:00:04 GMT' });
    expect([seconds, until(NOW + 99)]).toEqual([3.75, Date.UTC(2030, 0, 1, 0, 0, 4)]);
  });
});
