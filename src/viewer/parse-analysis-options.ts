import type { z } from 'zod';
import { analysisOptionsSchema } from '../analyses/registry.ts';
import { KrisisError } from '../core/errors.ts';
import type { ReadRunOptions } from '../runs/read-options.ts';

/** The options of each analysis by name. */
const OPTIONS = new Map(
  Object.entries(analysisOptionsSchema.shape).flatMap(([id, options]) =>
    Object.entries(options.unwrap().shape).map(
      ([name, schema]) => [`${id}.${name}` as string, { id, name, schema: schema as z.ZodType }] as const,
    ),
  ),
);

/**
 * The options of analyses in an address: `threshold.risk=0.1`. `others` are further keys that the address has.
 *
 * @throws KrisisError for an unknown name or an impossible value.
 */
export function parseAnalysisOptions(
  query: URLSearchParams,
  others: readonly string[] = [],
): Pick<ReadRunOptions, 'analyses'> {
  const analyses: Record<string, Record<string, unknown>> = {};
  for (const [key, text] of query) {
    if (others.includes(key)) continue;
    const { id, name, schema } =
      OPTIONS.get(key) ??
      refuse(key, `there is no such option; available: ${[...OPTIONS.keys()].join(', ')}`);
    const { expected, type } = schema.meta() ?? {};
    const parsed = schema.safeParse(READ[type as keyof typeof READ](text));
    if (!parsed.success) refuse(key, `${JSON.stringify(text)}; expected ${expected}`);
    analyses[id] = { ...analyses[id], [name]: parsed.data };
  }
  return Object.keys(analyses).length === 0 ? {} : { analyses };
}

/** How a text becomes a value of each type of option; one that cannot be read is left to the schema. */
const READ = {
  text: (text: string) => text,
  number: (text: string) => (text.trim() === '' ? text : Number(text)),
  switch: (text: string) => (/^(true|false)$/.test(text) ? text === 'true' : text),
};

function refuse(key: string, why: string): never {
  throw new KrisisError(`${key}: ${why}`, { code: 'ERR_RECORD_FILTER_INVALID', value: key });
}
