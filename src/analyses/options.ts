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

/** An option that is a whole number, 0 or more. */
export function whole(description: string) {
  return z
    .int()
    .min(0)
    .optional()
    .meta({ description, placeholder: 'n', expected: 'a whole number, 0 or more', type: 'number' });
}

/** An option that is a name. */
export function named(description: string) {
  return z
    .string()
    .min(1)
    .optional()
    .meta({ description, placeholder: 'name', expected: 'a name', type: 'text' });
}

/** The options of a schema among others. */
export function optionsIn<S extends z.ZodObject>(schema: S, given: object): z.infer<S> {
  return Object.fromEntries(Object.entries(given).filter(([name]) => name in schema.shape)) as z.infer<S>;
}
