import { readFileSync } from 'node:fs';
import { checkRegularFile, KrisisError, whyUnreadable } from '../core/index.ts';
import { type Exclusions, parseExclusions } from '../suites/index.ts';

/** The list of `--exclude`; undefined without one. */
export function exclusionList(path: string | undefined): Exclusions | undefined {
  if (path === undefined) return undefined;
  let text: string;
  try {
    checkRegularFile(path);
    text = readFileSync(path, 'utf8');
  } catch (cause) {
    throw new KrisisError(`${path}: ${whyUnreadable(cause as NodeJS.ErrnoException)}`, {
      code: 'ERR_EXCLUSIONS',
      value: path,
      cause,
    });
  }
  return parseExclusions(text, path);
}
