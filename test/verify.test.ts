import { generateKeyPairSync } from 'node:crypto';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { krisis } from './krisis.ts';

const cwd = mkdtempSync(join(tmpdir(), 'krisis-verify-'));
afterAll(() => rmSync(cwd, { recursive: true }));
const at = (name: string) => join(cwd, name);
const inFolder = (...args: string[]) => krisis(args, { cwd });
const STAGING = [
  'run',
  'ckd/staging',
  '--n-records',
  '40',
  '--bootstrap',
  '50',
  '--model',
  'simulated/careful',
];
const QUESTIONS = ['run', 'open/bcl2', '--model', 'baseline/reference', '--judge', 'baseline/lexical'];

function writeKeys(name: string): void {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519', {
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  writeFileSync(at(`${name}.pem`), privateKey);
  writeFileSync(at(`${name}.pub`), publicKey);
}

beforeAll(async () => {
  writeKeys('ours');
  writeKeys('other');
  await inFolder(...STAGING, '--run', 'run.db');
  await inFolder(...STAGING, '--run', 'signed.db', '--sign-key', 'ours.pem');
  await inFolder(...QUESTIONS, '--run', 'open.db');
});

const verify = async (...args: string[]) => {
  const { code, stdout } = await inFolder('verify', ...args, '--json');
  return { code, runs: JSON.parse(stdout).runs as Record<string, unknown>[] };
};

function edited(from: string, sql: string): string {
  const name = `edited-${readdirSync(cwd).length}.db`;
  cpSync(at(from), at(name));
  const db = new DatabaseSync(at(name));
  db.exec(sql);
  db.close();
  return name;
}

describe('krisis verify', () => {
  it('verifies runs of labels and of open questions, with their scores, and says that the seal is not signed', async () => {
    const { code, stdout, stderr } = await inFolder('verify', 'run.db', 'open.db');
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(
      /^run\.db: verified: none of \d+ entries was changed, dropped or added\n {2}sealed 20/,
    );
    expect(stdout.match(/not signed: this shows accidents and careless edits only/g)).toHaveLength(2);
    expect(stdout.match(/the sealed scores are those of the rows/g)).toHaveLength(2);
  });

  it('names what was changed, and exits with 1', async () => {
    const name = edited('run.db', "UPDATE rows SET confidence = 1 WHERE state = 'answered'");
    const { code, stdout } = await inFolder('verify', name);
    expect(code).toBe(1);
    expect(stdout).toMatch(/CHANGED since it was written: \d+ problems/);
    expect(stdout).toMatch(/changed: row, record \d+, repeat 0, attempt 0/);
    const compared = await inFolder('compare', name, 'run.db', '--bootstrap', '0', '--json');
    expect(JSON.parse(compared.stdout).warnings[0]).toEqual({
      code: 'file_changed',
      message: expect.stringContaining('was CHANGED after it was written'),
    });
  });

  it('checks the signature', async () => {
    expect(await verify('signed.db', '--public-key', 'ours.pub')).toMatchObject({
      code: 0,
      runs: [{ verdict: 'verified', scores: 'same', seal: { signed: true } }],
    });
    expect(await verify('signed.db', '--public-key', 'other.pub')).toMatchObject({ code: 1 });
    expect(await verify('run.db', '--public-key', 'ours.pub')).toMatchObject({ code: 1 });
  });

  it('exits with 2 for what is not a run file, and with 3 for a file that cannot be verified, and checks the others', async () => {
    writeFileSync(at('not.db'), 'not a run');
    cpSync('test/fixtures/v0.1/complete.db', at('old.db'));
    expect(await verify('old.db', 'run.db')).toMatchObject({
      code: 3,
      runs: [{ verdict: 'not_chained' }, {}],
    });
    expect(await verify('not.db', 'run.db')).toMatchObject({
      code: 2,
      runs: [{ error: expect.stringContaining('not.db') }, { verdict: 'verified' }],
    });
  });

  it('refuses a key that is none, before anything is asked', async () => {
    for (const args of [
      [...STAGING, '--run', 'never.db', '--sign-key', 'ours.pub'],
      [...STAGING, '--run', 'never.db', '--sign-key', 'missing.pem'],
      ['verify', 'run.db', '--public-key', 'run.db'],
    ]) {
      const { code, stderr } = await inFolder(...args);
      expect(code).toBe(2);
      expect(stderr).toMatch(/(ours\.pub|missing\.pem|run\.db): /);
      expect(stderr).toContain('openssl genpkey -algorithm ed25519');
    }
    expect(readdirSync(cwd)).not.toContain('never.db');
  });

  it('knows a key from the environment and from the config', async () => {
    const env = { ...process.env, KRISIS_SIGN_KEY: readFileSync(at('ours.pem'), 'utf8') };
    await krisis([...QUESTIONS, '--run', 'env.db'], { cwd, env });
    writeFileSync(at('signing.yaml'), 'run:\n  signKey: ours.pem\n');
    await inFolder(...STAGING, '--run', 'config.db', '--config', 'signing.yaml');
    expect(await verify('env.db', 'config.db', '--public-key', 'ours.pub')).toMatchObject({ code: 0 });
  });
});

