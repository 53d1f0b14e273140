import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { exportBundle, importBundle } from './bundle.ts';
import { ResponseCache } from './response-cache.ts';
import { RunFile } from './run-file.ts';

let folder: string;
let umask: number;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'krisis-private-'));
  umask = process.umask(0o022);
});
afterEach(() => {
  process.umask(umask);
  rmSync(folder, { recursive: true });
});

/** The modes of the files in the folder. */
const modes = () =>
  Object.fromEntries(
    readdirSync(folder).map((name) => [name, (statSync(join(folder, name)).mode & 0o777).toString(8)]),
  );

describe.skipIf(process.platform === 'win32')('a file of a protected run', () => {
  const write = (sensitivity: 'protected' | 'public') => {
    const file = RunFile.write(join(folder, 'run.db'), { isPrivate: sensitivity === 'protected' });
    file.setManifest({ sensitivity, model: 'm' });
    return file;
  };

  it('can be read by its owner only, as can the files beside it', () => {
    const file = write('protected');
    expect(Object.keys(modes())).toEqual(
      expect.arrayContaining(['run.db', 'run.db-wal', 'run.db-shm', 'run.db.lock']),
    );
    expect(new Set(Object.values(modes()))).toEqual(new Set(['600']));
    file.close();
  });

  it('is not written where others can put a file of theirs in its place', () => {
    chmodSync(folder, 0o777);
    expect(() => write('protected')).toThrow(expect.objectContaining({ code: 'ERR_FILE_NOT_PRIVATE' }));
    expect(readdirSync(folder)).toEqual([]);
    // The sticky bit keeps others from replacing our files.
    chmodSync(folder, 0o1777);
    write('protected').close();
  });

  it('is not written to a log that another user can read', () => {
    writeFileSync(join(folder, 'run.db-wal'), '', { mode: 0o666 });
    chmodSync(join(folder, 'run.db-wal'), 0o666);
    expect(() => write('protected')).toThrow(expect.objectContaining({ code: 'ERR_FILE_NOT_PRIVATE' }));
  });

  it('stays so in a bundle, and when it is imported', () => {
    write('protected').close();
    exportBundle(join(folder, 'run.db'), join(folder, 'run.krisis'), { withFeatures: true, force: false });
    importBundle(join(folder, 'run.krisis'), join(folder, 'runs'), { force: false });
    expect(modes()['run.krisis']).toBe('600');
    expect((statSync(join(folder, 'runs/run.db')).mode & 0o777).toString(8)).toBe('600');
  });

  it('follows the umask when the data are public', () => {
    const file = write('public');
    file.close();
    exportBundle(join(folder, 'run.db'), join(folder, 'run.krisis'), { withFeatures: false, force: false });
    expect(modes()).toEqual({ 'run.db': '644', 'run.db.lock': '644', 'run.krisis': '644' });
  });

  it('and the cache, whatever is in it', () => {
    const cache = ResponseCache.open(join(folder, 'cache.db'));
    expect(Object.values(modes())).toEqual(['600', '600', '600']);
    cache.close();
  });
});

describe('the key of a protected run', () => {
  it('is in no bundle, and a copy that is continued gets another', () => {
    const path = join(folder, 'run.db');
    const file = RunFile.write(path, { isPrivate: true });
    file.setManifest({ sensitivity: 'protected', model: 'm' });
    const hash = file.textHash('Zoltan');
    file.close();
    const same = RunFile.read(path);
    expect(same.textHash('Zoltan')).toBe(hash);
    same.close();
    const bundle = join(folder, 'run.krisis');
    exportBundle(path, bundle, { withFeatures: true, force: false });
    const copy = RunFile.write(bundle);
    const other = copy.textHash('Zoltan');
    copy.close();
    expect(other).not.toBe(hash);
    const unkeyed = RunFile.inMemory();
    expect(unkeyed.textHash('Zoltan')).not.toBe(other);
    unkeyed.close();
  });
});
