import { expect, it } from 'vitest';
import { ROW_STATES } from '../core/states.ts';
import { type Progress, ProgressCounter } from './progress.ts';

it('counts every row once, whatever its state, and reports every change', () => {
  const seen: Progress[] = [];
  const counter = new ProgressCounter(10, 3, (progress) => seen.push(progress));
  for (const state of ROW_STATES) counter.row({ state });
  expect(counter.current).toMatchObject({
    total: 10,
    done: 9,
    answered: 1,
    abstained: 1,
    invalid: 2,
    failed: 2,
  });
  expect(seen.map(({ done }) => done)).toEqual([4, 5, 6, 7, 8, 9]);
});

it('counts calls in flight, and waits by their reason', () => {
  const counter = new ProgressCounter(10, 0);
  counter.flight(8);
  counter.flight(2);
  counter.flight(-8);
  counter.wait(0, 'rate_limit');
  counter.wait(2, 'turn');
  counter.wait(1, 'network');
  expect(counter.current).toMatchObject({ inFlight: 2, rateLimits: 1, waitedSeconds: 3 });
});
