import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, linkSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from '../../test/engine-fixture.ts';
import { KrisisError } from '../core/errors.ts';
import { WriterLock } from './writer-lock.ts';

const folder = temporaryFolder();
afterAll(folder.remove);

/** Another process that holds the lock until it is killed. It keeps a reference: without one it may be garbage-collected, and released. */
async function holder(path: string) {
  const source = `
    const { WriterLock } = await import(${JSON.stringify(resolve('src/store/writer-lock.ts'))});
    globalThis.lock = WriterLock.take(${JSON.stringify(path)});
    console.log('held');
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', source], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  return async () => {
    child.kill('SIGKILL');
    await once(child, 'exit');
  };
}

describe('WriterLock', () => {
  it('lets in one writer at a time', () => {
    const path = folder.file('one.db');
    const lock = WriterLock.take(path);
    expect(WriterLock.isHeld(path)).toBe(true);
    expect(() => WriterLock.take(path)).toThrow(KrisisError);
    expect(() => WriterLock.take(path)).toThrow(expect.objectContaining({ code: 'ERR_RUN_BUSY' }));
    lock.release();
    expect(WriterLock.isHeld(path)).toBe(false);
    WriterLock.take(path).release();
  });

  it('holds against another process, and not against one that was killed', async () => {
    const path = folder.file('dead.db');
    const kill = await holder(path);
    expect(WriterLock.isHeld(path)).toBe(true);
    expect(() => WriterLock.take(path)).toThrow('another process is writing this run');
    await kill();
    expect(WriterLock.isHeld(path)).toBe(false);
    WriterLock.take(path).release();
  });

  it.each([
    ['a symbolic link', symlinkSync],
    ['a hard link', linkSync],
  ])('is shared by both names of a file: %s', (_, link) => {
    const [path, other] = [folder.file(`${link.name}.db`), folder.file(`${link.name}-other.db`)];
    writeFileSync(path, '');
    const early = WriterLock.take(path);
    link(path, other);
    expect(() => WriterLock.take(other)).toThrow(expect.objectContaining({ code: 'ERR_RUN_BUSY' }));
    expect(WriterLock.isHeld(other)).toBe(true);
    early.release();
    const late = WriterLock.take(other);
    expect(() => WriterLock.take(path)).toThrow(expect.objectContaining({ code: 'ERR_RUN_BUSY' }));
    late.release();
    WriterLock.take(path).release();
  });

  it('is refused where rows are in the log of another name, or names are out of sight', () => {
    const [path, other] = [folder.file('logged.db'), folder.file('unlogged.db')];
    writeFileSync(path, '');
    linkSync(path, other);
    writeFileSync(`${path}-wal`, 'rows');
    expect(() => WriterLock.take(other)).toThrow(/last written by that name/);
    WriterLock.take(path).release();
    mkdirSync(folder.file('elsewhere'));
    linkSync(path, folder.file('elsewhere/far.db'));
    expect(() => WriterLock.take(path)).toThrow(/hard link/);
  });

  it('is not held where there never was one, and looking leaves no trace', () => {
    const path = folder.file('nobody.db');
    expect(WriterLock.isHeld(path)).toBe(false);
    expect(existsSync(`${path}.lock`)).toBe(false);
  });

  it('cannot be taken where nothing can be written', () => {
    expect(() => WriterLock.take(folder.file('no-such-folder/x.db'))).toThrow('cannot be written');
  });
});
