import { randomBytes } from 'node:crypto';
import { lstatSync, readFileSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { KrisisError } from '../../core/errors.ts';
import { plain } from '../../core/plain-text.ts';
import { userFile, userFolder } from '../../core/user-folder.ts';
import type { ConfigFlags } from '../options/option.ts';
import { confirm, printMessage } from '../print.ts';

/** The configs that the user has confirmed, as a list of real paths. */
const LIST = 'trusted-configs.json';
const LIST_MODE = 0o600;
const WRITABLE_BY_OTHERS = 0o022;

/**
 * Asks once, on a terminal, before a config that is a program is run. Its path is remembered, not its content. `trustConfig`, or `KRISIS_TRUST_CONFIG=1`, runs it without asking. `isNamed`:
 * the command line names the file, rather than the folder holding it.
 */
export async function confirmProgram(
  file: string,
  name: string,
  {
    trustConfig = process.env.KRISIS_TRUST_CONFIG === '1',
    isNamed,
  }: Pick<ConfigFlags, 'trustConfig'> & { readonly isNamed: boolean },
): Promise<void> {
  const path = realpathSync(file);
  const { uid } = statSync(path);
  const isForeign = !isCurrentUser(uid);
  const what = `${plain(name)}${isNamed ? '' : ' in this folder'} is a program${isForeign ? ` of another user (uid ${uid})` : ''}`;
  const remedy = isNamed ? 'add --trust-config' : `name it: --config ${name}`;
  if (isForeign && !isNamed)
    throw notConfirmed(`${what}, and was not run. If you trust that user, ${remedy}`, path);
  if (trustConfig || (!isForeign && confirmedPaths().includes(path))) return;
  if (!process.stdin.isTTY || !process.stderr.isTTY)
    throw notConfirmed(
      `${what} and would run with your rights; it was not run. To run it, ${isNamed ? remedy : `add --trust-config, or ${remedy}`}`,
      path,
    );
  const isConfirmed = await confirm(
    `${what} and runs with your rights. Run it?`,
    process.stdin,
    process.stderr,
  );
  if (!isConfirmed) throw notConfirmed(`${plain(name)} was not run`, path);
  if (!isForeign) rememberProgram(path);
}

/** Stores that the user has confirmed a config. A failure only means that the next command asks again. */
export function rememberProgram(file: string): void {
  const path = realpathSync(file);
  const paths = confirmedPaths();
  if (paths.includes(path)) return;
  let temporary: string | null = null;
  try {
    const list = userFile(LIST);
    temporary = `${list}.${randomBytes(8).toString('hex')}.tmp`;
    const text = `${JSON.stringify([...paths, path], null, 2)}\n`;
    writeFileSync(temporary, text, { flag: 'wx', mode: LIST_MODE });
    renameSync(temporary, list);
  } catch (error) {
    if (temporary !== null) rmSync(temporary, { force: true });
    const { code } = error as NodeJS.ErrnoException;
    printMessage(`krisis: ${plain(userFolder())}: cannot be written (${code}), so you will be asked again\n`);
  }
}

/** The paths in the list. A list that another user may have written confirms nothing. */
function confirmedPaths(): readonly string[] {
  try {
    const list = join(userFolder(), LIST);
    const { uid, mode } = lstatSync(list);
    const isSafe = isCurrentUser(uid) && (process.platform === 'win32' || (mode & WRITABLE_BY_OTHERS) === 0);
    const paths: unknown = isSafe ? JSON.parse(readFileSync(list, 'utf8')) : [];
    return Array.isArray(paths) ? paths.filter((path) => typeof path === 'string') : [];
  } catch {
    return [];
  }
}

function isCurrentUser(uid: number): boolean {
  return process.getuid === undefined || uid === process.getuid();
}

function notConfirmed(message: string, path: string): KrisisError {
  return new KrisisError(message, { code: 'ERR_CONFIG_NOT_CONFIRMED', value: path });
}

/** Whether reading a config means running it. */
export function isProgram(name: string): boolean {
  return !/\.ya?ml$/i.test(name);
}
