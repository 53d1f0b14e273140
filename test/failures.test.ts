import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readRun } from '../src/runs/read-run.ts';
import { krisis } from './krisis.ts';
import { loopbackServer, sendJson } from './loopback-server.ts';

const cwd = mkdtempSync(join(tmpdir(), 'krisis-failures-'));
const SECRET = 'Erika Mustermann';

/** Answers by the first part of its address: a login page, words without JSON, a label that is none, a refused key. */
const server = await loopbackServer(({ path }, response) => {
  const mode = path.split('/')[1];
  const reply = (content: string) =>
    sendJson(response, {
      id: 'x',
      object: 'chat.completion',
      created: 1,
      model: 'x',
      choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
    });
  if (mode === 'page') {
    response.writeHead(200, { 'content-type': 'text/html' });
    response.end(`<html><body>Log in, ${SECRET}</body></html>`);
  } else if (mode === 'words') reply(`I think that ${SECRET} has stage three.`);
  else sendJson(response, { error: { message: `bad key of ${SECRET}` } }, 401);
});
afterAll(async () => {
  await server.close();
  rmSync(cwd, { recursive: true });
});

const at = (...args: string[]) => krisis(args, { cwd, env: { PATH: process.env.PATH, NO_COLOR: '1' } });
const ask = (mode: string, file: string, suite = 'ckd/staging', ...more: string[]) =>
  at(
    ...['run', suite, '--model', 'openai-compatible/x', '--base-url', `${server.url}/${mode}/v1`],
    ...['--limit', '6', '--run', file, ...(suite === 'ckd/staging' ? ['--n-records', '60'] : []), ...more],
  );
const report = async (file: string, format: string) => (await at('report', file, '--format', format)).stdout;
const words = (text: string) => text.replaceAll(/\s+/g, ' ');

beforeAll(() => {
  const lines = Array.from({ length: 6 }, (_, i) => `p${i},${40 + i},${i % 2 === 0 ? 'yes' : 'no'}`);
  writeFileSync(join(cwd, 'patients.csv'), ['id,age,answer', ...lines, ''].join('\n'));
  writeFileSync(
    join(cwd, 'patients.yaml'),
    [
      'name: unit/patients',
      'file: patients.csv',
      'id: id',
      'label: answer',
      'columns: { age: {} }',
      'labels: ["yes", "no"]',
      'instructions: Is it so?',
      'sensitivity: protected',
      '',
    ].join('\n'),
  );
});

const CAUSE = 'a web page came back instead of JSON (HTTP 200)';

describe('a run whose every call brings a login page', async () => {
  const ran = await ask('page', 'page.db');

  it('says why on the terminal, what to do, and nothing of empty tables', () => {
    expect(ran.code).toBe(3);
    expect(words(ran.stdout)).toMatch(/Failed: 6 cases, \d+ calls: a web page came back instead of JSON/);
    expect(words(ran.stdout)).toContain(
      'check --base-url, and whether a proxy or a login page is in between',
    );
    expect(words(ran.stdout)).toContain('For example: openai-compatible/x: the reply could not be read');
    expect(words(ran.stdout)).toContain('No case was scored, so there are no numbers.');
    expect(ran.stdout).not.toContain('All metrics');
    expect(ran.stdout.split('\n').length).toBeLessThan(25);
  });

  it.each(['text', 'md', 'html', 'junit'])('says why in the %s report', async (format) => {
    const text = words(await report('page.db', format)).replaceAll('&nbsp;', ' ');
    expect(text).toContain(CAUSE);
    expect(text).toContain('check --base-url');
    if (format !== 'junit') expect(text).not.toContain('All metrics');
  });

  it.each(['json', 'metrics-json'])('says why in the %s report', async (format) => {
    expect(JSON.parse(await report('page.db', format))).toMatchObject({
      failures: [
        {
          role: 'model',
          problem: 'web_page',
          status: 200,
          n_rows: 6,
          n_retries: 0,
          says: expect.any(String),
        },
      ],
      unusable_replies: [],
    });
  });

  it('has the problem of every row in the CSV', async () => {
    const rows = parse(await report('page.db', 'csv'), { columns: true }) as Record<string, string>[];
    expect(rows).toHaveLength(6);
    for (const { state, problem } of rows)
      expect([state, problem]).toEqual(['failed', expect.stringMatching(/web_page|malformed/)]);
  });

  it('is in the result of the library', async () => {
    expect(readRun(join(cwd, 'page.db')).failures[0]).toMatchObject({ problem: 'web_page', nRows: 6 });
  });
});

