import { describe, expect, it } from 'vitest';
import { Places } from './concurrency-limit.ts';

const round = (places: Places): number => {
  const { limit } = places;
  for (let i = 0; i < limit; i++) places.clean();
  return places.limit;
};
const rounds = (places: Places, n: number) => Array.from({ length: n }, () => round(places));

describe('a fixed number of places', () => {
  it('stays', () => {
    const places = new Places(3);
    expect(rounds(places, 5)).toEqual([3, 3, 3, 3, 3]);
    places.cut(0);
    expect(places.limit).toBe(3);
  });

  it('is free until it is full', () => {
    const places = new Places(2);
    places.take();
    expect(places.isFree).toBe(true);
    places.take();
    expect(places.isFree).toBe(false);
    places.giveBack();
    expect([places.isFree, places.inFlight]).toEqual([true, 1]);
  });
});

describe('auto', () => {
  it('doubles with every clean round, up to 64', () => {
    const places = new Places('auto');
    expect(places.limit).toBe(8);
    expect(rounds(places, 5)).toEqual([16, 32, 64, 64, 64]);
  });

  it('halves when refused; then half of the way back, slowly when near, and faster again beyond', () => {
    const places = new Places('auto');
    rounds(places, 2);
    places.cut(0);
    expect(places.limit).toBe(16);
    expect(rounds(places, 12)).toEqual([24, 28, 30, 31, 32, 33, 34, 36, 40, 48, 64, 64]);
  });

  it('halves at most once in a second', () => {
    const places = new Places('auto');
    const limits = [0, 999, 1000, 1001, 2000].map((now) => {
      places.cut(now);
      return places.limit;
    });
    expect(limits).toEqual([4, 4, 2, 2, 1]);
  });

  it('never goes below 1, and comes back from there', () => {
    const places = new Places('auto');
    for (let now = 0; now < 10_000; now += 1000) places.cut(now);
    expect(places.limit).toBe(1);
    expect(rounds(places, 3)).toEqual([2, 3, 5]);
  });

  it('begins its round again after a refusal', () => {
    const places = new Places('auto');
    for (let i = 0; i < 7; i++) places.clean();
    places.cut(0);
    for (let i = 0; i < 3; i++) places.clean();
    expect(places.limit).toBe(4);
    places.clean();
    expect(places.limit).toBe(6);
  });

  it('lets nobody in while more are under way than fit', () => {
    const places = new Places('auto');
    for (let i = 0; i < 6; i++) places.take();
    places.cut(0);
    const isFree = [6, 5, 4].map(() => {
      const { isFree } = places;
      places.giveBack();
      return isFree;
    });
    expect(isFree).toEqual([false, false, false]);
    expect(places.isFree).toBe(true);
  });
});
