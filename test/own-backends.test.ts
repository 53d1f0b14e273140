import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, describe, expect, it } from 'vitest';
import { krisis } from './krisis.ts';

const cwd = mkdtempSync(join(tmpdir(), 'krisis-own-'));
afterAll(() => rmSync(cwd, { recursive: true }));

writeFileSync(
  join(cwd, 'krisis.config.ts'),
  `import { BackendError, defineBackend, defineConfig } from 'krisis';
const present = { prediction: 'present', abstained: false };
/** Waits between tries would take hours. */
const own = (name, evaluate) => defineBackend({ name, evaluate, retryBaseSeconds: 3600 });
export default defineConfig({
  backends: [
    own('mistaken', () => ({ ...present, confidence: undefined.confidence })),
    own('asleep', () => { throw new Error('the model is asleep'); }),
    own('chatty', () => JSON.parse('Sure! Here is')),
    own('locked', () => { throw new BackendError('auth', 'no key for the gateway', { status: 401 }); }),
    own('good', () => present),
    own('quoting', ({ features }) => { throw new TypeError(features.name); }),
  ],
});
`,
);

const run = (model: string, ...more: string[]) =>
  krisis(['run', 'ckd/detection', '--n-records', '40', '--limit', '6', '--model', model, ...more], { cwd });
const runJson = async (model: string, ...more: string[]) => {
  const { code, stdout, stderr } = await run(model, '--json', '--new', ...more);
  return { code, stderr, ...JSON.parse(stdout) };
};

describe("a backend of one's own", () => {
  it('with a mistake in its code stops the run at once, and the message names the backend and the error', async () => {
    const { code, status, stderr, ledger, execution } = await runJson('mistaken', '--max-concurrency', '1');
    expect([code, status, ledger.not_run]).toEqual([3, 'stopped', 6]);
    expect(stderr).toMatch(/Stopped: mistaken: TypeError: Cannot read .*\(case ckd-\w+\)/);
    expect(stderr).toContain('--verbose shows where');
    expect(stderr).not.toMatch(/network|^ {4}at /m);
    expect([execution.n_calls, execution.n_retries]).toEqual([1, 0]);
  });

  it('shows where with --verbose', async () => {
    const { stderr } = await run('mistaken', '--new', '--verbose');
    expect(stderr).toMatch(/^TypeError: Cannot read .*\n {4}at .*krisis\.config\.ts:7:/m);
    expect(stderr).not.toContain('--verbose shows where');
  });

  it('shows where, and nothing of the error, of a protected suite', async () => {
    writeFileSync(join(cwd, 'ward.csv'), 'name,ill\nQuibblewick,yes\nWigglesworth,no\n');
    writeFileSync(join(cwd, 'ward.yaml'), 'name: mine/ill\nfile: ward.csv\nlabel: ill\ninstructions: Ill?\n');
    const { code, stdout, stderr } = await krisis(['run', 'ward.yaml', '--model', 'quoting', '--verbose'], {
      cwd,
    });
    const said = `${stdout}${stderr}`;
    expect(code).toBe(3);
    expect(stderr).toContain('krisis.config.ts:12:');
    expect(said.replace(/\s+/g, ' ')).toContain('quoting: a TypeError; the text of the error is withheld');
    expect(said).not.toContain('Quibblewick');
    expect(said).not.toContain('Wigglesworth');
  });

  it.each([
    ['asleep', 'failed_backend', 'backend: asleep: the model is asleep'],
    ['chatty', 'failed_malformed', 'malformed: chatty: SyntaxError: Unexpected token'],
  ])('that throws an error fails the rows it is about, without a wait: %s', async (model, failed, said) => {
    const { code, ledger, execution, run_file } = await runJson(model, '--batch-size', '4');
    expect([code, ledger[failed]]).toEqual([3, 6]);
    expect(execution.n_retries).toBe(0);
    const db = new DatabaseSync(join(cwd, run_file), { readOnly: true });
    const { error } = db.prepare('SELECT error FROM outcomes ORDER BY seq DESC LIMIT 1').get()!;
    db.close();
    expect(error).toContain(said);
  });

  it('that throws a BackendError is taken at its word', async () => {
    const { code, stderr } = await runJson('locked');
    expect(code).toBe(3);
    expect(stderr).toContain('Stopped: no key for the gateway');
  });
});

describe('several models', () => {
  it('run although one of them stops', async () => {
    const { code, runs } = await runJson('mistaken,good');
    expect(code).toBe(3);
    expect(runs.map(({ status }: { status: string }) => status)).toEqual(['stopped', 'complete']);
  });

  it('run although one of them cannot be used, which is reported and makes the exit code 2', async () => {
    const { code, stderr, runs, left_out } = await runJson('baseline/best,good,no/such');
    expect(code).toBe(2);
    expect(runs.map(({ model }: { model: string }) => model)).toEqual(['good']);
    expect(left_out.map(({ model, code }: Record<string, string>) => [model, code])).toEqual([
      ['baseline/best', 'ERR_MODEL_NOT_FOUND'],
      ['no/such', 'ERR_MODEL_NOT_FOUND'],
    ]);
    expect(stderr).toContain('krisis: baseline/best is left out: no baseline "best"');
  });

  it('of a table without training rows: baselines that learn say what to do, and the others run', async () => {
    writeFileSync(
      join(cwd, 'table.csv'),
      `value,even\n${[...'0123456789'].map((n) => `${n},${Number(n) % 2 ? 'no' : 'yes'}`).join('\n')}\n`,
    );
    const yaml = 'name: mine/even\nfile: table.csv\nlabel: even\ninstructions: Is the value even?\n';
    writeFileSync(join(cwd, 'table.yaml'), yaml);
    const models = 'baseline/majority,baseline/guideline,baseline/random';
    const table = (...more: string[]) =>
      krisis(['run', 'table.yaml', '--model', models, '--json', '--new', ...more], { cwd });
    const { code, stdout, stderr } = await table();
    const { runs, left_out } = JSON.parse(stdout);
    expect(code).toBe(2);
    expect(runs.map(({ model }: { model: string }) => model)).toEqual(['baseline/random']);
    expect(left_out.map(({ code }: { code: string }) => code)).toEqual(
      Array(2).fill('ERR_BASELINE_NOT_APPLICABLE'),
    );
    expect(stderr).toContain('test_size: 0.5');
    writeFileSync(join(cwd, 'table.yaml'), `${yaml}test_size: 0.5\n`);
    const { runs: now } = JSON.parse((await table()).stdout);
    expect(now.map(({ model }: { model: string }) => model)).toEqual([
      'baseline/majority',
      'baseline/random',
    ]);
  });

  it('that are all unusable make no run', async () => {
    const { code, stdout, stderr } = await run('baseline/best,no/such', '--json');
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain('no/such is left out');
  });
});
