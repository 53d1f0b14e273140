import { describe, expect, it } from 'vitest';
import { retryAfterSeconds } from './faults.ts';

const now = Date.parse('Wed, 21 Oct 2026 07:28:00 GMT');
const read = (headers: Record<string, string>, delay: string | null = null) =>
  retryAfterSeconds(headers, delay, now);

describe('retryAfterSeconds', () => {
  it.each<[Record<string, string>, number | null]>([
    [{ 'retry-after': '12' }, 12],
    [{ 'retry-after': ' 0 ' }, 0],
    [{ 'retry-after': '1.5' }, 1.5],
    [{ 'retry-after': '86400' }, 86_400],
    [{ 'retry-after-ms': '250' }, 0.25],
    [{ 'retry-after-ms': '250', 'retry-after': '1' }, 0.25],
    [{ 'retry-after-ms': 'soon', 'retry-after': '1' }, 1],
    [{ 'retry-after': 'Wed, 21 Oct 2026 07:30:00 GMT' }, 120],
    [{ 'retry-after': 'Wednesday, 21-Oct-26 07:30:00 GMT' }, 120],
    [{ 'retry-after': 'Wed, 21 Oct 2026 07:27:00 GMT' }, 0],
    [{ 'retry-after': '-1' }, null],
    [{ 'retry-after': 'later' }, null],
    [{ 'retry-after': '' }, null],
    [{}, null],
  ])('%j: %s', (headers, expected) => {
    expect(read(headers)).toBe(expected);
  });

  it.each([
    ['17s', 17],
    ['0.5s', 0.5],
    ['s', null],
    ['17', null],
  ])('reads a delay of %s in the body', (delay, expected) => {
    expect(read({}, delay)).toBe(expected);
  });

  it('lets the header go before the body, and does without either', () => {
    expect(read({ 'retry-after': '3' }, '17s')).toBe(3);
    expect(retryAfterSeconds(undefined)).toBeNull();
  });
});
