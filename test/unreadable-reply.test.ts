import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { krisis } from './krisis.ts';
import { loopbackServer, sendJson } from './loopback-server.ts';

/** A server whose replies are not what the SDK expects: chat completions without `choices[0].message`. */

const cwd = mkdtempSync(join(tmpdir(), 'krisis-unreadable-'));
let server: Awaited<ReturnType<typeof loopbackServer>>;
beforeAll(async () => {
  server = await loopbackServer((_, response) =>
    sendJson(response, { choices: [{ text: 'Mrs Quibblewick: yes' }] }),
  );
});
afterAll(async () => {
  await server.close();
  rmSync(cwd, { recursive: true });
});

writeFileSync(join(cwd, 'table.csv'), 'name,ill\nQuibblewick,yes\nWigglesworth,no\n');
writeFileSync(
  join(cwd, 'protected.yaml'),
  'name: mine/ill\nfile: table.csv\nlabel: ill\ninstructions: Is the patient ill?\n',
);

async function run(suite: string, ...more: string[]) {
  const args = [
    'run',
    suite,
    '--model',
    'openai-compatible/m',
    '--base-url',
    `${server.url}/v1`,
    '--limit',
    '2',
  ];
  const { code, stdout } = await krisis([...args, '--json', ...more], { cwd });
  const { run_file, ledger } = JSON.parse(stdout);
  const db = new DatabaseSync(join(cwd, run_file), { readOnly: true });
  const call = db
    .prepare(
      'SELECT error, problem, http_status AS status, raw_response FROM outcomes ORDER BY seq DESC LIMIT 1',
    )
    .get()!;
  const row = db.prepare('SELECT raw_response FROM rows LIMIT 1').get()!;
  db.close();
  return { code, ledger, call, row };
}

const FIELD =
  'malformed: openai-compatible/m: the reply could not be read (HTTP 200): choices[0].message: expected object';

describe('a reply that the SDK refuses', () => {
  it('names the field and keeps the body', async () => {
    const { code, ledger, call, row } = await run('ckd/staging', '--n-records', '20');
    expect([code, ledger.failed_malformed]).toEqual([3, 2]);
    const body = '{"choices":[{"text":"Mrs Quibblewick: yes"}]}';
    expect(call).toMatchObject({
      error: FIELD,
      problem: 'unexpected_field',
      status: 200,
      raw_response: body,
    });
    expect(row.raw_response).toBe(body);
  });

  it('names the field and keeps no body of a protected suite', async () => {
    const { code, call, row } = await run('protected.yaml');
    expect(code).toBe(3);
    expect(call).toMatchObject({
      error: FIELD,
      problem: 'unexpected_field',
      status: 200,
      raw_response: null,
    });
    expect(row.raw_response).toBeNull();
  });
});
