import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { readRun } from '../src/runs/read-run.ts';
import { workingFolder } from './emulated-run.ts';
import { krisis } from './krisis.ts';
import { loopbackServer, sendJson } from './loopback-server.ts';
import { type JudgeAsked, type Script, scriptedJudge } from './scripted-judge.ts';

interface Chat {
  readonly messages: readonly { readonly role: 'system' | 'user' | 'assistant'; readonly content: string }[];
  readonly max_tokens?: number;
  readonly max_completion_tokens?: number;
  readonly temperature?: number;
}

const completion = (content: string, finish_reason = 'stop') => ({
  id: 'x',
  object: 'chat.completion',
  created: 1,
  model: 'x',
  choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason }],
  usage: { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 },
});

let answer = '';
const asked: { body: Chat; key: string | undefined }[] = [];
const model = await loopbackServer(({ body, headers }, response) => {
  asked.push({ body: JSON.parse(body) as Chat, key: headers.authorization });
  sendJson(response, completion(answer));
});

/** What the judge says; null for a reply that failed, a text for a reply as it is, `cut` for one that was cut off. */
let script: (asked: JudgeAsked, n: number) => Script | string | null = () => ({});
const judged: { asked: JudgeAsked; body: Chat; key: string | undefined }[] = [];
let claims = '';
let claimCalls = 0;
const judge = await loopbackServer(async ({ body, headers }, response) => {
  const chat = JSON.parse(body) as Chat;
  if (chat.messages[0]!.content.startsWith('You check the claims')) {
    claimCalls += 1;
    return sendJson(response, completion(claims));
  }
  let said: Script | string | null = null;
  const { ask, asked: read } = scriptedJudge((now) => {
    said = script(now, judged.length);
    return said ?? '';
  });
  const { text } = await ask({ messages: chat.messages, template: [] });
  judged.push({ asked: read[0]!, body: chat, key: headers.authorization });
  if (said === null) return sendJson(response, { error: { message: 'overloaded' } }, 500);
  sendJson(
    response,
    completion(text === 'cut' ? '{"verdicts": [{"id"' : text, text === 'cut' ? 'length' : 'stop'),
  );
});
afterAll(async () => {
  await model.close();
  await judge.close();
});

beforeEach(() => {
  asked.length = 0;
  judged.length = 0;
  script = () => ({});
});

function questions(
  folder: string,
  items: { required: readonly string[]; forbidden: readonly string[] },
  n = 3,
) {
  const suite = {
    name: 'demo/open',
    sensitivity: 'synthetic',
    rubric: {
      metric_traits: [
        {
          name: 'advice',
          evaluation_mode: 'full_matrix',
          metrics: ['recall', 'specificity'],
          tp_instructions: items.required,
          tn_instructions: items.forbidden,
        },
      ],
    },
    questions: Array.from({ length: n }, (_, i) => ({ id: `q${i}`, question: `Question number ${i}?` })),
  };
  writeFileSync(join(folder, 'q.yaml'), stringify(suite));
}

const ENV = {
  PATH: process.env.PATH,
  NO_COLOR: '1',
  OPENAI_COMPATIBLE_API_KEY: 'key-of-the-compatible',
  OPENAI_API_KEY: 'key-of-openai',
};

const run = (cwd: string, ...more: string[]) =>
  krisis(
    [
      ...['run', 'q.yaml', '--model', 'openai-compatible/writer', '--base-url', `${model.url}/v1`],
      ...['--judge', 'openai-compatible/judge', '--set', `judgeBaseUrl=${judge.url}/v1`],
      ...['--run', 'run.db', '--no-cache', '--set', 'maxRetries=0', ...more],
    ],
    { cwd, env: ENV },
  );

const ITEMS = { required: ['Names paracetamol'], forbidden: ['Recommends ibuprofen'] };
const scoreOf = (cwd: string, name: string) => readRun(join(cwd, 'run.db')).scores[name]!.value;
const ledgerOf = (cwd: string) => readRun(join(cwd, 'run.db')).judging!.judge.ledger;

