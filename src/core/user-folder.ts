import { randomBytes } from 'node:crypto';
import { linkSync, lstatSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { KrisisError } from './errors.ts';
import { isPrivate, PRIVATE_FOLDER_MODE, PRIVATE_MODE } from './file-owner.ts';

const SECRET_BYTES = 32;

/**
 * The folder for what belongs to the user rather than to a project, such as keys and confirmed configs: `KRISIS_CONFIG_DIR`, or `krisis` in the configuration folder of the platform.
 */
export function userFolder(env: NodeJS.ProcessEnv = process.env): string {
  if (env.KRISIS_CONFIG_DIR) return env.KRISIS_CONFIG_DIR;
  if (process.platform === 'win32' && env.APPDATA) return join(env.APPDATA, 'krisis');
  return join(env.XDG_CONFIG_HOME || join(homedir(), '.config'), 'krisis');
}

/** The path of a file in the user's folder, which is created where it is missing. */
export function userFile(name: string): string {
  const folder = userFolder();
  mkdirSync(folder, { recursive: true, mode: PRIVATE_FOLDER_MODE });
  return join(folder, name);
}

/**
 * A random secret of this user, created on first use. Processes that start at the same time end up with the same one.
 *
 * @throws KrisisError when another user can read or owns the file.
 */
export function userSecret(name: string): Buffer {
  const path = userFile(name);
  const existing = readSecret(path);
  if (existing !== null) return existing;
  const temporary = `${path}.${randomBytes(8).toString('hex')}.tmp`;
  writeFileSync(temporary, `${randomBytes(SECRET_BYTES).toString('hex')}\n`, {
    flag: 'wx',
    mode: PRIVATE_MODE,
  });
  try {
    linkSync(temporary, path);
  } catch (error) {
    // Another process created it in the meantime.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(temporary, { force: true });
  }
  return readSecret(path)!;
}

function readSecret(path: string): Buffer | null {
  let stats: ReturnType<typeof lstatSync>;
  try {
    stats = lstatSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  const secret = isPrivate(stats) ? readFileSync(path, 'utf8').trim() : '';
  if (!/^[0-9a-f]{64}$/.test(secret))
    throw new KrisisError(
      `${path}: expected a key that only you can read (owned by you, mode 0600); remove the file to get a new one`,
      { code: 'ERR_USER_SECRET', value: path },
    );
  return Buffer.from(secret, 'hex');
}
