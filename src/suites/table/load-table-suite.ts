import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { parse } from 'yaml';
import { KrisisError } from '../../core/index.ts';
import type { Suite } from '../suite.ts';
import { checkDefinition, unknownKeys } from './check-definition.ts';
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
  const found = await readYaml(path);
  const source = { where: path, spell: snakeCase, keys: [...SNAKE_KEYS.keys()] };
  if (typeof found !== 'object' || found === null || Array.isArray(found)) {
    throw new KrisisError(`${path}: expected keys and values: ${source.keys.join(', ')}`, {
      code: 'ERR_SUITE_DEFINITION',
      value: found,
    });
  }
  const unknown = Object.keys(found).filter((key) => !SNAKE_KEYS.has(key));
  if (unknown.length > 0)
    throw new KrisisError(`${path}: ${unknownKeys(unknown, source.keys)}`, {
      code: 'ERR_SUITE_DEFINITION',
      value: unknown,
    });
  const definition = Object.fromEntries(
    Object.entries(found).map(([key, value]) => [SNAKE_KEYS.get(key)!, value]),
  );
  return suiteFrom({ ...checkDefinition(definition, source), folder: resolve(dirname(path)) });
}

async function readYaml(path: string): Promise<unknown> {
  const text = await readFile(path, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    const why =
      cause.code === 'ENOENT' ? 'no such file' : cause.code === 'EISDIR' ? 'it is a folder' : cause.code;
    throw new KrisisError(`${path}: ${why}; expected the YAML file of a table suite`, {
      code: 'ERR_FILE_UNREADABLE',
      value: path,
      cause,
    });
  });
  try {
    return parse(text);
  } catch (cause) {
    throw new KrisisError(`${path}: not YAML: ${(cause as Error).message.split('\n')[0]}`, {
      code: 'ERR_SUITE_DEFINITION',
      cause,
    });
  }
}

function snakeCase(key: string): string {
  return key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