describe('a scripted judge over HTTP', () => {
  it('finds the forbidden claim by a true quote with a curly apostrophe', async () => {
    const cwd = workingFolder();
    questions(cwd, ITEMS);
    answer = 'It’s fine: take ibuprofen. Paracetamol **also** helps.';
    script = () => ({
      verdicts: {
        'Names paracetamol': { verdict: 'present', quotes: ['Paracetamol also helps'] },
        'Recommends ibuprofen': { verdict: 'present', quotes: ["It's fine: take ibuprofen"] },
      },
    });
    expect((await run(cwd)).code).toBe(0);
    expect(judged).toHaveLength(3);
    expect([scoreOf(cwd, 'advice.recall'), scoreOf(cwd, 'advice.specificity')]).toEqual([1, 0]);
  });

  it('asks once more for a quote that is not in the answer, and only then calls it unverified', async () => {
    const cwd = workingFolder();
    questions(cwd, ITEMS, 1);
    answer = 'Take 15 mg of paracetamol.';
    script = () => ({
      verdicts: { 'Recommends ibuprofen': { verdict: 'present', quotes: ['5 mg of paracetamol'] } },
    });
    await run(cwd);
    expect(judged.map(({ asked: now }) => now.again)).toEqual([false, true]);
    expect(judged[1]!.asked.items.map(({ instruction }) => instruction)).toEqual(['Recommends ibuprofen']);
    expect(ledgerOf(cwd)).toMatchObject({ unverified: 1, absent: 1 });
    expect(scoreOf(cwd, 'advice.specificity')).toBeNull();
  });

  it('ends complete after a storm of failures, with nothing asked twice', async () => {
    const cwd = workingFolder();
    questions(cwd, ITEMS, 12);
    answer = 'Paracetamol.';
    const found: Script = {
      verdicts: { 'Names paracetamol': { verdict: 'present', quotes: ['Paracetamol'] } },
    };
    const kinds = [null, 'I cannot say.', 'cut', found];
    script = ({ question }) => kinds[Number(/\d+/.exec(question)![0]) % kinds.length]!;
    const stormy = await run(cwd);
    expect([stormy.code, stormy.stderr]).toEqual([
      3,
      expect.stringContaining('run the same command to ask again for 18 items without a verdict'),
    ]);
    expect(ledgerOf(cwd)).toMatchObject({ n: 24, judge_error: 18, present: 3 });
    const settled = new Set(['Question number 3?', 'Question number 7?', 'Question number 11?']);
    judged.length = 0;
    asked.length = 0;
    script = () => found;
    const healthy = await run(cwd);
    expect(healthy.stderr).toContain('asking for 9 failed judgements again; --keep-failed leaves them');
    expect(asked, 'no question is asked again').toEqual([]);
    expect(judged).toHaveLength(9);
    expect(judged.filter(({ asked: now }) => settled.has(now.question))).toEqual([]);
    expect(ledgerOf(cwd)).toMatchObject({ n: 24, judge_error: 0, present: 12, absent: 12 });
    await run(cwd);
    expect(judged).toHaveLength(9);
  }, 60_000);

  it('is asked again by krisis judge as well, and left alone with --keep-failed', async () => {
    const cwd = workingFolder();
    questions(cwd, ITEMS, 2);
    answer = 'Paracetamol.';
    script = () => null;
    await run(cwd);
    judged.length = 0;
    script = () => ({});
    const again = (...more: string[]) =>
      krisis(
        [
          ...['judge', 'run.db', '--judge', 'openai-compatible/judge', '--base-url', `${judge.url}/v1`],
          ...['--no-cache', ...more],
        ],
        { cwd, env: ENV },
      );
    await again('--keep-failed');
    expect(judged).toEqual([]);
    expect((await again()).stderr).toContain('asking for 2 failed judgements again');
    expect(judged).toHaveLength(2);
    expect(ledgerOf(cwd)).toMatchObject({ judge_error: 0, absent: 4 });
  });

  it('judges 200 long items in calls that fit the longest reply', async () => {
    const cwd = workingFolder();
    const long = (i: number) =>
      `Says that point number ${i} holds ${'in every detail of it '.repeat(12)}here`;
    questions(cwd, { required: Array.from({ length: 200 }, (_, i) => long(i)), forbidden: ['Is rude'] }, 1);
    answer = 'All points hold.';
    script = ({ items }) => ({
      verdicts: Object.fromEntries(
        items.map(({ instruction }) => [
          instruction,
          instruction.startsWith('Says') ? { verdict: 'present', quotes: ['All points hold'] } : 'absent',
        ]),
      ),
    });
    expect((await run(cwd, '--set', 'judgeMaxOutputTokens=4096')).code).toBe(0);
    expect(judged.length).toBeGreaterThan(5);
    for (const { body } of judged) expect(body.max_tokens ?? body.max_completion_tokens).toBe(4096);
    expect(ledgerOf(cwd)).toMatchObject({ n: 201, present: 200, absent: 1 });
    expect(scoreOf(cwd, 'advice.recall')).toBe(1);
  }, 60_000);

  it('has its own settings, and never the address or the settings of the model', async () => {
    const cwd = workingFolder();
    questions(cwd, ITEMS, 1);
    answer = 'Paracetamol.';
    await run(cwd, '--temperature', '0.7', '--set', 'judgeTemperature=0');
    expect(asked.map(({ body, key }) => [body.temperature, key])).toEqual([
      [0.7, 'Bearer key-of-the-compatible'],
    ]);
    expect(judged.map(({ body }) => body.temperature)).toEqual([0]);
    // The model's address is not the judge's: the key of another provider is never sent there.
    asked.length = 0;
    const { code, stderr } = await krisis(
      [
        ...['run', 'q.yaml', '--model', 'openai-compatible/writer', '--base-url', `${model.url}/v1`],
        ...['--judge', 'openai-compatible/judge', '--run', 'other.db'],
      ],
      { cwd, env: ENV },
    );
    expect([code, asked]).toEqual([2, []]);
    expect(stderr).toContain('judgeBaseUrl');
    const keys = [...asked, ...judged].map(({ key }) => key);
    expect(keys).not.toContain('Bearer key-of-openai');
  });

  it('sends the key of each provider to the address of its role only', async () => {
    const cwd = workingFolder();
    questions(cwd, ITEMS, 1);
    answer = 'Paracetamol.';
    const { code } = await krisis(
      [
        ...['run', 'q.yaml', '--model', 'openai-compatible/writer', '--base-url', `${model.url}/v1`],
        ...['--judge', 'openai/judge', '--set', `judgeBaseUrl=${judge.url}/v1`],
        ...['--run', 'run.db', '--no-cache', '--set', 'maxRetries=0'],
      ],
      { cwd, env: ENV },
    );
    expect(code).toBe(0);
    expect(new Set(asked.map(({ key }) => key))).toEqual(new Set(['Bearer key-of-the-compatible']));
    expect(new Set(judged.map(({ key }) => key))).toEqual(new Set(['Bearer key-of-openai']));
    // In a config, too: what is set for the model is not used for the judge.
    judged.length = 0;
    asked.length = 0;
    writeFileSync(join(cwd, 'krisis.config.yaml'), `run: { baseUrl: "${model.url}/v1", temperature: 0.9 }\n`);
    await krisis(
      [
        'judge',
        'run.db',
        '--judge',
        'openai/other',
        '--base-url',
        `${judge.url}/v1`,
        '--set',
        'maxRetries=0',
      ],
      { cwd, env: ENV },
    );
    expect(asked).toEqual([]);
    expect(judged.map(({ body, key }) => [body.temperature, key])).toEqual([
      [undefined, 'Bearer key-of-openai'],
    ]);
  });

  it('is a jury where several are named, and each judge is listed with its calls', async () => {
    const cwd = workingFolder();
    questions(cwd, ITEMS, 2);
    answer = 'Paracetamol.';
    // Added to the one judge that is named already.
    const more = ['two', 'three'].map((name) => `openai-compatible/${name}`);
    const { code } = await run(cwd, '--judge', more.join(','), '--set', 'passes=2');
    expect([code, judged.length]).toEqual([0, 12]);
    const { jury } = readRun(join(cwd, 'run.db')).judging!;
    expect(jury!.judges.map(({ name, calls, passes }) => [name, calls, passes])).toEqual(
      ['judge', 'two', 'three'].map((name) => [`openai-compatible/${name}`, 4, 2]),
    );
    const report = await krisis(['report', 'run.db'], { cwd, env: ENV });
    expect([report.code, report.stdout.replaceAll(/\s+/g, ' ')]).toEqual([
      0,
      expect.stringContaining(
        'jury (openai-compatible/judge, openai-compatible/two, openai-compatible/three)',
      ),
    ]);
    const twice = await run(cwd, '--judge', 'openai-compatible/judge');
    expect([twice.code, twice.stderr]).toEqual([2, expect.stringContaining('twice')]);
  });

  it('gets rules of your own, and the model a system prompt and a template', async () => {
    const cwd = workingFolder();
    questions(cwd, ITEMS, 1);
    answer = 'Paracetamol.';
    writeFileSync(join(cwd, 'rules.txt'), 'You are a strict nephrologist.');
    writeFileSync(join(cwd, 'system.txt'), 'You are the assistant of ward 7.');
    writeFileSync(join(cwd, 'template.txt'), 'A patient writes: {{question}}\nAnswer kindly.');
    const own = ['--set', 'systemFile=system.txt', '--set', 'templateFile=template.txt'];
    expect((await run(cwd, ...own, '--set', 'judgeInstructions=rules.txt')).code).toBe(0);
    expect(asked[0]!.body.messages).toEqual([
      { role: 'system', content: 'You are the assistant of ward 7.' },
      { role: 'user', content: 'A patient writes: Question number 0?\nAnswer kindly.' },
    ]);
    expect(judged[0]!.body.messages[0]!.content).toContain('You are a strict nephrologist.');
    const html = await krisis(['report', 'run.db', '--format', 'html'], { cwd, env: ENV });
    for (const text of ['ward 7', 'A patient writes', 'strict nephrologist'])
      expect(html.stdout).toContain(text);
    const other = await run(cwd);
    expect([other.code, other.stderr]).toEqual([2, expect.stringContaining('prompt_hash')]);
    writeFileSync(join(cwd, 'template.txt'), 'No place for it');
    const refused = await run(cwd, ...own);
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('{{question}}')]);
  });

  it('checks claims that match no item against a source, in a second call, and never without one', async () => {
    const cwd = workingFolder();
    questions(cwd, ITEMS, 1);
    answer = 'Paracetamol. Drink two litres a day. Salt is harmless. Bananas cure gout.';
    writeFileSync(join(cwd, 'leaflet.txt'), 'Drink two litres a day. Salt raises blood pressure.');
    const listed = {
      claims: [
        { claim: 'Drink two litres a day', verdict: 'supported', source: 'two litres a day' },
        { claim: 'Salt is harmless', verdict: 'contradicted', source: 'Salt raises blood pressure' },
        // Not in the source: a judge's own knowledge is none.
        { claim: 'Bananas cure gout', verdict: 'supported', source: 'bananas cure gout' },
        // Not in the answer: made up.
        { claim: 'Eat no meat', verdict: 'unsupported', source: '' },
      ],
    };
    await run(cwd);
    expect(readRun(join(cwd, 'run.db')).judging!.claims).toBeNull();
    expect(judged).toHaveLength(1);
    claims = JSON.stringify(listed);
    const { code, stdout } = await run(cwd, '--set', 'claims=leaflet.txt', '--full');
    expect([code, judged.length]).toEqual([0, 1]);
    expect(stdout).toContain('Claims that match no item');
    expect(readRun(join(cwd, 'run.db')).judging!.claims).toMatchObject({
      source: { name: 'leaflet.txt' },
      nClaims: 3,
      pooled: 1 / 3,
      contradictedShare: 1 / 3,
      answersWithUnsupported: 1,
      nFailed: 0,
    });
    expect(claimCalls).toBe(1);
    await run(cwd, '--set', 'claims=leaflet.txt');
    expect(claimCalls).toBe(1);
  });
});
