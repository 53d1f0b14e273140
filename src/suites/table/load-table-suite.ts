import { dirname, resolve } from 'node:path';
import { KrisisError, snakeCase } from '../../core/index.ts';
import { parseYaml, readText } from '../../rubrics/index.ts';
import type { Suite } from '../suite.ts';
import { checkDefinition } from './check-definition.ts';
import { suiteFrom } from './define-table-suite.ts';
import { DEFINITION_KEYS } from './definition-schema.ts';

const SNAKE_KEYS = new Map(
  DEFINITION_KEYS.filter((key) => key !== 'folder').map((key) => [snakeCase(key), key]),
);

/**
 * The suite that a YAML file defines: the keys of `TableDefinition` in snake_case; paths are relative to the YAML file.
 * `const suite = await loadTableSuite('suite.yaml')`.
 *
 * @throws KrisisError when the file cannot be read or the definition is wrong; a key that is not known is refused.
 */
export async function loadTableSuite(path: string): Promise<Suite> {
  const text = await readText(path, 'the YAML file of a table suite');
  const found = parseYaml(text, path, 'ERR_SUITE_DEFINITION');
  const source = { where: path, spell: snakeCase, keys: [...SNAKE_KEYS.keys()] };
  const refuse = (what: string, value: unknown) =>
    new KrisisError(`${path}: ${what}`, { code: 'ERR_SUITE_DEFINITION', value });
  if (typeof found !== 'object' || found === null || Array.isArray(found))
    throw refuse(`expected keys and values: ${source.keys.join(', ')}`, found);
  const unknown = Object.keys(found).filter((key) => !SNAKE_KEYS.has(key));
  const definition = Object.fromEntries(
    Object.entries(found).flatMap(([key, value]) => {
      const known = SNAKE_KEYS.get(key);
      return known === undefined ? [] : [[known, value]];
    }),
  );
  return suiteFrom({ ...checkDefinition(definition, source, unknown), folder: resolve(dirname(path)) });
}
