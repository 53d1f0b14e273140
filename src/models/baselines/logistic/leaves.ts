import type { FeatureValue } from '../../../core/index.ts';

/**
 * The values of an object by name; of an object inside it, by `outer > inner`. Lists stay whole.
 *
 * @example
 * ```ts
 * [...leavesOf({ age: 61, urine: { ph: 6, visits: [1, 2] } })]
 * // => [['age', 61], ['urine > ph', 6], ['urine > visits', [1, 2]]]
 * ```
 */
export function leavesOf(object: { readonly [name: string]: FeatureValue }): Map<string, FeatureValue> {
  return new Map(
    Object.entries(object).flatMap(([name, value]): [string, FeatureValue][] =>
      isObject(value)
        ? [...leavesOf(value)].map(([inner, leaf]) => [`${name} > ${inner}`, leaf])
        : [[name, value]],
    ),
  );
}

export function isObject(
  value: FeatureValue | undefined,
): value is { readonly [name: string]: FeatureValue } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isList(value: FeatureValue | undefined): value is readonly FeatureValue[] {
  return Array.isArray(value);
}

/** The value as a number; null where it is not a finite number. */
export function numberOf(value: FeatureValue | undefined): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}
