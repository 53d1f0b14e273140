import { z } from 'zod';
import { KrisisError } from '../core/errors.ts';

/** Options of a suite by name, as its domain declares them. */
export type SuiteOptions = Readonly<Record<string, unknown>>;

/** One option of a domain's suites or of a command, declared once: its owner checks it, and the command line makes its flag and its line of help from it. */
export interface SuiteOption<T = unknown> {
  /** As a command line writes it: `--n-records <n>`. */
  readonly flags: string;
  readonly description: string;
  readonly schema: z.ZodType<T>;
  /** How the message for a wrong value ends: `expected a whole number, 1 or more`. */
  readonly expected: string;
  /** How typed text becomes a value; a switch has none. */
  readonly type: 'text' | 'number' | 'switch';
}

/** The error for an option, or a combination of options, that makes no suite. */
export function optionError(message: string, value?: unknown): KrisisError {
  return new KrisisError(message, { code: 'ERR_SUITE_OPTION', value });
}

/** Any text: a name, a path, an address. */
export function text(flags: string, description: string): SuiteOption<string> {
  return { flags, description, schema: z.string(), expected: 'text', type: 'text' };
}

/** One of a few names. */
export function choice<const T extends readonly string[]>(
  flags: string,
  description: string,
  names: T,
): SuiteOption<T[number]> {
  return { flags, description, schema: z.enum(names), expected: `one of ${names.join(', ')}`, type: 'text' };
}

/** A whole number of at least `min`. */
export function whole(flags: string, description: string, min: number): SuiteOption<number> {
  const expected = `a whole number, ${min} or more`;
  return { flags, description, schema: z.int().min(min), expected, type: 'number' };
}

/** A number within limits that the schema and `expected` state. */
export function number(
  flags: string,
  description: string,
  schema: z.ZodType<number>,
  expected: string,
): SuiteOption<number> {
  return { flags, description, schema, expected, type: 'number' };
}

/** On or off: `--json`, `--no-cache`. */
export function toggle(flags: string, description: string): SuiteOption<boolean> {
  return { flags, description, schema: z.boolean(), expected: 'true or false', type: 'switch' };
}

/** Options that every domain has. */
export const N_RECORDS = whole('--n-records <n>', 'evaluation cases of the cohort (default: 1000)', 1);
export const TEST_SIZE = number(
  '--test-size <share>',
  'share of patients to evaluate (default: 0.2)',
  z.number().gt(0).max(1),
  'a number above 0, at most 1',
);

/** Refuses a value that its option does not allow. Options that are not declared are the registry's concern. */
export function checkOptions(
  suite: string,
  declared: Readonly<Record<string, SuiteOption>>,
  given: SuiteOptions,
): void {
  for (const [name, { schema, expected }] of Object.entries(declared)) {
    const value = given[name];
    if (value === undefined || schema.safeParse(value).success) continue;
    throw optionError(`${suite}: ${name} is ${JSON.stringify(value)}; expected ${expected}`, value);
  }
}
