import { snakeKeys } from '../core/codec.ts';

/** Inputs or parameters of a reference case; a wrong type there shows as a failed case. */
// biome-ignore lint/suspicious/noExplicitAny: the file's own signatures say what each function takes
export type CaseValues = Record<string, any>;

/** A reference function that takes named inputs. */
export type CaseFunction = (inputs: CaseValues, params: CaseValues) => unknown;

/** A result under the names of the file. */
export function snake(result: object | null): object | null {
  return result && snakeKeys(result);
}

/** An object with each value changed. */
export function mapValues<T, U>(
  object: Readonly<Record<string, T>>,
  change: (value: T) => U,
): Record<string, U> {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value)]));
}
