import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { run } from '../src/engine/run.ts';
import { recordsOf, response, scriptedBackend, suiteOf, temporaryFolder } from './engine-fixture.ts';
import { krisis } from './krisis.ts';

const folder = temporaryFolder();
afterAll(folder.remove);
const isRoot = process.getuid?.() === 0;
const OTHER_USER = 12_345;
/** What the model wrote about a protected record. */
const TEXT = 'nurse in her sixties';

let nRuns = 0;
/** A folder with one protected run that kept the model's text. */
async function protectedRun(): Promise<string> {
  const root = folder.file(`root-${nRuns++}`);
  mkdirSync(join(root, 'runs'), { recursive: true });
  const backend = scriptedBackend(({ ids }) => [...ids].map(() => response({ rawResponse: TEXT })));
  const suite = suiteOf(recordsOf('ab'), { sensitivity: 'protected' });
  await run({ suite, backend, path: join(root, 'runs', 'kept.db'), keepText: true });
  return root;
}

/** The files below a folder that hold the text, the runs themselves left out. */
function filesWithText(root: string): string[] {
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.endsWith('/runs'))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => readFileSync(path, 'latin1').includes(TEXT));
}

/** Runs a script in a process that is killed where the script calls `die()`. */
function killed(script: string): void {
  const source = (path: string) => JSON.stringify(pathToFileURL(path).href);
  const code = `
    import { readAppFiles } from ${source('src/viewer/app-files.ts')};
    import { exportSite } from ${source('src/viewer/export-site.ts')};
    import { viewedRuns } from ${source('src/viewer/viewed-runs.ts')};
    import { stageBeside } from ${source('src/store/staging.ts')};
    import { writeFileSync } from 'node:fs';
    const die = () => process.kill(process.pid, 'SIGKILL');
    ${script}`;
  const { signal, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', code], {
    encoding: 'utf8',
  });
  expect(signal, stderr).toBe('SIGKILL');
}

describe('an export that was killed', () => {
  it('leaves no text once another export has been written', async () => {
    const root = await protectedRun();
    const [runs, site] = [join(root, 'runs'), join(root, 'site')];
    const view = (...more: string[]) => krisis(['view', runs, '--export', site, ...more]);
    expect((await view()).code).toBe(0);
    killed(`exportSite({
      runs: viewedRuns({ folder: ${JSON.stringify(runs)} }),
      appFiles: readAppFiles('dist-web'),
      out: ${JSON.stringify(site)},
      krisisVersion: '1', includeText: true, force: true,
      onProgress: ({ what }) => { if (what === 'pages') die(); },
    });`);
    const [left] = filesWithText(root);
    expect(left).toMatch(/\/\.site\.partial-[0-9a-f]{16}\//);
    const staging = left!.slice(0, left!.indexOf('/', left!.indexOf('.partial-')));
    expect([dirname(staging), statSync(staging).mode & 0o777]).toEqual([root, 0o700]);
    const again = await view('--force');
    expect(again.code, again.stderr).toBe(0);
    expect(filesWithText(root)).toEqual([]);
    expect(readdirSync(root).sort()).toEqual(['runs', 'site']);
  });

  it('with text is a folder of its owner only, and text is gone when it is replaced by one without', async () => {
    const root = await protectedRun();
    const site = join(root, 'site');
    const view = (...more: string[]) => krisis(['view', join(root, 'runs'), '--export', site, ...more]);
    expect((await view('--include-text')).code).toBe(0);
    expect([statSync(site).mode & 0o777, filesWithText(root).length > 0]).toEqual([0o700, true]);
    chmodSync(site, 0o755);
    expect((await view('--include-text', '--force')).code).toBe(0);
    expect(statSync(site).mode & 0o777).toBe(0o700);
    expect((await view('--force')).code).toBe(0);
    expect(filesWithText(root)).toEqual([]);
  });

  it.runIf(isRoot)('with text is not written into a folder of another user', async () => {
    const root = await protectedRun();
    const site = join(root, 'site');
    mkdirSync(site);
    chownSync(site, OTHER_USER, OTHER_USER);
    const args = ['view', join(root, 'runs'), '--export', site];
    const { code, stderr } = await krisis([...args, '--include-text']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('belongs to another user')]);
    expect([readdirSync(site), filesWithText(root)]).toEqual([[], []]);
    expect((await krisis(args)).code).toBe(0);
  });

  it('inside the target is removed, and one that is being written is refused', async () => {
    const root = await protectedRun();
    const site = join(root, 'site');
    const view = (...more: string[]) => krisis(['view', join(root, 'runs'), '--export', site, ...more]);
    expect((await view()).code).toBe(0);
    killed(
      `writeFileSync(stageBeside(${JSON.stringify(join(site, 'x'))}).path, ${JSON.stringify(TEXT)}); die();`,
    );
    expect(filesWithText(root)).toHaveLength(1);
    expect((await view('--force')).code).toBe(0);
    expect(filesWithText(root)).toEqual([]);
    mkdirSync(join(site, '.partial-4711'));
    const { code, stderr } = await view('--force');
    expect([code, stderr]).toEqual([2, expect.stringContaining('holds .partial-4711, an unfinished export')]);
  });

  it('of a bundle leaves nothing once another bundle has been written', async () => {
    const root = await protectedRun();
    const target = join(root, 'b.krisis');
    killed(`writeFileSync(stageBeside(${JSON.stringify(target)}).path, ${JSON.stringify(TEXT)}); die();`);
    const { code, stderr } = await krisis(['runs', 'export', join(root, 'runs', 'kept.db'), '-o', target]);
    expect(code, stderr).toBe(0);
    expect(readdirSync(root).sort()).toEqual(['b.krisis', 'runs']);
  });
});

