import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { watchedFolders } from '../src/cli/watch.ts';
import { startEmulator } from './emulator/server.ts';
import { temporaryFolder } from './engine-fixture.ts';
import { krisis } from './krisis.ts';

const folder = temporaryFolder();
afterAll(folder.remove);
const started: ChildProcess[] = [];
afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL');
});

/** Starts the command and gives a function that waits until its output has a text again. */
function start(args: readonly string[], env: NodeJS.ProcessEnv) {
  const child = spawn(process.execPath, [resolve('bin/krisis.js'), ...args], {
    cwd: folder.path,
    env: { ...process.env, ...env, NO_COLOR: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  started.push(child);
  let output = '';
  let read = 0;
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  const until = async (text: string) => {
    while (output.indexOf(text, read) < 0) {
      if (child.exitCode !== null) throw new Error(`ended before "${text}":\n${output}`);
      await new Promise((later) => setTimeout(later, 25));
    }
    const end = output.indexOf(text, read) + text.length;
    const part = output.slice(read, end);
    read = end;
    return part;
  };
  return { child, until };
}

const WATCHING = 'watching for changes';

describe('krisis run --watch', () => {
  it('runs again on changes, with cached replies, survives a broken file, and ends with the last exit code', async () => {
    const suite = folder.file('suite.yaml');
    copyFileSync('examples/table-suite/suite.yaml', suite);
    copyFileSync('examples/table-suite/sodium.csv', folder.file('sodium.csv'));
    const yaml = readFileSync(suite, 'utf8');
    const emulator = await startEmulator({ record: true });
    const { child, until } = start(
      ['run', 'suite.yaml', '--watch', '--model', 'openai-compatible/m', '--limit', '5', '--bootstrap', '0'],
      { OPENAI_COMPATIBLE_BASE_URL: `${emulator.url}/v1` },
    );
    expect(await until(WATCHING)).toContain('openai-compatible/m');
    const { length: asked } = emulator.requests;
    expect(asked).toBeGreaterThanOrEqual(5);

    // Another name makes another run, of the same prompts.
    writeFileSync(suite, yaml.replace('name: examples/sodium', 'name: examples/renamed'));
    await until('changed: suite.yaml');
    expect(await until(WATCHING)).toContain('examples/renamed');
    expect(emulator.requests.length).toBe(asked);

    writeFileSync(suite, yaml.replace('label: diagnosis', 'label: diagnosi'));
    await until('changed: suite.yaml');
    expect(await until(WATCHING)).toContain('diagnosi');
    child.kill('SIGINT');
    const [code] = await once(child, 'close');
    expect(code).toBe(2);
    expect(emulator.requests.length).toBe(asked);
    await emulator.close();
  }, 60_000);

  it('refuses a run file', async () => {
    const { code, stderr } = await krisis(['run', '--watch', '--run', 'x.db'], { cwd: folder.path });
    expect([code, stderr]).toEqual([2, expect.stringContaining('leave --run out')]);
  });
});

it('watches the folders of config, suite and table', () => {
  writeFileSync(folder.file('far.yaml'), 'name: x\nfile: "data/rows.csv" # elsewhere\n');
  expect(watchedFolders(folder.file('far.yaml'), folder.file('conf/krisis.config.ts'))).toEqual([
    join(folder.path, 'conf'),
    folder.path,
    join(folder.path, 'data'),
  ]);
  expect(watchedFolders('ckd/staging', undefined)).toEqual([process.cwd()]);
});
