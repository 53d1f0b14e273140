import { parse } from 'yaml';
import { type ErrorCode, KrisisError, readRegularFile, whyUnreadable } from '../core/index.ts';

/** What a YAML or JSON text holds. JSON is YAML, too. */
export function parseYaml(text: string, where: string, code: ErrorCode = 'ERR_RUBRIC_INVALID'): unknown {
  try {
    return parse(text);
  } catch (cause) {
    throw new KrisisError(`${where}: not YAML: ${(cause as Error).message.split('\n')[0]}`, {
      code,
      cause,
    });
  }
}

/** The text of a file, or an error that says what was expected there. */
export async function readText(path: string, expected: string): Promise<string> {
  try {
    return (await readRegularFile(path)).toString('utf8');
  } catch (cause) {
    throw new KrisisError(`${path}: ${whyUnreadable(cause)}; expected ${expected}`, {
      code: 'ERR_FILE_UNREADABLE',
      value: path,
      cause,
    });
  }
}
