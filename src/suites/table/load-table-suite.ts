import { dirname, resolve } from 'node:path';
import { KrisisError, snakeCase } from '../../core/index.ts';
import { parseYaml, readText } from '../../rubrics/index.ts';
import { fileBelow } from '../file-below.ts';
import type { Suite } from '../suite.ts';
import { text } from '../suite-option.ts';
import { checkDefinition } from './check-definition.ts';
import { suiteFrom } from './define-table-suite.ts';
import { DEFINITION_KEYS } from './definition-schema.ts';

/** The options of a table suite in a YAML file. */
export const TABLE_OPTIONS = {
  data: text('--data <file>', 'read this table in place of the one that the suite file names'),
};

const SNAKE_KEYS = new Map(
  DEFINITION_KEYS.filter((key) => key !== 'folder').map((key) => [snakeCase(key), key]),
);

/**
 * The suite that a YAML file defines: the keys of `TableDefinition` in snake_case. The table has to be below the folder of the YAML file; `data` names another file in its place.
 * `const suite = await loadTableSuite('suite.yaml')`.
 *
 * @throws KrisisError when the file cannot be read or the definition is wrong; a key that is not known is refused.
 */
export async function loadTableSuite(
  path: string,
  { data }: { readonly data?: string | undefined } = {},
): Promise<Suite> {
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
  const checked = checkDefinition(definition, source, unknown);
  if (data !== undefined) return suiteFrom({ ...checked, file: data });
  const folder = resolve(dirname(path));
  return suiteFrom({ ...checked, folder }, () => fileBelow(folder, checked.file, path));
}
