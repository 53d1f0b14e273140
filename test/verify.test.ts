import { generateKeyPairSync } from 'node:crypto';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { verifyRun } from '../src/store/verify-run.ts';
import { cutEntries, forgeProof } from './forge-proof.ts';
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
  const { code, stdout } = await inFolder('runs', 'verify', ...args, '--json');
  return { code, runs: JSON.parse(stdout).runs as Record<string, unknown>[] };
};

type Edit = string | ((path: string) => void);

/** A copy of a run that was changed. */
function edited(from: string, edit: Edit): string {
  const name = `edited-${readdirSync(cwd).length}.db`;
  cpSync(at(from), at(name));
  if (typeof edit === 'string') execute(at(name), edit);
  else edit(at(name));
  return name;
}
function execute(path: string, sql: string): void {
  const db = new DatabaseSync(path);
  db.exec(sql);
  db.close();
}

/** As a run that was killed before it was sealed; one that was signed has no signature any more. */
const WITHOUT_LAST_SEAL = (path: string) => {
  cutEntries(path, verifyRun(path).entries - 1);
  forgeProof(path);
};
const ALL_RIGHT = 'UPDATE rows SET prediction = (SELECT label FROM records WHERE id = record_id)';
const WITHOUT_DIGEST = `${ALL_RIGHT}; DELETE FROM proof`;
const improved = (path: string) => {
  execute(path, ALL_RIGHT);
  forgeProof(path);
};
/** Leaves no trace of a seal. */
const WITHOUT_TRACE = `${WITHOUT_DIGEST}; DELETE FROM events WHERE kind = 'sealed'; DELETE FROM report; UPDATE events SET data = json_remove(data, '$.scores', '$.ledger', '$.overview') WHERE kind = 'manifest'`;

