import { z } from 'zod';
import { shown } from '../core/plain-text.ts';

/** The parts that definitions in files share. Every message says what was expected. */
export const words = (expected: string) => z.string({ error: expected }).trim().min(1, expected);

/** The name of a suite; `example` is one. */
export const suiteName = (example: string) =>
  z
    .string({ error: 'a name: domain/task' })
    .regex(/^[\w.-]+(\/[\w.-]+)*$/, `a name of letters, digits, - _ . and /, as in ${example}`);

export const sensitivity = z
  .enum(['synthetic', 'public', 'protected'], { error: 'synthetic, public or protected' })
  .default('protected');

/** Unknown keys keep zod's own issue, which names them; only a value that is not an object gets this message. */
export function objectError(expected: string) {
  return (issue: { readonly code?: string }) => (issue.code === 'unrecognized_keys' ? undefined : expected);
}

const MAX_PROBLEMS = 20;

/** The lines of a message that lists problems: the first 20, and how many more there are. */
export function problemLines(problems: readonly string[]): string {
  const more = problems.length - MAX_PROBLEMS;
  return [...problems.slice(0, MAX_PROBLEMS), ...(more > 0 ? [`and ${more} more problems`] : [])].join('\n');
}

/** The turns of a conversation, the last one the user's. */
export const turns = <Turn extends z.ZodType<{ role: 'user' | 'assistant'; content: string }>>(
  turn: Turn,
  expected: string,
) =>
  z
    .array(turn, { error: expected })
    .min(1, 'at least one turn')
    .refine((all) => all.at(-1)?.role === 'user', 'a last turn of the user, which the model answers');

/** The fields of a turn. */
export const turnFields = {
  role: z.enum(['user', 'assistant'], { error: 'user or assistant' }),
  content: words('what was said'),
};

/** What is at a path of an object as it was given. */
export function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (inner, part) => (inner as Record<PropertyKey, unknown> | null | undefined)?.[part],
    value,
  );
}

/** What a message says of the value at a path: what it is, and what was expected. */
export function mismatch(value: unknown, path: readonly PropertyKey[], expected: string): string {
  const given = valueAt(value, path);
  return `${given === undefined ? 'is not given' : `is ${shown(given)}`}; expected ${expected}`;
}
