import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { userFolder, userSecret } from './user-folder.ts';

let folder: string;
let before: string | undefined;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'krisis-user-'));
  before = process.env.KRISIS_CONFIG_DIR;
  process.env.KRISIS_CONFIG_DIR = join(folder, 'config');
});
afterEach(() => {
  if (before === undefined) delete process.env.KRISIS_CONFIG_DIR;
  else process.env.KRISIS_CONFIG_DIR = before;
  rmSync(folder, { recursive: true });
});

describe('the folder of the user', () => {
  it('follows KRISIS_CONFIG_DIR, then XDG_CONFIG_HOME', () => {
    expect(userFolder({ KRISIS_CONFIG_DIR: '/a', XDG_CONFIG_HOME: '/b' })).toBe('/a');
    expect(userFolder({ XDG_CONFIG_HOME: '/b' })).toBe(join('/b', 'krisis'));
  });
});

describe('a secret of the user', () => {
  it('is created once, with nothing left beside it', () => {
    const secret = userSecret('cache.key');
    expect(secret).toHaveLength(32);
    expect(userSecret('cache.key')).toEqual(secret);
    expect(userSecret('other.key')).not.toEqual(secret);
    expect(readdirSync(userFolder()).sort()).toEqual(['cache.key', 'other.key']);
  });

  it.skipIf(process.platform === 'win32')('is readable by the user only', () => {
    userSecret('cache.key');
    expect(statSync(userFolder()).mode & 0o777).toBe(0o700);
    expect(statSync(join(userFolder(), 'cache.key')).mode & 0o777).toBe(0o600);
  });

  it.skipIf(process.platform === 'win32')('is refused where others can read it', () => {
    userSecret('cache.key');
    chmodSync(join(userFolder(), 'cache.key'), 0o644);
    expect(() => userSecret('cache.key')).toThrow(expect.objectContaining({ code: 'ERR_USER_SECRET' }));
  });

  it('is refused where the file holds something else', () => {
    userSecret('cache.key');
    writeFileSync(join(userFolder(), 'cache.key'), 'short');
    expect(() => userSecret('cache.key')).toThrow('remove the file to get a new one');
  });
});
