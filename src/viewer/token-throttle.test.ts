import { expect, it } from 'vitest';
import { tokenThrottle } from './guard.ts';

it('makes an address wait after its sixth wrong token, twice as long each time, and no other', () => {
  let time = 0;
  const throttle = tokenThrottle(() => time);
  for (let i = 0; i < 6; i++) expect(throttle.addWrong('10.0.0.1')).toBe(0);
  for (const seconds of [1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300]) {
    // What comes during the wait does not make it longer.
    expect(throttle.addWrong('10.0.0.1')).toBe(seconds);
    expect(throttle.addWrong('10.0.0.1')).toBe(seconds);
    time += seconds * 1000;
    expect(throttle.addWrong('10.0.0.1')).toBe(0);
  }
  expect(throttle.addWrong('10.0.0.2')).toBe(0);
});

it('forgets after an hour without a mistake', () => {
  let time = 0;
  const throttle = tokenThrottle(() => time);
  for (let i = 0; i < 7; i++) throttle.addWrong('a');
  time += 2 * 60 * 60_000;
  for (let i = 0; i < 6; i++) expect(throttle.addWrong('a')).toBe(0);
  expect(throttle.addWrong('a')).toBe(1);
});

it('keeps no more than 10,000 addresses', () => {
  const throttle = tokenThrottle(() => 0);
  for (let i = 0; i < 6; i++) throttle.addWrong('first');
  expect(throttle.addWrong('first')).toBe(1);
  for (let i = 0; i < 10_000; i++) throttle.addWrong(`address ${i}`);
  expect(throttle.addWrong('first')).toBe(0);
});
