/** A class name as people write it: readable strings or integers; booleans are read as 0 and 1. */
export type Label = string | number | boolean;

/** The normalised form in which labels are compared. */
export type LabelKey = string | number;

const INTEGER = /^[+-]?[0-9]+$/;

/**
 * The comparable form of a label: a boolean is 0 or 1, a number is itself (never truncated), a string is trimmed and
 * lower-cased, and becomes an integer when it is written as one.
 *
 * @example
 * ```ts
 * labelKey(' G3a ') // => 'g3a'
 * labelKey('2') // => 2
 * labelKey(true) // => 1
 * labelKey(3.7) // => 3.7
 * ```
 */
export function labelKey(label: Label): LabelKey {
  if (typeof label === 'boolean') return label ? 1 : 0;
  if (typeof label === 'number') return label === 0 ? 0 : label; // -0 is 0
  const text = label.trim().toLowerCase();
  if (!INTEGER.test(text)) return text;
  const integer = Number(text);
  // Beyond 2^53 two different codes would round to the same number.
  return Number.isSafeInteger(integer) ? (integer === 0 ? 0 : integer) : text;
}

/**
 * Whether two labels name the same class.
 *
 * @example
 * ```ts
 * sameLabel('Present', 'present ') // => true
 * sameLabel(3, 3.7) // => false
 * ```
 */
export function sameLabel(a: Label, b: Label): boolean {
  return a === b || labelKey(a) === labelKey(b);
}

/** Whether a label holds no answer: null, undefined, or nothing but white space. */
export function isBlank(label: Label | null | undefined): boolean {
  return label === null || label === undefined || (typeof label === 'string' && label.trim() === '');
}
