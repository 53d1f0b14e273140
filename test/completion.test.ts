import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from './engine-fixture.ts';
import { krisis } from './krisis.ts';

const folder = temporaryFolder();
afterAll(folder.remove);
mkdirSync(folder.file('.krisis/runs'), { recursive: true });
writeFileSync(folder.file('.krisis/runs/ckd-staging_m_0.db'), '');
const env = { PATH: process.env.PATH, HOME: process.env.HOME };

/** What `krisis complete` offers for the last of these words. */
async function offered(...words: string[]) {
  const { code, stdout, stderr } = await krisis(['complete', '--', ...words], { cwd: folder.path, env });
  expect([code, stderr]).toEqual([0, '']);
  const lines = stdout.trimEnd().split('\n');
  return { directive: lines.at(-1), values: lines.slice(0, -1).map((line) => line.split('\t')[0]) };
}

describe('completion', () => {
  it.each<[string[], string[]]>([
    [['ru'], ['run', 'runs']],
    [['runs', 'ex'], ['export']],
    [['run', '--mod'], ['--model']],
    [['run', 'ckd/s'], ['ckd/staging']],
    [
      ['run', 'open/'],
      ['open/clinical', 'open/bcl2'],
    ],
    [['run', '-m', 'simulated/c'], ['simulated/careful']],
    [['run', '--model', 'simulated/careful,baseline/maj'], ['simulated/careful,baseline/majority']],
    [['run', '--model', 'anthropic/claude-sonnet-4-5'], ['anthropic/claude-sonnet-4-5']],
    [
      ['run', '--bundle', ''],
      ['default', 'extended'],
    ],
    [
      ['report', ''],
      ['latest', 'ckd-staging_m_0'],
    ],
    [['report', 'latest', '--format', 'ht'], ['html']],
    [['compare', 'latest', 'ckd'], ['ckd-staging_m_0']],
    [['completion', 'z'], ['zsh']],
    [['help', 'conf'], ['conformance']],
  ])('of %j is %j', async (words, values) => {
    expect(await offered(...words)).toEqual({ values, directive: ':4' });
  });

  it('leaves file names to the shell', async () => {
    expect(await offered('score', 'ans')).toEqual({ values: [], directive: ':0' });
  });

  it('runs no config: pressing a key must not execute code of the folder', async () => {
    writeFileSync(folder.file('krisis.config.mjs'), `import fs from 'node:fs'; fs.writeFileSync('ran', '');`);
    await offered('run', '');
    expect(existsSync(folder.file('ran'))).toBe(false);
  });

  it('prints a script for three shells', async () => {
    for (const shell of ['bash', 'zsh', 'fish'])
      expect((await krisis(['completion', shell])).stdout).toContain('krisis complete --');
    const { code, stderr } = await krisis(['completion', 'tcsh']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('Allowed choices are bash, zsh, fish')]);
  });
});

describe.skipIf(!existsSync('/bin/bash'))('the script in a real bash', () => {
  /** What bash would offer after these words; the script is sourced twice, as a shell in a shell does. */
  function inBash(...words: string[]) {
    const quoted = words.map((word) => `'${word}'`).join(' ');
    const { stdout, stderr } = spawnSync(
      '/bin/bash',
      [
        '--norc',
        '-c',
        `krisis() { "$NODE" "$BIN" "$@"; }
        source <(krisis completion bash); source <(krisis completion bash)
        compopt() { :; }
        COMP_WORDS=(krisis ${quoted}); COMP_CWORD=${words.length}
        __krisis_complete
        printf '%s\\n' "\${COMPREPLY[@]}"
        complete -p krisis`,
      ],
      {
        cwd: folder.path,
        encoding: 'utf8',
        env: { ...env, NODE: process.execPath, BIN: resolve('bin/krisis.js') },
      },
    );
    expect(stderr).toBe('');
    return stdout.trimEnd().split('\n');
  }

  it('completes commands, options, suites, models and runs', () => {
    const registered = 'complete -o default -F __krisis_complete krisis';
    expect(inBash('ru')).toEqual(['run', 'runs', registered]);
    expect(inBash('run', '--mod')).toEqual(['--model', registered]);
    expect(inBash('run', 'ckd/')).toEqual(['ckd/detection', 'ckd/staging', 'ckd/progression', registered]);
    expect(inBash('run', '--model', 'simulated/c')).toEqual(['simulated/careful', registered]);
    expect(inBash('report', '')).toEqual(['latest', 'ckd-staging_m_0', registered]);
  });

  it('runs nothing that was only typed', () => {
    inBash('report', '$(touch ran)', '');
    expect(existsSync(folder.file('ran'))).toBe(false);
  });
});
