import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { command, emulator, KEYS, MODELS, type ModelName, SMALL, type TestEmulator } from './emulated-run.ts';

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

const NAMES = Object.keys(MODELS) as ModelName[];
const KEYED = NAMES.filter((name) => MODELS[name].keyVariable !== null);

/** This machine under a name that is not a loopback address. */
const elsewhere = ({ url }: { readonly url: string }) => url.replace('127.0.0.1', '0.0.0.0');

/** A folder with a config. */
function folderWith(config: string, name = 'krisis.config.yaml'): string {
  const folder = mkdtempSync(join(tmpdir(), 'krisis-hosts-'));
  folders.push(folder);
  writeFileSync(join(folder, name), config);
  return folder;
}

const ask = (name: ModelName) => [...SMALL, '--set', 'maxRetries=0', '--model', MODELS[name].model];

/** The keys among the headers and paths of what arrived. */
async function keysAt(server: TestEmulator): Promise<readonly string[]> {
  const requests = await server.requests();
  const text = JSON.stringify(requests.map(({ path, headers }) => [path, headers]));
  expect(text).not.toContain('krisis-sends-no-key');
  return Object.values(KEYS).filter((key) => text.includes(key));
}

describe('a config found in the folder', () => {
  it.each(NAMES)('cannot send questions or keys of %s to another host', async (name) => {
    const server = await emulator();
    const cwd = folderWith(`run: { baseUrl: "${elsewhere(server)}${MODELS[name].path}" }\n`);
    const { code, stdout, stderr } = await command(ask(name), cwd);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(
      `krisis.config.yaml: run.baseUrl sends questions to ${elsewhere(server).slice(7)}`,
    );
    expect(stderr).toContain('--config krisis.config.yaml');
    expect(stderr).toContain('--base-url URL');
    expect((await server.stats()).requests).toBe(0);
  });

  it.each([
    'http://127.0.0.1@provider.invalid/v1',
    'http://127.0.0.1.provider.invalid/v1',
    'http://localhost.provider.invalid/v1',
    'http://provider.invalid\\@127.0.0.1/v1',
    'http://localhost./v1',
    'http://[::ffff:127.0.0.1]/v1',
    'http://[::]/v1',
    'http://0/v1',
    'http://api.openai.com/v1',
    'https://api.openai.com/v1',
    'file:///etc/passwd',
  ])('cannot name the address %s', async (address) => {
    const cwd = folderWith(`run: { baseUrl: '${address}' }\n`);
    const { code, stderr } = await command(
      [...ask('openai'), '--dry-run'].filter((arg) => arg !== '--json'),
      cwd,
    );
    expect([code, stderr]).toEqual([2, expect.stringContaining('run.baseUrl')]);
  });

  it.each(NAMES)('may name an address on this machine, which gets no key of %s', async (name) => {
    const server = await emulator();
    const cwd = folderWith(`run: { baseUrl: "${server.url}${MODELS[name].path}" }\n`);
    const { code, stderr } = await command(ask(name), cwd);
    expect([code, stderr]).toEqual([0, expect.stringContaining(`at ${server.url.slice(7)}`)]);
    expect((await server.stats()).requests).toBeGreaterThan(0);
    expect(await keysAt(server)).toEqual([]);
  });

  it('prints the host before the first call, and only where one is called', async () => {
    const server = await emulator({ auth: 'invalid' });
    const cwd = folderWith('{}\n');
    const flags = [...ask('openai'), '--base-url', `${server.url}/v1`];
    const { stdout, stderr } = await command(flags, cwd);
    const line = `asking openai/m at ${server.url.slice(7)}\n`;
    expect(stderr.indexOf(line)).toBeGreaterThanOrEqual(0);
    expect(stderr.indexOf(line)).toBeLessThan(stderr.indexOf('Stopped'));
    expect(JSON.parse(stdout).status).toBe('stopped');
    const local = await command([...SMALL, '--model', 'simulated/careful'], cwd);
    expect([local.code, local.stderr]).toEqual([0, expect.not.stringContaining('asking')]);
  });

  it('says that no key was sent where the server on this machine wants one', async () => {
    const server = await emulator({ auth: 'missing' });
    const cwd = folderWith(`run: { baseUrl: "${server.url}/v1" }\n`);
    const { code, stderr } = await command(ask('openai'), cwd);
    expect([code, stderr]).toEqual([3, expect.stringContaining('no key is sent to this address')]);
  });

  it("cannot choose the judge's host either", async () => {
    const server = await emulator();
    const cwd = folderWith(`run: { judgeBaseUrl: "${elsewhere(server)}/v1" }\n`);
    const flags = ['--model', 'baseline/reference', '--judge', 'openai/m', '--limit', '2'];
    const { code, stderr } = await command(['run', 'open/clinical', ...flags], cwd);
    expect([code, stderr]).toEqual([2, expect.stringContaining('run.judgeBaseUrl sends questions')]);
    expect(stderr).toContain('--set judgeBaseUrl=URL');
    const typed = [...flags, '--set', `judgeBaseUrl=${server.url}/v1`, '--set', 'maxRetries=0'];
    await command(['run', 'open/clinical', ...typed, '--run', 'r.db'], cwd);
    expect(await keysAt(server)).toEqual([KEYS.OPENAI_API_KEY]);
    await server.reset();
    const refused = await command(['judge', 'r.db', '--judge', 'openai/other'], cwd);
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('run.judgeBaseUrl')]);
    expect((await server.stats()).requests).toBe(0);
  });

  it('gives the judge no key at an address on this machine', async () => {
    const server = await emulator();
    const cwd = folderWith(`run: { judgeBaseUrl: "${server.url}/v1" }\n`);
    const flags = [
      '--model',
      'baseline/reference',
      '--judge',
      'openai/m',
      '--limit',
      '2',
      '--set',
      'maxRetries=0',
    ];
    const { stderr } = await command(['run', 'open/clinical', ...flags], cwd);
    expect(stderr).toContain(`asking openai/m at ${server.url.slice(7)}`);
    expect((await server.stats()).requests).toBeGreaterThan(0);
    expect(await keysAt(server)).toEqual([]);
  });

  it('is held to the same rules where it is a program', async () => {
    const server = await emulator();
    const config = (url: string) => `export default { run: { baseUrl: '${url}/v1' } };\n`;
    const refused = await command(
      [...ask('openai'), '--trust-config'],
      folderWith(config(elsewhere(server)), 'krisis.config.mjs'),
    );
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('run.baseUrl')]);
    const asked = await command(
      [...ask('openai'), '--trust-config'],
      folderWith(config(server.url), 'krisis.config.mjs'),
    );
    expect([asked.code, await keysAt(server)]).toEqual([0, []]);
  });
});

