import { describe, expect, it } from 'vitest';
import { ConcurrencyLimit } from './concurrency-limit.ts';

const round = (places: ConcurrencyLimit): number => {
  const { limit } = places;
  for (let i = 0; i < limit; i++) places.success();
  return places.limit;
};
const rounds = (places: ConcurrencyLimit, n: number) => Array.from({ length: n }, () => round(places));

describe('a fixed number of places', () => {
  it('stays', () => {
    const places = new ConcurrencyLimit(3);
    expect(rounds(places, 5)).toEqual([3, 3, 3, 3, 3]);
    places.cut(0);
    expect(places.limit).toBe(3);
  });

  it('is free until it is full', () => {
    const places = new ConcurrencyLimit(2);
    places.acquire();
    expect(places.isFree).toBe(true);
    places.acquire();
    expect(places.isFree).toBe(false);
    places.release();
    expect([places.isFree, places.inFlight]).toEqual([true, 1]);
  });
});

describe('auto', () => {
  it('doubles with every clean round, up to 64', () => {
    const places = new ConcurrencyLimit('auto');
    expect(places.limit).toBe(8);
    expect(rounds(places, 5)).toEqual([16, 32, 64, 64, 64]);
  });

  it('halves when refused; then half of the way back, slowly when near, and faster again beyond', () => {
    const places = new ConcurrencyLimit('auto');
    rounds(places, 2);
    places.cut(0);
    expect(places.limit).toBe(16);
    expect(rounds(places, 12)).toEqual([24, 28, 30, 31, 32, 33, 34, 36, 40, 48, 64, 64]);
  });

  it('halves at most once in a second', () => {
    const places = new ConcurrencyLimit('auto');
    const limits = [0, 999, 1000, 1001, 2000].map((now) => {
      places.cut(now);
      return places.limit;
    });
    expect(limits).toEqual([4, 4, 2, 2, 1]);
  });

  it('never goes below 1, and comes back from there', () => {
    const places = new ConcurrencyLimit('auto');
    for (let now = 0; now < 10_000; now += 1000) places.cut(now);
    expect(places.limit).toBe(1);
    expect(rounds(places, 3)).toEqual([2, 3, 5]);
  });

  it('begins its round again after a refusal', () => {
    const places = new ConcurrencyLimit('auto');
    for (let i = 0; i < 7; i++) places.success();
    places.cut(0);
    for (let i = 0; i < 3; i++) places.success();
    expect(places.limit).toBe(4);
    places.success();
    expect(places.limit).toBe(6);
  });

  it('has no room while more calls are in flight than fit', () => {
    const places = new ConcurrencyLimit('auto');
    for (let i = 0; i < 6; i++) places.acquire();
    places.cut(0);
    const isFree = [6, 5, 4].map(() => {
      const { isFree } = places;
      places.release();
      return isFree;
    });
    expect(isFree).toEqual([false, false, false]);
    expect(places.isFree).toBe(true);
  });
});