describe('krisis runs verify', () => {
  it('verifies runs of labels and of open questions, with their scores, and says that the seal is not signed', async () => {
    const { code, stdout, stderr } = await inFolder('runs', 'verify', 'run.db', 'open.db');
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(
      /^run\.db: verified: none of \d+ entries was changed, dropped or added\n {2}sealed 20/,
    );
    expect(stdout.match(/not signed: this shows accidents and careless edits only/g)).toHaveLength(2);
    expect(stdout.match(/the sealed scores are those of the rows/g)).toHaveLength(2);
  });

  it('names what was changed, and exits with 1', async () => {
    const name = edited('run.db', "UPDATE rows SET confidence = 1 WHERE state = 'answered'");
    const { code, stdout } = await inFolder('runs', 'verify', name);
    expect(code).toBe(1);
    expect(stdout).toMatch(/: unverified: 1 problem in \d+ entries/);
    expect(stdout).toMatch(/changed: entries, entries 1 to \d+/);
    const text = edited(
      'run.db',
      "UPDATE outcomes SET raw_response = 'better' WHERE raw_response IS NOT NULL",
    );
    expect((await inFolder('runs', 'verify', text)).stdout).toMatch(/text changed: \w+, call \d+/);
    const compared = await inFolder('compare', name, 'run.db', '--bootstrap', '0', '--json');
    expect(JSON.parse(compared.stdout).warnings[0]).toEqual({
      code: 'file_not_verified',
      message: expect.stringContaining(': unverified: the run file was changed, or its proof is missing'),
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

  it('exits with 2 for what is not a run file, and with 3 for one that is unsealed, and checks the others', async () => {
    writeFileSync(at('not.db'), 'not a run');
    expect(await verify(edited('run.db', WITHOUT_LAST_SEAL), 'run.db')).toMatchObject({
      code: 3,
      runs: [{ verdict: 'unsealed' }, { verdict: 'verified' }],
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
      ['runs', 'verify', 'run.db', '--public-key', 'run.db'],
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

  it('is sealed again; when nothing changes, nothing is written', async () => {
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
    await inFolder(...QUESTIONS, '--run', 'judged.db', '--sign-key', 'ours.pem');
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

  it('may be one that was killed, and is then sealed', async () => {
    const killed = edited('run.db', WITHOUT_LAST_SEAL);
    expect((await inFolder(...STAGING, '--run', killed)).code).toBe(0);
    expect(await verify(killed)).toMatchObject({ code: 0, runs: [{ verdict: 'verified', seals: 1 }] });
  });

  it('is not one without its digest, whoever asks: nothing is written', async () => {
    for (const [from, sql, command] of [
      ['run.db', WITHOUT_DIGEST, (name: string) => [...STAGING, '--run', name]],
      ['run.db', WITHOUT_TRACE, (name: string) => [...STAGING, '--run', name, '--sign-key', 'ours.pem']],
      ['open.db', 'DELETE FROM proof', (name: string) => ['judge', name, '--judge', 'baseline/lexical']],
    ] as const) {
      const name = edited(from, sql);
      const before = readFileSync(at(name));
      const { code, stderr } = await inFolder(...command(name));
      expect([code, stderr]).toEqual([2, expect.stringContaining('unverified, so nothing can be added')]);
      expect((await inFolder('runs', 'verify', name)).stdout).toContain(
        'dropped: digest, the digest of the entries is missing',
      );
      expect(readFileSync(at(name)).equals(before)).toBe(true);
    }
  });

  it('is not a signed one without its key: nothing is written, and nothing asked', async () => {
    const run = [...STAGING, '--run', 'ours-only.db'];
    await inFolder(...run, '--limit', '10', '--sign-key', 'ours.pem');
    const before = readFileSync(at('ours-only.db'));
    const { code, stderr } = await inFolder(...run);
    expect([code, stderr]).toEqual([2, expect.stringContaining('the run is signed')]);
    expect(readFileSync(at('ours-only.db')).equals(before)).toBe(true);
    expect((await inFolder(...run, '--sign-key', 'ours.pem')).code).toBe(0);
    expect(await verify('ours-only.db', '--public-key', 'ours.pub')).toMatchObject({ code: 0 });
  });

  it('keeps the mark of rows that a forger improved, without a trace, before its owner signed it again', async () => {
    const forged = edited('signed.db', (path) => {
      execute(path, WITHOUT_TRACE);
      forgeProof(path);
      expect(verifyRun(path).verdict).toBe('unsealed');
    });
    expect((await inFolder(...STAGING, '--run', forged, '--sign-key', 'ours.pem')).code).toBe(0);
    expect((await verify(forged)).runs[0]).toMatchObject({ verdict: 'verified' });
    expect((await verify(forged, '--public-key', 'ours.pub')).code).toBe(1);
    const gate = ['report', forged, '--assert', 'answerable_accuracy >= 0.99'];
    expect((await inFolder(...gate, '--require-signature', 'ours.pub')).code).toBe(3);
  });

  it('keeps the mark of entries that no signature covered', async () => {
    const killed = edited('signed.db', WITHOUT_LAST_SEAL);
    expect((await inFolder(...STAGING, '--run', killed, '--sign-key', 'ours.pem')).code).toBe(0);
    const { stdout } = await inFolder('runs', 'verify', killed);
    expect(stdout).toMatch(
      /: verified: .*\d+ entries of this signed run were covered by no signature in time/s,
    );
    expect((await verify(killed, '--public-key', 'ours.pub')).code).toBe(1);
    const gate = ['report', killed, '--assert', 'accuracy >= 0.01'];
    expect((await inFolder(...gate)).code).toBe(0);
    expect((await inFolder(...gate, '--require-signature', 'ours.pub')).code).toBe(3);
  });
});

describe('conditions on a run file', () => {
  const CONDITION = ['--assert', 'accuracy >= 0.01'];
  const undecided = (text: RegExp | string) => ({
    code: 3,
    stdout: expect.stringMatching(text instanceof RegExp ? text : new RegExp(text.replaceAll(' ', '\\s+'))),
  });

  it.each([
    ['without its digest', WITHOUT_DIGEST, 'is unverified'],
    ['without a trace of its seals', WITHOUT_TRACE, 'is unverified'],
    ['with edited cases and a digest that fits', improved, 'is unverified'],
    ['with edited cases', "UPDATE rows SET confidence = 1 WHERE state = 'answered'", 'is unverified'],
    ['with a lost seal', "DELETE FROM events WHERE kind = 'sealed'", 'is unverified'],
    ['that is unsealed', WITHOUT_LAST_SEAL, 'is unsealed: the run was interrupted'],
  ])(
    '%s are undecided, in report and compare, as the run, its baseline or what it is compared with',
    async (_, sql, text) => {
      const name = edited('signed.db', sql);
      expect(await inFolder('report', name, ...CONDITION)).toMatchObject(undecided(text));
      expect(await inFolder('compare', 'run.db', name, '--bootstrap', '0', ...CONDITION)).toMatchObject(
        undecided(text),
      );
      expect(await inFolder('compare', name, 'run.db', '--bootstrap', '0', ...CONDITION)).toMatchObject(
        undecided(text),
      );
      const nonInferior = ['--non-inferior', name, '--margin', '0.2'];
      expect(await inFolder('report', 'run.db', ...nonInferior)).toMatchObject(undecided(text));
      await inFolder('report', 'run.db', '--format', 'csv', '-o', `${name}.csv`);
      expect(await inFolder('score', `${name}.csv`, ...nonInferior)).toMatchObject(undecided(text));
      expect((await inFolder('threshold', name)).code).toBe(3);
      expect((await inFolder('drift', 'run.db', name)).code).toBe(2);
    },
  );

  it('of a run that was just made are decided', async () => {
    const made = await inFolder(
      ...STAGING,
      '--run',
      'made.db',
      ...CONDITION,
      '--sign-key',
      'ours.pem',
      '--require-signature',
      'ours.pub',
    );
    expect(made).toMatchObject({ code: 0, stdout: expect.stringContaining('PASS') });
    expect((await inFolder('compare', 'run.db', 'made.db', '--bootstrap', '0', ...CONDITION)).code).toBe(0);
  });

  it('pass with --require-signature only where every file is signed by that key', async () => {
    const required = [...CONDITION, '--require-signature', 'ours.pub'];
    expect((await inFolder('report', 'signed.db', ...required)).code).toBe(0);
    expect(await inFolder('report', 'run.db', ...required)).toMatchObject(
      undecided('is not signed as required'),
    );
    expect(
      (await inFolder('report', 'signed.db', ...CONDITION, '--require-signature', 'other.pub')).code,
    ).toBe(3);
    expect((await inFolder('compare', 'run.db', 'signed.db', '--bootstrap', '0', ...required)).code).toBe(3);
    expect((await inFolder(...STAGING, '--run', 'plain.db', ...required)).code).toBe(3);
    await inFolder('report', 'signed.db', '--format', 'csv', '-o', 'rows.csv');
    expect((await inFolder('score', 'rows.csv', ...CONDITION)).code).toBe(0);
    expect(await inFolder('score', 'rows.csv', ...required)).toMatchObject(
      undecided('rows that are in no run file cannot be signed'),
    );
  });

  it('are needed for --require-signature, and a key that can be read', async () => {
    for (const args of [
      ['report', 'signed.db', '--require-signature', 'ours.pub'],
      ['report', 'signed.db', ...CONDITION, '--require-signature', 'run.db'],
    ])
      expect((await inFolder(...args)).code).toBe(2);
  });
});

describe('the verdict', () => {
  it('is in the report and its JSON, and is printed when a bundle is imported', async () => {
    const changed = edited(
      'run.db',
      "UPDATE events SET data = json_set(data, '$.model', 'better') WHERE data -> '$.model' IS NOT NULL",
    );
    const report = async (name: string, format: string) =>
      (await inFolder('report', name, '--format', format, '--bootstrap', '0')).stdout;
    expect(await report('run.db', 'md')).toContain('verified: none of');
    const alert = 'unverified: the run file was changed, or its proof is missing (1 problem in';
    const unsealed = edited('run.db', WITHOUT_LAST_SEAL);
    for (const [format, first] of Object.entries({
      text: /^[^!]{0,200}! unverified: the run file was changed/,
      md: /^# .*\n\n\*\*unverified\*\*/,
      html: /<h1>[^<]*<\/h1>\s*<ul class="badges"><li class="badge bad">unverified</,
      latex: /^% unverified/,
      junit: /<testcase [^>]*name="the run file is verified">\s*<failure type="unverified"/,
      'metrics-json': /"run_file_verdict": "unverified"/,
    })) {
      expect(await report(changed, format)).toMatch(first);
      expect((await report(changed, format)).replace(/\s+/g, ' ')).toContain(
        format === 'metrics-json' ? '' : alert,
      );
      expect(await report('run.db', format)).not.toContain('unverified');
      expect(await report(unsealed, format)).toContain('unsealed');
    }
    const csv = await inFolder('report', changed, '--format', 'csv');
    expect(csv.stderr).toMatch(/! unverified: the run file was changed/);
    const withoutSeal = edited('run.db', "DELETE FROM events WHERE kind = 'sealed'");
    const listed = await inFolder('list', '.');
    // A list reads no rows: it looks at the seals.
    expect(listed.stdout).toMatch(new RegExp(`unverified.*${withoutSeal}`));
    expect(listed.stdout).toMatch(new RegExp(`unsealed.*${unsealed}`));
    const gate = ['--assert', 'accuracy > 0', '--assert', 'accuracy <= 0'];
    const gated = (path: string, n: number) => inFolder('report', path, ...gate.slice(0, n));
    expect((await gated('run.db', 2)).code).toBe(0);
    expect((await gated('run.db', 4)).code).toBe(1);
    // A failure that rests on a forged file decides nothing either.
    expect((await gated(changed, 4)).code).toBe(3);
    expect(JSON.parse(await report(changed, 'metrics-json')).provenance.verification).toMatchObject({
      verdict: 'unverified',
      problems: [{ problem: 'changed', kind: 'entries', where: expect.stringMatching(/^entries 1 to \d+$/) }],
    });
    await inFolder('runs', 'export', changed, '-o', 'changed.krisis');
    expect((await inFolder('runs', 'import', 'changed.krisis')).stdout).toContain('unverified: 1 problem');
  });

  it('is the same for a bundle without features', async () => {
    await inFolder('runs', 'export', 'signed.db', '-o', 'signed.krisis');
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
    expect((await inFolder('runs', 'import', 'python.json', '--run', 'python.db')).code).toBe(0);
    expect(await verify('python.db')).toMatchObject({ code: 0, runs: [{ verdict: 'verified', seals: 1 }] });
  });
});