describe('a key goes to a host', () => {
  it.each(KEYED)('that the command line names: %s', async (name) => {
    const server = await emulator();
    const cwd = folderWith(`run: { baseUrl: "https://provider.invalid/v1" }\n`);
    const url = elsewhere(server);
    const { code, stderr } = await command([...ask(name), '--base-url', url + MODELS[name].path], cwd);
    expect([code, stderr]).toEqual([0, expect.stringContaining(`at ${url.slice(7)}`)]);
    expect(await keysAt(server)).toEqual([KEYS[MODELS[name].keyVariable!]]);
  });

  it.each(KEYED)('that a config named on the command line names: %s', async (name) => {
    const server = await emulator();
    const cwd = folderWith(`run: { baseUrl: "${elsewhere(server)}${MODELS[name].path}" }\n`);
    const { code } = await command([...ask(name), '--config', 'krisis.config.yaml'], cwd);
    expect([code, await keysAt(server)]).toEqual([0, [KEYS[MODELS[name].keyVariable!]]]);
  });

  it.each([
    ['openai', 'OPENAI_BASE_URL'],
    ['anthropic', 'ANTHROPIC_BASE_URL'],
    ['openai-compatible', 'OPENAI_COMPATIBLE_BASE_URL'],
    ['bedrock', 'AWS_ENDPOINT_URL'],
  ] as const)('that the environment names: %s, %s', async (name, variable) => {
    const server = await emulator();
    const { code } = await command(ask(name), folderWith('{}\n'), {
      [variable]: elsewhere(server) + MODELS[name].path,
    });
    expect([code, await keysAt(server)]).toEqual([0, [KEYS[MODELS[name].keyVariable!]]]);
  });
});

describe('protected data', () => {
  const suite = (cwd: string) => {
    writeFileSync(join(cwd, 'data.csv'), 'id,label,x\n1,0,Quackenbush\n2,1,other\n');
    writeFileSync(
      join(cwd, 'table.yaml'),
      'name: own/table\nfile: data.csv\nid: id\nlabel: label\nlabels: ["0", "1"]\ninstructions: Which?\n',
    );
    return ['run', 'table.yaml', '--bootstrap', '0', '--set', 'maxRetries=0'];
  };

  it('go to another host of a provider only when that host is named', async () => {
    const server = await emulator({ record: true });
    const cwd = folderWith('{}\n');
    const url = elsewhere(server);
    const flags = [...suite(cwd), '--model', 'openai/m', '--base-url', `${url}/v1`];
    for (const allowed of ['openai', 'api.openai.com', '0.0.0.0:1', 'openai,0.0.0.0:bulk']) {
      const { code, stderr } = await command([...flags, '--allow-egress', allowed], cwd);
      expect([code, stderr]).toEqual([2, expect.stringContaining(`add --allow-egress ${url.slice(7)}.`)]);
    }
    expect((await server.stats()).requests).toBe(0);
    for (const allowed of [url.slice(7), '0.0.0.0']) {
      const { code } = await command([...flags, '--allow-egress', allowed, '--new'], cwd);
      expect(code).toBe(0);
    }
    expect((await server.requests()).some(({ body }) => body!.includes('Quackenbush'))).toBe(true);
  });

  it('are not allowed to leave by a config found in the folder', async () => {
    const server = await emulator();
    const url = elsewhere(server);
    const cwd = folderWith(`allowEgress: ["${url.slice(7)}"]\n`);
    const flags = [...suite(cwd), '--model', 'openai/m', '--base-url', `${url}/v1`];
    const refused = await command(flags, cwd);
    expect([refused.code, refused.stderr]).toEqual([
      2,
      expect.stringContaining('krisis.config.yaml: allowEgress'),
    ]);
    expect(refused.stderr).toContain(`--allow-egress ${url.slice(7)}`);
    // What is typed replaces the list of the config.
    const other = await command([...flags, '--allow-egress', 'openai'], cwd);
    expect([other.code, other.stderr]).toEqual([2, expect.stringContaining('data are protected')]);
    expect((await server.stats()).requests).toBe(0);
    expect((await command([...flags, '--config', 'krisis.config.yaml'], cwd)).code).toBe(0);
  });
});