describe('a run whose every reply is unusable', async () => {
  const ran = await ask('words', 'words.db');

  it('has no answers in its headline, and says why apart from failures', async () => {
    expect(ran.code).toBe(0);
    const text = words(ran.stdout);
    expect(text).toContain('6 unreadable');
    expect(text).toContain(
      `Unreadable, counted as wrong: 6 cases: the reply had no JSON. For example: I think that ${SECRET} has`,
    );
    expect(text).not.toContain('What failed');
    expect(text).not.toContain('answered 6 of 6');
    expect(JSON.parse(await report('words.db', 'metrics-json'))).toMatchObject({
      failures: [],
      unusable_replies: [{ reason: 'no_json', n_rows: 6 }],
      metrics: { answer_rate: { value: 1 }, usable_answer_rate: { value: 0 } },
    });
  });
});

describe('several models', () => {
  const both = (mode: string, models: string) =>
    at(
      ...['run', 'ckd/staging', '--n-records', '60', '--limit', '6'],
      ...['--model', models, '--base-url', `${server.url}/${mode}/v1`],
    );

  it('are listed with what failed for each, and without a table where nothing was scored', async () => {
    const some = await both('page', 'openai-compatible/a,baseline/majority');
    expect(words(some.stdout)).toMatch(
      /openai-compatible\/a: Failed: 6 cases, \d+ calls: a web page came back instead of JSON \(HTTP 200\); check --base-url/,
    );
    expect(some.stdout).toMatch(/^ {2}baseline\/majority /m);
    const none = await both('page', 'openai-compatible/b,openai-compatible/c');
    expect(words(none.stdout)).toContain('No case was scored, so there are no numbers.');
    expect(none.stdout).not.toMatch(/ - +-/);
  });

  it('have their usable answers in the table, and why replies could not be used', async () => {
    const { stdout } = await both('words', 'openai-compatible/d,baseline/majority');
    expect(words(stdout)).toContain(
      'openai-compatible/d: Unreadable, counted as wrong: 6 cases: the reply had no JSON. For example: I think',
    );
    const files = readdirSync(join(cwd, '.krisis/runs')).filter((name) =>
      /(-d|majority)_\w+\.db$/.test(name),
    );
    const compared = await at('compare', ...files.map((name) => `.krisis/runs/${name}`), '--format', 'md');
    expect(compared.stdout).toContain('| usable answers |');
    expect(compared.stdout).toMatch(/0\.000 \(0\.000 to 0\.\d+\), 6 invalid/);
  });

  it('are listed with the rows that have no usable answer', async () => {
    const { stdout } = await at('list');
    expect(stdout).toMatch(/openai-compatible\/a +6\/6 +6 failed +complete/);
    expect(stdout).toMatch(/openai-compatible\/d +6\/6 +6 invalid +complete/);
  });
});

describe('a run that stopped at a refused key', async () => {
  const ran = await ask('key', 'key.db');

  it('says so with what to do', () => {
    expect(ran.code).toBe(3);
    expect(words(ran.stdout)).toMatch(
      /Failed: \d calls?: the provider did not accept the key \(HTTP 401\); check the key/,
    );
    expect(ran.stdout).not.toContain('All metrics');
  });
});

describe('a judge whose every call fails', () => {
  it('is named with its cause, in place of empty tables', async () => {
    const { stdout } = await at(
      ...['run', 'open/clinical', '--limit', '2', '--model', 'baseline/reference', '--run', 'judge.db'],
      ...['--judge', 'openai-compatible/j', '--set', `judgeBaseUrl=${server.url}/page/v1`],
    );
    expect(words(stdout)).toMatch(/Failed: 2 answers, \d+ calls of the judge: a web page came back/);
    expect(words(stdout)).toContain('check --set judgeBaseUrl=URL');
    expect(stdout).not.toContain('What the answers say');
  });
});

describe('a protected run', () => {
  const egress = ['--allow-egress', 'openai-compatible'];

  it.each([
    ['page', CAUSE],
    ['words', 'the reply had no JSON'],
    ['key', 'the provider did not accept the key (HTTP 401)'],
  ])('has cause and status of %s, and no text', async (mode, cause) => {
    const file = `protected-${mode}.db`;
    const { stdout } = await ask(mode, file, 'patients.yaml', ...egress);
    expect(words(stdout)).toContain(cause);
    for (const format of ['text', 'md', 'html', 'junit', 'json']) {
      const text = words(await report(file, format)).replaceAll('&nbsp;', ' ');
      expect(text).not.toContain(SECRET);
      expect(text).not.toContain('for example');
    }
    expect(stdout).not.toContain('for example');
  });
});
