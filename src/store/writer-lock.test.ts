import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from '../../test/engine-fixture.ts';
import { KrisisError } from '../core/krisis-error.ts';
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

  it('is not held where there never was one, and looking leaves no trace', () => {
    const path = folder.file('nobody.db');
    expect(WriterLock.isHeld(path)).toBe(false);
    expect(existsSync(`${path}.lock`)).toBe(false);
  });

  it('cannot be taken where nothing can be written', () => {
    expect(() => WriterLock.take(folder.file('no-such-folder/x.db'))).toThrow('cannot be written');
  });
});
