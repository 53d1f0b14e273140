import { z } from 'zod';
import {
  checked,
  duration as durationOf,
  list as listOf,
  namesIn,
  numberIn,
  resamples as resamplesOf,
} from './options/option.ts';

/** Readers of option values: each says what it expected. */
export const wholeNumber = (minimum: number) =>
  numberBy(z.int().min(minimum), `a whole number, ${minimum} or more`);
export const shareBetween0And1 = numberBy(
  z.number().gt(0).lt(1),
  'a number between 0 and 1, such as 0.05 or 0.9',
);
export const shareUpTo1 = numberBy(z.number().min(0).max(1), 'a number from 0 to 1');

/** Seconds, typed as 90, 90s, 15m, 26h or 2d. */
export function duration(typed: string): number {
  const spec = durationOf('', '');
  return checked(spec, spec.read?.(typed, undefined));
}

/** A number of bootstrap resamples. */
export function resamples(typed: string): number {
  return checked(resamplesOf('', ''), numberIn(typed));
}

/** `a,b,c`; may be given several times. */
export function list(typed: string, previous: readonly string[] | undefined): readonly string[] {
  return checked(listOf('', ''), namesIn(typed, previous));
}

function numberBy(schema: z.ZodType<number>, expected: string) {
  return (typed: string): number => checked({ schema, expected }, numberIn(typed));
}
