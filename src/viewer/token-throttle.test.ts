import { expect, it } from 'vitest';
import { tokenThrottle } from './token-throttle.ts';

it('makes an address wait longer after each wrong token, and no other', () => {
  let time = 1_000_000;
  const throttle = tokenThrottle(() => time);
  for (let i = 0; i < 5; i++) throttle.wrong('10.0.0.1');
  expect(throttle.secondsLeft('10.0.0.1')).toBe(0);
  throttle.wrong('10.0.0.1');
  expect(throttle.secondsLeft('10.0.0.1')).toBe(1);
  expect(throttle.secondsLeft('10.0.0.2')).toBe(0);
  time += 1000;
  expect(throttle.secondsLeft('10.0.0.1')).toBe(0);
  for (const seconds of [2, 4, 8]) {
    throttle.wrong('10.0.0.1');
    expect(throttle.secondsLeft('10.0.0.1')).toBe(seconds);
    time += seconds * 1000;
  }
  for (let i = 0; i < 20; i++) throttle.wrong('10.0.0.1');
  expect(throttle.secondsLeft('10.0.0.1')).toBe(300);
});

it('forgets mistakes after an hour', () => {
  let time = 0;
  const throttle = tokenThrottle(() => time);
  for (let i = 0; i < 10; i++) throttle.wrong('a');
  time += 2 * 60 * 60_000;
  throttle.wrong('a');
  expect(throttle.secondsLeft('a')).toBe(0);
});
