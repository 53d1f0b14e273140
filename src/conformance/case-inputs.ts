import { clinicalError } from '../domains/domain.ts';

/** Named inputs of a reference case. */
export type Inputs = Readonly<Record<string, unknown>>;

/** Clinical functions under their conformance names: snake_case, a list for a list and a single value for a single value. A missing input gives null; an impossible one is an error. */
export type ClinicalFunctions = Readonly<Record<string, (inputs: Inputs, params: Inputs) => unknown>>;

/**
 * Calls `compute` once, or once per element when any of the named inputs is a list; single values are then used for
 * every element.
 *
 * @example
 * ```ts
 * elementwise({ a: 2 }, ['a'], (one) => one.a * 10) // => 20
 * elementwise({ a: [1, 2], b: 3 }, ['a', 'b'], (one) => one.a * one.b) // => [3, 6]
 * ```
 */
export function elementwise<T>(
  inputs: Inputs,
  names: readonly string[],
  compute: (one: Record<string, unknown>) => T,
): T | T[] {
  const lengths = new Map<string, number>();
  for (const name of names) {
    const value = inputs[name];
    if (Array.isArray(value)) lengths.set(name, value.length);
  }
  const at = (i: number) =>
    Object.fromEntries(
      names.map((name) => {
        const value = inputs[name];
        return [name, Array.isArray(value) ? value[i] : value];
      }),
    );
  if (lengths.size === 0) return compute(at(0));
  const [first, ...others] = new Set(lengths.values());
  if (others.length > 0) {
    const found = [...lengths].map(([name, length]) => `${name} has ${length}`).join(', ');
    throw clinicalError(`lists of different lengths: ${found}`, Object.fromEntries(lengths));
  }
  return Array.from({ length: first! }, (_, i) => compute(at(i)));
}

/**
 * A number, or null when there is none.
 *
 * @example
 * ```ts
 * numberOrNull({ age: 50 }, 'age') // => 50
 * numberOrNull({}, 'age') // => null
 * ```
 */
export function numberOrNull(inputs: Inputs, name: string): number | null {
  const value = inputs[name];
  if (value === null || value === undefined) return null;
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  throw clinicalError(`${name} is ${JSON.stringify(value)}; expected a number or null`, value);
}

/** True, false, or null where it is not known. */
export function booleanOrNull(inputs: Inputs, name: string): boolean | null {
  const value = inputs[name] ?? null;
  if (value === null || typeof value === 'boolean') return value;
  throw clinicalError(`${name} is ${JSON.stringify(value)}; expected true, false or null`, value);
}

/** An object, or null when there is none. */
export function objectOrNull(inputs: Inputs, name: string): Inputs | null {
  const value = inputs[name] ?? null;
  if (value === null) return null;
  if (typeof value === 'object' && !Array.isArray(value)) return value as Inputs;
  throw clinicalError(`${name} is ${JSON.stringify(value)}; expected an object`, value);
}

/**
 * All numbers of an input that may be one value or a list; missing ones are left out.
 *
 * @example
 * ```ts
 * numbers({ fpg: [130, null, 128] }, 'fpg') // => [130, 128]
 * numbers({ fpg: 130 }, 'fpg') // => [130]
 * ```
 */
export function numbers(inputs: Inputs, name: string): number[] {
  const value = inputs[name];
  return (Array.isArray(value) ? value : [value])
    .map((item: unknown) => numberOrNull({ [name]: item }, name))
    .filter((item) => item !== null);
}

/**
 * One of a set of codes in any letter case, or null when there is none.
 *
 * @example
 * ```ts
 * oneOf({ g: 'g3A' }, 'g', ['G3a', 'G3b']) // => 'G3a'
 * ```
 */
export function oneOf<T extends string>(inputs: Inputs, name: string, codes: readonly T[]): T | null {
  const value = inputs[name];
  if (value === null || value === undefined) return null;
  const word = String(value).trim().toLowerCase();
  const found = codes.find((code) => code.toLowerCase() === word);
  if (found !== undefined) return found;
  throw clinicalError(`${name} is ${JSON.stringify(value)}; expected one of ${codes.join(', ')}`, value);
}

/**
 * A quantity that may be given in one of two units: the two values, at most one of which is not null.
 *
 * @example
 * ```ts
 * eitherOf({ umol: 90 }, 'mg', 'umol') // => [null, 90]
 * ```
 */
export function eitherOf(inputs: Inputs, first: string, second: string): [number | null, number | null] {
  const values: [number | null, number | null] = [numberOrNull(inputs, first), numberOrNull(inputs, second)];
  if (values[0] === null || values[1] === null) return values;
  throw clinicalError(`both ${first} and ${second} are given; expected one of them`, values);
}

/**
 * Calls `compute` with the two numbers of a pair, or with each pair of a list. Null where a number is missing.
 *
 * @example
 * ```ts
 * eachPair({ bp: [120, 80] }, 'bp', (a, b) => a - b) // => 40
 * eachPair({ bp: [[120, 80], [110, null]] }, 'bp', (a, b) => a - b) // => [40, null]
 * ```
 */
export function eachPair<T>(
  inputs: Inputs,
  name: string,
  compute: (first: number, second: number) => T,
): T | null | (T | null)[] {
  const value = inputs[name];
  if (Array.isArray(value) && (value.length === 0 || value.some((item) => Array.isArray(item)))) {
    return value.map((item: unknown) => onePair(item, name, compute));
  }
  return onePair(value, name, compute);
}

function onePair<T>(value: unknown, name: string, compute: (first: number, second: number) => T): T | null {
  if (value === null || value === undefined) return null;
  if (!Array.isArray(value) || value.length !== 2) {
    throw clinicalError(
      `${name} has ${JSON.stringify(value)}; expected a pair of numbers or a list of pairs`,
      value,
    );
  }
  const [first, second] = value.map((item: unknown) => numberOrNull({ [name]: item }, name));
  return first == null || second == null ? null : compute(first, second);
}

/**
 * Derives something from a value that may be missing.
 *
 * @example
 * ```ts
 * ifMeasured(2, (value) => value * 10) // => 20
 * ifMeasured(null, (value) => value * 10) // => null
 * ```
 */
export function ifMeasured<V, T>(value: V | null, derive: (value: V) => T): T | null {
  return value === null ? null : derive(value);
}
