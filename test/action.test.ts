import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { loopbackServer, sendJson } from './loopback-server.ts';

const action = parse(readFileSync('action.yml', 'utf8'));
const [, step] = action.runs.steps;
const folder = mkdtempSync(join(tmpdir(), 'krisis-action-'));
afterAll(() => rmSync(folder, { recursive: true }));

const TOKEN = 'runner-token';
let nJobs = 0;

interface Job {
  readonly inputs: Readonly<Record<string, string>>;
  readonly api?: string;
}

/** Runs the step of the action as a runner does: inputs through expressions, its files and its event in variables. */
async function job({ inputs, api }: Job) {
  const here = (name: string) => join(folder, `${nJobs}-${name}`);
  nJobs += 1;
  writeFileSync(here('event.json'), JSON.stringify(api ? { pull_request: { number: 7 } } : { ref: 'main' }));
  for (const name of ['summary', 'output']) writeFileSync(here(name), '');
  const defaults = Object.fromEntries(
    Object.entries(action.inputs as Record<string, { default?: string }>).map(([name, input]) => [
      name,
      input.default ?? '',
    ]),
  );
  const values: Record<string, string> = { ...defaults, token: TOKEN, ...inputs };
  const fill = (text: string) => text.replaceAll(/\$\{\{ inputs\.([\w-]+) \}\}/g, (_, name) => values[name]!);
  const env = Object.entries(step.env as Record<string, string>).map(([name, text]) => [name, fill(text)]);
  const child = spawn('bash', ['-e', '-c', step.run], {
    cwd: folder,
    env: {
      ...process.env,
      ...Object.fromEntries(env),
      GITHUB_ACTION_PATH: resolve('.'),
      GITHUB_API_URL: api,
      GITHUB_REPOSITORY: 'ward/models',
      GITHUB_EVENT_PATH: here('event.json'),
      GITHUB_STEP_SUMMARY: here('summary'),
      GITHUB_OUTPUT: here('output'),
    },
  });
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => (printed += part));
  const [code] = await once(child, 'close');
  const read = (name: string) => readFileSync(here(name), 'utf8');
  return { code, printed, summary: read('summary'), output: read('output') };
}

const krisis = `${process.execPath} ${resolve('bin/krisis.js')}`;
const gate = (model: string, limit: number, condition: string) =>
  `run ckd/detection --model ${model} --limit ${limit} --new --no-cache --assert '${condition}'`;

describe('the action', () => {
  it('pins what it uses, and takes the version of this package', () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
    expect(action.inputs.krisis.default).toBe(`npx --yes krisis@${version}`);
    for (const { uses } of action.runs.steps) if (uses) expect(uses).toMatch(/@[0-9a-f]{40}$/);
  });

  it('passes, fails, and says that it cannot decide', async () => {
    const cases = [
      [gate('baseline/guideline-defer', 60, 'accuracy >= 0.1'), 0, 'passed', '✅ pass'],
      [gate('baseline/guideline-defer', 60, 'accuracy >= 0.99'), 1, 'failed', '❌ fail'],
      [
        gate('baseline/guideline-defer', 5, 'upper(missed_emergency_rate) <= 0.3'),
        3,
        'undecided',
        '❔ undecided',
      ],
      ['run no/suite', 2, 'error', 'did not run'],
    ] as const;
    for (const [run, code, outcome, words] of cases) {
      const ended = await job({ inputs: { run, krisis } });
      expect([run, ended.code], ended.printed).toEqual([run, code]);
      expect(ended.output).toBe(`outcome=${outcome}\nexit-code=${code}\n`);
      expect(ended.summary).toContain(words);
    }
  });

  it('keeps one comment on the pull request up to date', async () => {
    const comments = [{ id: 1, body: 'a comment of somebody else' }];
    const server = await loopbackServer(({ method, path, body, headers }, response) => {
      expect(headers.authorization).toBe(`Bearer ${TOKEN}`);
      if (method === 'GET') return sendJson(response, comments);
      if (method === 'POST') comments.push({ id: comments.length + 1, ...JSON.parse(body) });
      else comments.find(({ id }) => path.endsWith(`/${id}`))!.body = JSON.parse(body).body;
      sendJson(response, {}, method === 'POST' ? 201 : 200);
    });
    const run = (limit: string) =>
      job({
        inputs: { run: gate('baseline/guideline-defer', 60, `accuracy >= ${limit}`), krisis },
        api: server.url,
      });
    expect((await run('0.99')).code).toBe(1);
    expect((await run('0.1')).code).toBe(0);
    await server.close();
    expect(comments).toHaveLength(2);
    expect(comments[1]!.body).toMatch(/✅ passed[\s\S]*`accuracy >= 0.1`/);
    expect(server.received.map(({ method, path }) => `${method} ${path.replace(/\?.*/, '')}`)).toEqual([
      'GET /repos/ward/models/issues/7/comments',
      'POST /repos/ward/models/issues/7/comments',
      'GET /repos/ward/models/issues/7/comments',
      'PATCH /repos/ward/models/issues/comments/2',
    ]);
  });

  it('works without permission to write', async () => {
    const server = await loopbackServer((_, response) =>
      sendJson(response, { message: 'Resource not accessible by integration' }, 403),
    );
    const run = gate('baseline/guideline-defer', 60, 'accuracy >= 0.1');
    const ended = await job({ inputs: { run, krisis }, api: server.url });
    await server.close();
    expect(ended.code).toBe(0);
    expect(ended.printed).toContain('::notice::No comment on the pull request: GET answered 403');
    expect(ended.summary).toContain('✅ passed');
  });

  it('runs no text of an input as a command', async () => {
    const run = `run no/suite; touch ${join(folder, 'planted')} $(touch ${join(folder, 'planted')})`;
    expect((await job({ inputs: { run, krisis, title: '"; touch planted #' } })).code).toBe(2);
    expect(() => readFileSync(join(folder, 'planted'))).toThrow();
  });
});
