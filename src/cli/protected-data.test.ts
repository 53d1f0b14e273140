import { expect, it } from 'vitest';
import { ProgressCounter } from '../engine/progress.ts';
import { askedAgainText } from './protected-data.ts';

it('says how many replies were asked for again, and why', () => {
  const counter = new ProgressCounter(3, 0);
  expect(askedAgainText(counter.current)).toBeNull();
  counter.askedAgain('single');
  expect(askedAgainText(counter.current)).toMatch(/^1 answer was asked for again, because .* not stored\n$/);
  counter.askedAgain('single');
  counter.askedAgain('judge');
  expect(askedAgainText(counter.current)).toMatch(/^2 answers and 1 reply of the judge were asked for again/);
});
