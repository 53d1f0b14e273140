import { execFileSync, spawnSync } from 'node:child_process';
import {
  cpSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { commandsOf, expectSample } from './doc-samples.ts';

/** What a user gets from `npm install krisis`: packed, installed in an empty folder, and used on Node 24. */
const folder = mkdtempSync(join(tmpdir(), 'krisis-package-'));
afterAll(() => rmSync(folder, { recursive: true }));

const env = { ...process.env, PATH: `${dirname(process.execPath)}:${process.env.PATH}`, NO_COLOR: '1' };
const run = (command: string, args: string[], cwd = folder) =>
  execFileSync(command, args, { cwd, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
const bin = (name: string) => resolve('node_modules/.bin', name);
let tarball: string;

beforeAll(() => {
  // Packed from a copy: packing builds, and other tests use the pages meanwhile.
  const copy = join(folder, 'source');
  const kept = (path: string) => !/^(node_modules|dist|dist-web|\.git)$/.test(relative('.', path));
  cpSync('.', copy, { recursive: true, filter: kept });
  symlinkSync(resolve('node_modules'), join(copy, 'node_modules'));
  const [packed] = JSON.parse(
    run('npm', ['pack', '--json', '--pack-destination', folder], copy).replace(/^[^[{]*/, ''),
  ) as { filename: string }[];
  tarball = join(folder, packed!.filename);
  writeFileSync(join(folder, 'package.json'), '{"name":"user","private":true,"type":"module"}');
  const { status, stderr } = spawnSync(
    'npm',
    ['install', '--prefer-offline', '--no-audit', '--no-fund', tarball],
    { cwd: folder, env, encoding: 'utf8' },
  );
  // A warning of npm about the user's own configuration is not about the package.
  const warnings = stderr.replaceAll(/^npm warn Unknown user config .*\n/gm, '');
  expect([status, warnings]).toEqual([0, '']);
}, 300_000);

describe('the published package', () => {
  it('runs its command', () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
    expect(run(process.execPath, ['node_modules/krisis/bin/krisis.js', '--version']).trim()).toBe(version);
    run(process.execPath, ['node_modules/krisis/bin/krisis.js', 'init', 'score']);
    expect(run(process.execPath, ['node_modules/krisis/bin/krisis.js', 'score', 'answers.jsonl'])).toContain(
      'answers.jsonl: 120 cases',
    );
    expect(run(process.execPath, ['node_modules/krisis/bin/krisis.js', 'conformance'])).toMatch(
      / passed, 0 failed\n$/,
    );
  });

  it('has the documentation that its messages name', () => {
    const printed = run(process.execPath, ['node_modules/krisis/bin/krisis.js', 'check']);
    const page = /\S+your-own-data\.md/.exec(printed)![0];
    expect(page).toBe('node_modules/krisis/docs/your-own-data.md');
    expect(readFileSync(join(folder, page), 'utf8')).toMatch(/^# .*your own/);
  });

  it('has the page of the viewer, and what reads runs for it', () => {
    const krisis = (...args: string[]) =>
      run(process.execPath, ['node_modules/krisis/bin/krisis.js', ...args]);
    krisis('run', 'ckd/staging', '--model', 'simulated/careful', '--n-records', '60', '--bootstrap', '100');
    expect(krisis('view', '--export', 'exported')).toContain('1 run in exported');
    expect(readFileSync(join(folder, 'exported/index.html'), 'utf8')).toContain('app.js');
  });

  it('has the bundled suites of open questions', () => {
    const args = ['open/bcl2', '--model', 'baseline/reference', '--judge', 'baseline/lexical'];
    expect(run(process.execPath, ['node_modules/krisis/bin/krisis.js', 'run', ...args])).toContain(
      'BCL2 Coverage',
    );
  });

  it('can be imported', () => {
    writeFileSync(
      join(folder, 'use.mjs'),
      `
      import { evaluationResult } from 'krisis';
      import { accuracy } from 'krisis/metrics';
      console.log(accuracy().compute([evaluationResult({ prediction: 1, groundTruth: 1 })]).value);
    `,
    );
    expect(run(process.execPath, ['use.mjs']).trim()).toBe('1');
  });

  it.each([true, false])('has types that hold under strict, with skipLibCheck %s', (skipLibCheck) => {
    mkdirSync(join(folder, 'types'), { recursive: true });
    writeFileSync(
      join(folder, 'types/use.ts'),
      `
      import { Benchmark, defineMetric, evaluationResult, type MetricScore, type RunResult } from 'krisis';
      import { CkdSuite } from 'krisis/ckd';
      import { accuracy } from 'krisis/metrics';
      import { simulatedBackend } from 'krisis/models';
      import { sameLabel } from 'krisis/records';
      import { parseGate } from 'krisis/results';
      import { Rubric } from 'krisis/rubrics';
      import { wilsonInterval } from 'krisis/statistics';
      import { RunFile } from 'krisis/store';
      const metric = defineMetric({ name: 'm', estimate: (rows) => [...rows].length });
      export const score: MetricScore = metric.compute([evaluationResult({ groundTruth: 'a' })]);
      // @ts-expect-error a score is a number or null
      export const text: string = score.value;
      // Types of different entries are the same types.
      export const run = (backend: ReturnType<typeof simulatedBackend>) =>
        new Benchmark(new CkdSuite({ task: 'staging' }), backend, { metrics: [accuracy(), metric] });
      export const value = (result: RunResult): number | null => result.scores.accuracy!.value;
      export const all = [sameLabel, parseGate, Rubric, wilsonInterval, RunFile];
    `,
    );
    writeFileSync(
      join(folder, 'types/tsconfig.json'),
      JSON.stringify({
        compilerOptions: {
          module: 'nodenext',
          target: 'es2024',
          strict: true,
          noEmit: true,
          types: [],
          skipLibCheck,
        },
        include: ['use.ts'],
      }),
    );
    expect(run(process.execPath, [bin('tsc'), '-p', 'types'])).toBe('');
  });

  it('carries the licences of the packages that are inlined, and installs few others', () => {
    const licences = (path: string) =>
      readFileSync(join(folder, 'node_modules/krisis', path, 'THIRD-PARTY-LICENSES.txt'), 'utf8');
    for (const name of ['undici', 'commander', 'cephes']) expect(licences('dist/js')).toContain(`${name} `);
    expect(licences('dist-web')).toContain('react-dom ');
    const { packages } = JSON.parse(readFileSync(join(folder, 'node_modules/.package-lock.json'), 'utf8'));
    expect(Object.keys(packages).length).toBeLessThanOrEqual(25);
  });

  it('takes at most 50 MB', () => {
    const sizes = readdirSync(join(folder, 'node_modules'), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => lstatSync(join(parentPath, name)).size);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(50e6);
  });

  it('passes the tutorial in an empty folder', () => {
    const cwd = join(folder, 'tutorial');
    mkdirSync(cwd);
    const commands = commandsOf(readFileSync('docs/tutorial.md', 'utf8')).filter(
      // One waits for a browser, the other asks a paid model.
      ({ args }) => args[0] !== 'view' && !args.includes('--budget'),
    );
    expect(commands.length).toBeGreaterThan(6);
    const krisis = join(folder, 'node_modules/krisis/bin/krisis.js');
    for (const { args, code, sample } of commands) {
      const ended = spawnSync(process.execPath, [krisis, ...args], { cwd, env, encoding: 'utf8' });
      expect([args, ended.status], ended.stderr).toEqual([args, code]);
      if (sample !== undefined) expectSample(ended.stdout, sample, args.join(' '));
    }
  }, 120_000);

  it('says what to do on an old Node', () => {
    const source = readFileSync(join(folder, 'node_modules/krisis/bin/krisis.js'), 'utf8');
    writeFileSync(join(folder, 'old.mjs'), source.replace('process.versions.node.split', '"20.1.0".split'));
    expect(() => run(process.execPath, ['old.mjs'])).toThrow(/krisis needs Node 24 or newer/);
  });

  it('is what publint and attw expect of an ESM package', () => {
    expect(run(process.execPath, [bin('publint'), tarball, '--strict'])).toContain('All good');
    expect(
      run(process.execPath, [
        bin('attw'),
        tarball,
        '--profile',
        'esm-only',
        '--format',
        'table-flipped',
        '--no-emoji',
      ]),
    ).toContain('OK (ESM)');
  });

  it('has pages built for production, although tests set another environment', () => {
    expect(process.env.NODE_ENV).not.toBe('production');
    for (const name of ['app.js', 'review-packet.html']) {
      const page = readFileSync(join(folder, 'node_modules/krisis/dist-web', name), 'utf8');
      expect(page.includes('react.dev/link/'), name).toBe(false);
      expect(page.includes(folder), name).toBe(false);
    }
  });

  it('carries no test, no data and no source map', () => {
    const files = run('tar', ['-tzf', tarball]).split('\n');
    expect(files).toContain('package/dist/types/index.d.ts');
    expect(files.filter((name) => /\.test\.|\.map$|\.arff$|ckd_full|\/src\//.test(name))).toEqual([]);
  });
});
