/** The JSON documents that commands print. Each has a JSON Schema in `docs/schemas`, which the document names. */
export type DocumentName =
  | 'analysis'
  | 'bulk'
  | 'cache'
  | 'check'
  | 'comparison'
  | 'conformance'
  | 'import'
  | 'judge'
  | 'list'
  | 'note'
  | 'plan'
  | 'removed'
  | 'report'
  | 'review'
  | 'run'
  | 'score'
  | 'verify'
  | 'workers';

/** Where schemas are published, with the site. */
const SCHEMAS = 'https://krisis-owner.github.io/schemas';

/**
 * The address by which a document names its schema.
 *
 * @example
 * ```ts
 * schemaAddress('run') // => 'https://krisis-owner.github.io/schemas/run.json'
 * ```
 */
export function schemaAddress(name: DocumentName): string {
  return `${SCHEMAS}/${name}.json`;
}

/** A document that names its schema first. */
export function withSchema<T extends object>(
  name: DocumentName,
  document: T,
): { readonly $schema: string } & T {
  return { $schema: schemaAddress(name), ...document };
}
