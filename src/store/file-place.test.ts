import { renameSync, rmSync, statSync } from 'node:fs';
import { afterAll, expect, it } from 'vitest';
import { temporaryFolder } from '../../test/engine-fixture.ts';
import { isWriteFailure, notWritable } from './file-errors.ts';
import { RunFile } from './run-file.ts';

const folder = temporaryFolder();
afterAll(folder.remove);

const code = (name: string) => expect.objectContaining({ code: name });

it.each([
  ['deleted', (path: string) => rmSync(path)],
  ['renamed', (path: string) => renameSync(path, `${path}.other`)],
])('a run file that is %s is missed, and what it held is saved', (how, take) => {
  const path = folder.file(`${how}.db`);
  const file = RunFile.write(path);
  file.events.add('started', { n: 1 });
  take(path);
  expect(() => file.setManifest({ status: 'complete' })).toThrow(code('ERR_RUN_FILE_GONE'));
  expect(() => file.close()).toThrow(/saved as .*\.saved\.db/);
  const saved = RunFile.read(folder.file(`${how}.saved.db`));
  expect(saved.events.read()).toMatchObject([{ kind: 'started', data: { n: 1 } }]);
  saved.close();
});

it.skipIf(process.platform === 'win32')('what a protected run held is saved for its owner only', () => {
  const file = RunFile.write(folder.file('secret.db'), { isPrivate: true });
  rmSync(folder.file('secret.db'));
  expect(() => file.close()).toThrow(/saved as/);
  expect(statSync(folder.file('secret.saved.db')).mode & 0o777).toBe(0o600);
});

it('a place where no run file can be made is named', () => {
  expect(() => RunFile.write('/dev/null/folder/run.db')).toThrow(code('ERR_RUN_FILE'));
});

it('a disk that is full or failing while a run is written is another kind of error', () => {
  const full = Object.assign(new Error('database or disk is full'), { errcode: 13 });
  expect(isWriteFailure(full)).toBe(true);
  expect(notWritable('a.db', full)).toEqual(code('ERR_RUN_FILE_WRITE'));
});
