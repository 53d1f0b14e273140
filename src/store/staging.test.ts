import { spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, expect, it } from 'vitest';
import { temporaryFolder } from '../../test/engine-fixture.ts';
import { removeAbandoned, stageBeside } from './staging.ts';

const folder = temporaryFolder();
afterAll(folder.remove);
let n = 0;
const newFolder = () => {
  const path = folder.file(`case-${n++}`);
  mkdirSync(path);
  return path;
};

it('is a folder of its owner only, with a name that cannot be guessed, and is gone when it is removed', () => {
  const parent = newFolder();
  const [one, other] = [stageBeside(join(parent, 'a.html')), stageBeside(join(parent, 'a.html'))];
  const names = readdirSync(parent);
  expect(names).toEqual([expect.stringMatching(/^\.a\.html\.partial-[0-9a-f]{16}$/), expect.any(String)]);
  for (const name of names) expect(statSync(join(parent, name)).mode & 0o777).toBe(0o700);
  one.remove();
  expect(existsSync(other.path.replace(/a\.html$/, ''))).toBe(true);
  other.remove();
  expect(readdirSync(parent)).toEqual([]);
});

it('takes a name as long as a file system allows', () => {
  const parent = newFolder();
  const staging = stageBeside(join(parent, '病'.repeat(85)));
  writeFileSync(staging.path, '');
  staging.remove();
  expect(readdirSync(parent)).toEqual([]);
});

it('is removed when its process was killed, not before, and no link in it is followed', async () => {
  const parent = newFolder();
  const precious = join(newFolder(), 'precious');
  mkdirSync(precious);
  writeFileSync(join(precious, 'file'), '');
  const code = `
    import { stageBeside } from ${JSON.stringify(pathToFileURL('src/store/staging.ts').href)};
    // Kept, as writers keep it: a lock that is garbage is released.
    globalThis.staging = stageBeside(${JSON.stringify(join(parent, 'x'))});
    console.log(staging.path);
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', code]);
  const path = await new Promise<string>((found) => {
    child.stdout.once('data', (chunk: Buffer) => found(String(chunk).trim()));
  });
  symlinkSync(precious, path);
  removeAbandoned(parent);
  expect(readdirSync(parent)).toHaveLength(1);
  const ended = new Promise((done) => child.once('close', done));
  child.kill('SIGKILL');
  await ended;
  stageBeside(join(parent, 'other')).remove();
  expect([readdirSync(parent), readdirSync(precious)]).toEqual([[], ['file']]);
});

it('does not get in the way of other processes that write beside the same target', async () => {
  const parent = newFolder();
  const target = JSON.stringify(join(parent, 'x'));
  const code = `
    import { renameSync, writeFileSync } from 'node:fs';
    import { stageBeside } from ${JSON.stringify(pathToFileURL('src/store/staging.ts').href)};
    for (let i = 0; i < 100; i++) {
      const staging = stageBeside(${target});
      writeFileSync(staging.path, 'whole', { flag: 'wx' });
      renameSync(staging.path, ${target});
      staging.remove();
    }`;
  const codes = await Promise.all(
    [1, 2, 3].map(() => {
      const child = spawn(process.execPath, ['--input-type=module', '-e', code], { stdio: 'inherit' });
      return new Promise((done) => child.once('close', done));
    }),
  );
  expect([codes, readdirSync(parent)]).toEqual([[0, 0, 0], ['x']]);
});

it('removes a folder whose process died before it was locked, but none that has just been created', () => {
  const parent = newFolder();
  for (const name of ['.a.starting-0123456789abcdef', '.b.starting-0123456789abcdef']) {
    mkdirSync(join(parent, name));
    writeFileSync(join(parent, name, 'lock'), '');
  }
  const anHourAgo = Date.now() / 1000 - 3600;
  utimesSync(join(parent, '.a.starting-0123456789abcdef'), anHourAgo, anHourAgo);
  removeAbandoned(parent);
  expect(readdirSync(parent)).toEqual(['.b.starting-0123456789abcdef']);
});

it('leaves folders alone that are links or have another name', () => {
  const parent = newFolder();
  const target = newFolder();
  symlinkSync(target, join(parent, '.a.partial-0123456789abcdef'));
  mkdirSync(join(parent, 'a.partial-0123456789abcdef'));
  mkdirSync(join(parent, '.a.partial-mine'));
  removeAbandoned(parent);
  expect(readdirSync(parent)).toHaveLength(3);
  expect(readdirSync(target)).toEqual([]);
  rmSync(parent, { recursive: true });
});