describe('a run that is continued', () => {
  const seals = async (name: string) => (await verify(name)).runs[0]!.seals;

  it('is sealed again, and names the seal before; when nothing changes, nothing is written', async () => {
    const more = [...STAGING, '--run', 'more.db'];
    await inFolder(...more, '--limit', '10');
    await inFolder(...more);
    expect(await seals('more.db')).toBe(2);
    const before = readFileSync(at('more.db'));
    expect((await inFolder(...more)).code).toBe(0);
    expect(readFileSync(at('more.db')).equals(before)).toBe(true);
    expect(await verify('more.db')).toMatchObject({ code: 0 });
  });

  it('is sealed again when it is judged later', async () => {
    cpSync(at('open.db'), at('judged.db'));
    await inFolder(
      'judge',
      'judged.db',
      '--judge',
      'baseline/lexical',
      '--passes',
      '2',
      '--sign-key',
      'ours.pem',
    );
    expect(await seals('judged.db')).toBe(2);
    expect(await verify('judged.db', '--public-key', 'ours.pub')).toMatchObject({ code: 0 });
  });

  it('of version 0.1 is not sealed before this version writes to it', async () => {
    cpSync('test/fixtures/v0.1/questions.db', at('adopted.db'));
    expect((await inFolder('judge', 'adopted.db', '--judge', 'baseline/lexical')).code).toBe(0);
    const { stdout } = await inFolder('verify', 'adopted.db');
    expect(stdout).toMatch(/adopted\.db: verified/);
    expect(stdout).toMatch(/not sealed before 20\d\d-/);
  });
});

describe('the verdict', () => {
  it('is in the report and its JSON, and is printed when a bundle is imported', async () => {
    const changed = edited('run.db', "UPDATE manifest SET value = '\"better\"' WHERE key = 'model'");
    const report = async (name: string, format: string) =>
      (await inFolder('report', name, '--format', format, '--bootstrap', '0')).stdout;
    expect(await report('run.db', 'md')).toContain('verified: none of');
    expect(await report(changed, 'html')).toContain('CHANGED since it was written: 1 problem');
    expect(await report(changed, 'text')).toMatch(
      /! The run file was CHANGED after it was written \(1 of \d+ entries\)/,
    );
    expect(await report('run.db', 'text')).not.toContain('CHANGED');
    const gate = ['--assert', 'accuracy >= 0', '--assert', 'accuracy < 0'];
    const gated = (path: string, n: number) => inFolder('report', path, ...gate.slice(0, n));
    expect((await gated('run.db', 2)).code).toBe(0);
    expect(await gated(changed, 2)).toMatchObject({
      code: 3,
      stdout: expect.stringContaining('but the run file was changed after it was'),
    });
    expect((await gated(changed, 4)).code).toBe(1);
    const against = (path: string) => inFolder('report', 'run.db', '--non-inferior', path, '--margin', '0.2');
    expect((await against('run.db')).code).toBe(0);
    expect(await against(changed)).toMatchObject({
      code: 3,
      stdout: expect.stringContaining(`the run file of ${basename(changed)}`),
    });
    expect(JSON.parse(await report(changed, 'metrics-json')).provenance.verification).toMatchObject({
      verdict: 'changed',
      problems: [{ problem: 'changed', kind: 'manifest', where: 'field model' }],
    });
    await inFolder('bundle', 'export', changed, '-o', 'changed.krisis');
    expect((await inFolder('bundle', 'import', 'changed.krisis')).stdout).toContain('CHANGED since');
  });

  it('is the same for a bundle without features', async () => {
    await inFolder('bundle', 'export', 'signed.db', '-o', 'signed.krisis');
    expect(await verify('signed.krisis', '--public-key', 'ours.pub')).toMatchObject({
      code: 0,
      runs: [{ verdict: 'verified' }],
    });
  });

  it('covers a run that was imported from another framework', async () => {
    const metrics = {
      Accuracy: { name: 'Accuracy', value: 0.5, n_evaluated: 2, n_abstained: 0, breakdown: {}, details: {} },
    };
    writeFileSync(at('python.json'), JSON.stringify({ metrics, execution: { n_input_records: 2 } }));
    expect((await inFolder('import', 'python.json', '--run', 'python.db')).code).toBe(0);
    expect(await verify('python.db')).toMatchObject({ code: 0, runs: [{ verdict: 'verified', seals: 1 }] });
  });
});
