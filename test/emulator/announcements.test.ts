import { describe, expect, it } from 'vitest';
import { createAnnouncements } from './announcements.ts';

describe('announcements', () => {
  it('call early what comes after a wait was announced and before it is over', () => {
    const { announce, isEarly } = createAnnouncements({});
    expect(isEarly(5)).toBe(false);
    announce(10, 100);
    expect([10, 10.1, 99.9, 100].map(isEarly)).toEqual([false, true, true, false]);
  });

  it('hold everybody to the latest moment', () => {
    const { announce, isEarly } = createAnnouncements({});
    announce(10, 100);
    announce(11, 50);
    expect([60, 100].map(isEarly)).toEqual([true, false]);
  });

  it('leave the time that is granted at both ends', () => {
    const { announce, isEarly } = createAnnouncements({ noticeMs: 5, graceMs: 2 });
    announce(10, 100);
    // Another one does not make the first unknown again.
    announce(20, 100);
    expect([14, 16, 21, 97, 98].map(isEarly)).toEqual([false, true, true, true, false]);
  });
});
