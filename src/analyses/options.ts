import { z } from 'zod';

/** An option between 0 and 1, without its ends. */
export function share(description: string) {
  const expected = 'a number between 0 and 1, such as 0.05 or 0.9';
  return z
    .number()
    .gt(0)
    .lt(1)
    .optional()
    .meta({ description, placeholder: 'share', expected, type: 'number' });
}

/** An option that is a whole number from `min` to `max`; `flag` is its name on the command line, if that is another. */
export function whole(
  description: string,
  { min = 0, max, flag }: { readonly min?: number; readonly max?: number; readonly flag?: string } = {},
) {
  const expected = `a whole number${max === undefined ? `, ${min} or more` : ` from ${min} to ${max}`}`;
  return z
    .int()
    .min(min)
    .max(max ?? Number.MAX_SAFE_INTEGER)
    .optional()
    .meta({ description, placeholder: 'n', expected, type: 'number', flag });
}

/** An option that is a name. */
export function named(description: string, placeholder = 'name') {
  return z.string().min(1).optional().meta({ description, placeholder, expected: 'a name', type: 'text' });
}

/** An option that is on or off; off unless stated. */
export function onOff(description: string) {
  return z.boolean().optional().meta({ description, expected: 'true or false', type: 'switch' });
}

/** The options of a schema among others. */
export function optionsIn<S extends z.ZodObject>(schema: S, given: object): z.infer<S> {
  return Object.fromEntries(Object.entries(given).filter(([name]) => name in schema.shape)) as z.infer<S>;
}