it.skipIf(process.platform === 'win32')('bundles print file names without escape sequences', async () => {
  const root = await protectedRun();
  const target = '\u001b[31mred\u0007.krisis';
  const exported = await krisis(['runs', 'export', 'runs/kept.db', '-o', target], { cwd: root });
  const imported = await krisis(['runs', 'import', target], { cwd: root });
  expect([exported.code, imported.code]).toEqual([0, 0]);
  for (const { stdout, stderr } of [exported, imported])
    for (const character of ['\u001b', '\u0007']) expect(stdout + stderr).not.toContain(character);
});

describe.skipIf(process.platform === 'win32')('a protected run', () => {
  const suite = suiteOf(recordsOf('ab'), { sensitivity: 'protected' });
  const backend = scriptedBackend(({ ids }) => [...ids].map(() => response({ rawResponse: TEXT })));
  let n = 0;
  const attempt = async (prepare: (path: string) => void) => {
    const root = folder.file(`shared-${n++}`);
    mkdirSync(root);
    const path = join(root, 'p.db');
    prepare(path);
    const before = readdirSync(root);
    const error = await run({ suite, backend, path, keepText: true }).catch((caught: unknown) => caught);
    expect(readdirSync(root)).toEqual(before);
    return error;
  };

  it.each(['', '-wal', '-shm', '-journal', '.lock'])(
    'is refused where others can open a file of its name: p.db%s',
    async (end) => {
      const error = await attempt((path) => {
        writeFileSync(`${path}${end}`, '');
        chmodSync(`${path}${end}`, 0o666);
      });
      expect(error).toMatchObject({ code: 'ERR_FILE_NOT_PRIVATE' });
      expect((error as Error).message).toMatch(new RegExp(`chmod 600 .*p\\.db${end}$`));
    },
  );

  it.runIf(isRoot).each(['', '-wal', '.lock'])(
    'is refused where another user owns a file of its name: p.db%s',
    async (end) => {
      const error = await attempt((path) => {
        writeFileSync(`${path}${end}`, '', { mode: 0o600 });
        chownSync(`${path}${end}`, OTHER_USER, OTHER_USER);
      });
      expect(error).toMatchObject({
        code: 'ERR_FILE_NOT_PRIVATE',
        message: expect.stringContaining('belongs to another user'),
      });
    },
  );

  it('continues in a file that its owner alone may open', async () => {
    const path = folder.file('own.db');
    writeFileSync(path, '', { mode: 0o600 });
    expect((await run({ suite, backend, path })).status).toBe('complete');
    expect((await run({ suite, backend, path })).status).toBe('complete');
  });
});

describe.skipIf(process.platform === 'win32')('a link that leads nowhere', () => {
  const small = ['--model', 'simulated/careful', '--n-records', '50', '--bootstrap', '0'];

  it.each(['', '-wal', '.lock'])(
    'is refused as --run, and creates nothing elsewhere: r.db%s',
    async (end) => {
      const cwd = folder.file(`links${end}`);
      mkdirSync(cwd);
      symlinkSync(join(cwd, 'elsewhere'), join(cwd, `r.db${end}`));
      const { code, stderr } = await krisis(['run', 'ckd/staging', ...small, '--run', 'r.db'], { cwd });
      expect([code, stderr]).toEqual([2, expect.stringContaining('a link to a file that does not exist')]);
      expect(existsSync(join(cwd, 'elsewhere'))).toBe(false);
      expect(readdirSync(cwd)).toEqual([`r.db${end}`]);
    },
  );

  it('is refused by score --save, bundle export and -o', async () => {
    const cwd = folder.file('links-o');
    mkdirSync(cwd);
    await krisis(['run', 'ckd/staging', ...small, '--run', 'a.db'], { cwd });
    writeFileSync(join(cwd, 'rows.csv'), 'prediction,ground_truth\na,a\nb,a\n');
    for (const name of ['r.db', 'b.krisis', 'o.html']) symlinkSync(join(cwd, 'elsewhere'), join(cwd, name));
    for (const args of [
      ['score', 'rows.csv', '--save', '--run', 'r.db'],
      ['runs', 'export', 'a.db', '-o', 'b.krisis'],
      ['report', 'a.db', '--format', 'html', '-o', 'o.html'],
    ])
      expect([args[0], (await krisis(args, { cwd })).code]).toEqual([args[0], 2]);
    expect(existsSync(join(cwd, 'elsewhere'))).toBe(false);
    expect(lstatSync(join(cwd, 'o.html')).isSymbolicLink()).toBe(true);
  });
});
