import { describe, expect, it } from 'vitest';
import { TokenBucket } from './pacer.ts';

/** 100 tokens in a second, 1000 in the bucket. */
const begun = () => {
  const bucket = new TokenBucket(6000);
  bucket.take(500, 0);
  return bucket;
};

describe('tokens per minute', () => {
  it('lets the first call pass, whatever its size, and begins empty', () => {
    const bucket = new TokenBucket(6000);
    expect(bucket.wait(1e6, 0)).toBe(0);
    bucket.take(1e6, 0);
    expect(bucket.wait(100, 0)).toBe(1000);
  });

  it('fills evenly', () => {
    const bucket = begun();
    expect(bucket.wait(300, 1000)).toBeCloseTo(2000);
    expect(bucket.wait(300, 3000)).toBe(0);
    bucket.take(300, 3000);
    expect(bucket.wait(50, 3000)).toBeCloseTo(500);
  });

  it('holds what ten seconds bring, not more', () => {
    const bucket = begun();
    bucket.take(900, 60_000);
    expect(bucket.wait(200, 60_000)).toBeCloseTo(1000);
  });

  it('lets a call that is larger than the bucket pass when it is full, into debt', () => {
    const bucket = begun();
    expect(bucket.wait(3000, 4000)).toBeCloseTo(6000);
    expect(bucket.wait(3000, 10_000)).toBe(0);
    bucket.take(3000, 10_000);
    expect(bucket.wait(100, 10_000)).toBeCloseTo(21_000);
  });

  it('is corrected by what a call really took: less gives back, more is owed', () => {
    const bucket = begun();
    bucket.correct(500, 300);
    expect(bucket.wait(200, 0)).toBe(0);
    bucket.correct(0, 400);
    expect(bucket.wait(100, 0)).toBeCloseTo(3000);
  });

  it('is not overfilled by a correction', () => {
    const bucket = begun();
    bucket.correct(50_000, 0);
    bucket.take(1000, 0);
    expect(bucket.wait(100, 0)).toBeCloseTo(1000);
  });
});
