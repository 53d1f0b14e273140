import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { command, workingFolder } from './emulated-run.ts';
import { loopbackServer, sendJson } from './loopback-server.ts';

/** What a provider writes about bulk jobs: it may quote a patient, and it may write to the terminal. */
const NAME = 'Pumpernickel';
const SAID = `${NAME} \u001b]0;PWNED\u0007\u001b[31m\u009b2J\u202e`;
const CONTROLS = ['\u001b', '\u0007', '\u009b', '\u202e'];

let server: Awaited<ReturnType<typeof loopbackServer>>;
let batchId = `batch_${NAME}`;
let status = SAID;
beforeAll(async () => {
  server = await loopbackServer(({ method, path }, response) => {
    if (method === 'POST' && path.endsWith('/files')) return sendJson(response, { id: 'file-1' });
    if (method === 'POST' && path.endsWith('/batches')) return sendJson(response, { id: batchId });
    if (path.endsWith('/cancel')) return sendJson(response, { error: { message: SAID, code: 'x' } }, 400);
    if (path.includes('/batches/'))
      return sendJson(response, { id: batchId, status, errors: { data: [{ code: SAID }] } });
    return sendJson(response, { data: [], has_more: false });
  });
});
afterAll(() => server.close());

describe.each(['protected', 'public'])('messages about bulk jobs of %s records', (sensitivity) => {
  const folder = workingFolder();
  const address = () => ['--base-url', `${server.url}/v1`];
  const run = (file: string) => [
    ...['run', 'table.yaml', '--model', 'openai/m', ...address(), '--no-cache', '--run', file],
    ...['--bulk', '--set', 'bulkTrial=0', '--set', 'bulkPoll=0.01'],
  ];
  const told: string[] = [];
  const tell = async (args: readonly string[]) => {
    const { code, stdout, stderr } = await command(args, folder);
    told.push(`${stdout}${stderr}`);
    return code;
  };

  it('show no control characters, and no text of the provider where records are protected', async () => {
    writeFileSync(join(folder, 'data.csv'), 'id,x,label\na,1,0\nb,2,1\n');
    writeFileSync(
      join(folder, 'table.yaml'),
      `name: own/t\nfile: data.csv\nid: id\nlabel: label\nlabels: ["0", "1"]\ninstructions: Which?\nsensitivity: ${sensitivity}\n`,
    );
    expect(await tell([...run('run.db'), '--set', 'bulkWait=0.05s'])).toBe(3);
    expect(await tell(['ops', 'bulk', 'list', 'run.db'])).toBe(0);
    expect(await tell(['ops', 'bulk', 'list', 'run.db', '--json'])).toBe(0);
    status = 'failed';
    expect(await tell(['ops', 'bulk', 'wait', 'run.db', ...address()])).toBe(0);
    status = SAID;
    expect(await tell(['ops', 'bulk', 'cancel', 'run.db', ...address()])).toBe(3);
    expect(told.at(-1)!.match(/^krisis: /gm)).toHaveLength(1);
    const text = told.join('');
    for (const control of CONTROLS) expect(text.includes(control), JSON.stringify(control)).toBe(false);
    expect(text.includes(NAME)).toBe(sensitivity === 'public');
  });

  it('say that the id of a job is none, without the id', async () => {
    batchId = SAID;
    expect(await tell(run('other.db'))).toBe(3);
    batchId = `batch_${NAME}`;
    expect(told.at(-1)!.replace(/\s+/g, ' ')).toContain('has characters that no id has');
    for (const hidden of [NAME, ...CONTROLS]) expect(told.at(-1)!.includes(hidden)).toBe(false);
  });
});
