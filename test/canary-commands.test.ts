import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { Socket } from 'node:net';
import { join, relative } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  command as commandIn,
  countIn,
  KEYS,
  query,
  start,
  tableSuite,
  until,
  workingFolder,
} from './emulated-run.ts';
import { everyAddress } from './every-address.ts';
import type { Ran } from './krisis.ts';
import { loopbackServer, type Received, sendJson } from './loopback-server.ts';
import { readAsked } from './scripted-judge.ts';
import { textIn } from './text-in-file.ts';

/**
 * Two protected suites, one of labels and one of open questions, taken through every command, format and failure. The provider repeats what it was shown wherever it can, in many spellings.
 * Nothing of the patients, and no key, may be in any file that was written or in any word that was printed.
 */
const KEY = KEYS.OPENAI_COMPATIBLE_API_KEY!;

/** The spellings in which the provider repeats the patient and the key. */
const QUOTED = [
  'Zoltán Quibblewick, ZOLTÁN QUIBBLEWICK, Quibblewick Zolta\u0301n, Quibble-\nwick, Z o l t á n Q u i b b l e w i c k, Quib\u200bble\u200bwick',
  '1961-05-03, 03.05.1961, 3 May 1961, May 3rd, 1961, 19610503, 1961 05 03',
  '839172645.5, 839,172,645.5, 839 172 645,5, 8 3 9 1 7 2 6 4 5, 839172646',
  'bakes MARMALADECAKE, marmalade-cake',
  `${KEY}, ${KEY.toUpperCase()}, ${KEY.slice(0, 9)} ${KEY.slice(9)}, ${[...KEY].join('\n')}`,
].join('; ');

/** What of it is looked for, in letters and digits only. */
const CANARIES = [
  'quibblewick',
  'zoltan',
  '19610503',
  '03051961',
  '3may1961',
  'may3rd1961',
  '839172645',
  '839172646',
  'marmaladecake',
  'kanariengasse',
  letters(KEY),
];

/** Another way than the program's: all of a text at once. */
function letters(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/[^\p{L}\p{N}]/gu, '')
    .toLowerCase();
}

function found(text: string): string[] {
  // Also as a reader of JSON sees it: there a line break is a backslash and an n.
  const plain = [letters(text), letters(text.replace(/\\+([nrt]|u00[01][0-9a-f])/gi, ''))];
  return CANARIES.filter((canary) => plain.some((form) => form.includes(canary)));
}

function everyFile(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile());
}

/** Temporary files and the user's own folder are in the working folder, so that they are searched as well. */
function foldersIn(cwd: string): Readonly<Record<string, string>> {
  const [TMPDIR, HOME] = [join(cwd, 'tmp'), join(cwd, 'home')];
  for (const folder of [TMPDIR, HOME]) mkdirSync(folder, { recursive: true });
  // Compiled code holds the examples of its comments, and no data.
  return { TMPDIR, TMP: TMPDIR, TEMP: TMPDIR, HOME, NODE_DISABLE_COMPILE_CACHE: '1' };
}

const command = (args: readonly string[], cwd: string) => commandIn(args, cwd, foldersIn(cwd));

/** The addresses of the viewer, on every run of a folder, whose answers hold something of patients or keys. */
async function leaksInViewer(cwd: string): Promise<Record<string, string[]>> {
  const answers = await everyAddress('.', cwd, foldersIn(cwd));
  // Rows and details of every kind of run did come.
  const good = [...answers].filter(([, answer]) => answer.startsWith('200 '));
  expect(good.length).toBeGreaterThan(9);
  const all = [...answers].map(([path, answer]) => [path, found(answer)] as const);
  return Object.fromEntries(all.filter(([, canaries]) => canaries.length > 0));
}

function leaks(folder: string, ...said: readonly Ran[]): Record<string, string[]> {
  const inFiles = everyFile(folder).map((path) => [relative(folder, path), found(textIn(path))] as const);
  const inWords = said.map(
    ({ stdout, stderr }, i) => [`words of command ${i + 1}`, found(`${stdout}\n${stderr}`)] as const,
  );
  return Object.fromEntries([...inFiles, ...inWords].filter(([, canaries]) => canaries.length > 0));
}

/** Every host that this process connects to, and so the commands that run in it. */
const hosts = new Set<unknown>();
const connect = Socket.prototype.connect;
beforeAll(() => {
  Socket.prototype.connect = function (this: Socket, ...args: unknown[]) {
    const [first] = args.flat();
    hosts.add(typeof first === 'object' && first !== null && 'host' in first ? first.host : first);
    return Reflect.apply(connect, this, args);
  };
});
afterAll(() => {
  Socket.prototype.connect = connect;
  expect([...hosts]).toEqual(['127.0.0.1']);
});

const servers: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

interface Body {
  readonly messages: readonly { readonly role: 'system' | 'user'; readonly content: string }[];
}

/** A provider that is wrong in every way in turn. `good` makes it answer, still with all that it was shown. */
async function provider(good = false) {
  let n = 0;
  const server = await loopbackServer((received, response) => {
    const { messages } = JSON.parse(received.body) as Body;
    const said = messages.some(({ content }) => content.includes('carries the code'))
      ? judged({ messages })
      : labelled(messages)
        ? `The case as I read it: ${QUOTED}\n${ANSWER}`
        : `${QUOTED}. Avoid ibuprofen.`;
    const reply = (content: string, finish_reason = 'stop') =>
      sendJson(
        response,
        {
          id: `chatcmpl-${QUOTED}`,
          object: 'chat.completion',
          created: 0,
          model: `m ${QUOTED}`,
          choices: [{ index: 0, finish_reason, message: { role: 'assistant', content } }],
          usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
        },
        200,
        { 'x-request-id': encodeURIComponent(QUOTED) },
      );
    const wrong = [
      () => reply(said),
      () => reply(`I would rather talk about ${QUOTED}`),
      () => reply(`I'm sorry, I can't help with that: ${QUOTED}`),
      () => {
        response.writeHead(500, { 'content-type': 'text/html' });
        response.end(`<html><body>${QUOTED}</body></html>`);
      },
      () =>
        sendJson(response, { error: { message: `slow down, ${QUOTED}`, code: QUOTED } }, 429, {
          'retry-after': '0',
        }),
      () => sendJson(response, { error: { message: `cannot take ${QUOTED}`, code: 500 } }),
      () =>
        reply(
          JSON.stringify({
            ...JSON.parse(ANSWER),
            prediction: QUOTED,
            confidence: 839172645.5,
            reason: QUOTED,
          }),
        ),
      () => reply(`${said}`.slice(0, 120), 'length'),
      () => reply(JSON.stringify({ ...JSON.parse(ANSWER), abstained: QUOTED })),
    ];
    (good ? wrong[0]! : wrong[n++ % wrong.length]!)();
  });
  servers.push(server);
  return server;
}

const ANSWER = JSON.stringify({
  reasoning: QUOTED,
  abstained: false,
  prediction: 'ill',
  confidence: 0.8,
  reason: null,
});

function labelled(messages: Body['messages']): boolean {
  return messages.some(({ content }) => content.includes('prediction'));
}

/** A judge that quotes the patient in verdicts, and judges what it was not asked. */
function judged(body: Body): string {
  const { items, traits } = readAsked(body);
  const verdicts = items.map(({ id }) => ({
    id,
    verdict: 'present',
    quotes: ['Avoid ibuprofen', 'Quibblewick, ZOLTÁN', QUOTED],
  }));
  return JSON.stringify({
    verdicts: [...verdicts, { id: QUOTED, verdict: 'present', quotes: [QUOTED] }],
    traits: [...traits.map(({ name }) => ({ name, value: false })), { name: QUOTED, value: QUOTED }],
  });
}

const N = 18;
const PATIENTS = Array.from({ length: N }, (_, i) => ({
  id: `p${i}`,
  label: i % 3 === 0 ? 'ill' : 'well',
  name: 'Zoltán Quibblewick',
  born: '1961-05-03',
  ferritin: 839172645.5,
  note: `Bakes marmaladecake in Kanariengasse; visit ${i}`,
  nurse: 'Zoltán Quibblewick',
  site: i % 2 === 0 ? 'north' : 'south',
  person: `Quibblewick ${i % 6}`,
  defer: i % 4 === 0 ? 'true' : 'false',
  why: i % 4 === 0 ? 'Zoltán Quibblewick said so; missing_sodium' : '',
}));

/** Suites lie elsewhere: what is in the working folder was written by the commands. */
function labelSuite(more = ''): string {
  const folder = workingFolder();
  const path = tableSuite(folder, PATIENTS);
  writeFileSync(
    path,
    `name: own/patients\nfile: patients.csv\nid: id\nlabel: label\nlabels: [ill, well]\ncolumns: [name, born, ferritin, note]\nmetadata: [nurse]\ngroups: [site]\ncluster: person\nshould_abstain: defer\nshould_abstain_reasons: why\ninstructions: Is the patient ill or well?\n${more}`,
  );
  return path;
}

function questionSuite(more = ''): string {
  const path = join(workingFolder(), 'questions.yaml');
  const question =
    'Zoltán Quibblewick, born 1961-05-03, ferritin 839172645.5, of Kanariengasse, who bakes marmaladecake, asks: may I take pills?';
  writeFileSync(
    path,
    `name: own/questions\n${more}rubric:\n  metric_traits:\n    - { name: advice, metrics: [recall], tp_instructions: [Advises against ibuprofen] }\n  regex_traits:\n    - { name: names_it, pattern: ibuprofen }\nquestions:\n${Array.from(
      { length: 9 },
      (_, i) => `  - { id: q${i}, question: "${question} (${i})", should_abstain: false }\n`,
    ).join('')}`,
  );
  return path;
}

const asked = (server: { readonly url: string }) => [
  ...['--model', 'openai-compatible/m', '--base-url', `${server.url}/v1`],
  ...['--max-concurrency', '1', '--fail-on-error', '1'],
];

const FORMATS = ['text', 'json', 'metrics-json', 'md', 'html', 'junit', 'csv', 'latex'];

/** Every command that reads a run. */
async function everyReader(cwd: string, run: string): Promise<Ran[]> {
  const said: Ran[] = [];
  const say = async (...args: string[]) => said.push(await command(args, cwd));
  for (const format of FORMATS) {
    await say('report', run, '--format', format);
    await say('report', run, '--format', format, '-o', `${run}.${format}`);
  }
  await say('list');
  await say('list', '--json');
  await say('runs', 'verify', run);
  await say('runs', 'export', run, '-o', `${run}.krisis`);
  await say('runs', 'export', run, '-o', `${run}.all.krisis`, '--include-features');
  await say('view', run, '--export', `${run}.site`);
  await say('view', run, '--export', `${run}.site-with-text`, '--include-text');
  return said;
}

describe('protected records with labels', () => {
  it('leave nothing behind, whatever the provider does and whatever is made of the run', async () => {
    const cwd = workingFolder();
    const suite = labelSuite();
    const server = await provider();
    const said: Ran[] = [];
    const say = async (...args: string[]) => said.push(await command(args, cwd));
    for (const extra of [
      [],
      ['--json'],
      ['--batch-size', '4', '--run', 'batch.db'],
      ['--keep-text', '--run', 'kept.db'],
    ])
      await say(
        'run',
        suite,
        ...asked(server),
        ...(extra.includes('--run') ? [] : ['--run', 'own.db']),
        ...extra,
      );
    await say('run', suite, ...asked(server), '--dry-run');
    await say('run', suite, ...asked(server), '--budget', '0.0001', '--set', 'price=1,1', '--run', 'poor.db');
    await say('check', suite);
    await say('check', suite, '--json');
    await say('check', suite);
    for (const run of ['own.db', 'kept.db']) said.push(...(await everyReader(cwd, run)));
    await say('compare', 'own.db', 'batch.db', 'kept.db');
    await say('compare', 'own.db', 'batch.db', '--format', 'html', '-o', 'compared.html');
    for (const format of ['text', 'json', 'md', 'html']) {
      await say('threshold', 'own.db', '--format', format);
      await say('drift', 'own.db', 'kept.db', '--format', format);
    }
    await say('score', 'own.db.json', '--group-by', 'site');
    await say('check', suite, '--export', 'records.jsonl');
    expect(await leaksInViewer(cwd)).toEqual({});
    expect(leaks(cwd, ...said)).toEqual({});
    // The commands did work, the provider did see the patients, and texts did come.
    expect(said.filter(({ code }) => code === 70)).toEqual([]);
    expect(found(server.received.map(({ body }: Received) => body).join())).toEqual(
      expect.arrayContaining(['quibblewick', 'zoltan', '19610503', '839172645', 'marmaladecake']),
    );
    const states = query<{ state: string }>(join(cwd, 'own.db'), 'SELECT DISTINCT state FROM rows');
    expect(states.map(({ state }) => state).sort()).toEqual(['answered', 'invalid', 'refused']);
    expect(
      query(join(cwd, 'kept.db'), "SELECT 1 FROM all_calls WHERE raw_response LIKE '%█%'").length,
    ).toBeGreaterThan(0);
    // Whoever else uses the machine can read none of it.
    if (process.platform !== 'win32')
      for (const path of everyFile(cwd).filter((name) => /own\.db|kept\.db|compared/.test(name)))
        expect([path, isPrivate(path) || isAsset(path)]).toEqual([path, true]);
  });

  it('score the same from an export, by group and by cluster', async () => {
    const cwd = workingFolder();
    const server = await provider(true);
    const flags = ['--bootstrap', '200', '--group-by', 'site', '--json'];
    await command(['run', labelSuite(), ...asked(server), '--run', 'own.db', ...flags], cwd);
    await command(['report', 'own.db', '--format', 'json', '-o', 'own.json'], cwd);
    const exported = JSON.parse(readFileSync(join(cwd, 'own.json'), 'utf8'));
    expect(exported.evaluation_results[0].metadata).toEqual({
      person: 1,
      should_abstain: true,
      should_abstain_reasons: ['missing_sodium'],
      site: 'north',
    });
    const by = ['--group-by', 'site', '--cluster', 'person'];
    const ran = await command(['score', 'own.json', '--json', '--bootstrap', '200', ...by], cwd);
    const scored = JSON.parse(ran.stdout);
    expect([ran.code, scored.method.cluster]).toEqual([0, 'person']);
    for (const name of ['accuracy', 'decision_accuracy', 'unsafe_decision_rate', 'selective_accuracy']) {
      const { value, interval } = scored.metrics[name];
      const { value: own, interval: ownInterval } = exported.metrics[name];
      expect([name, value, interval]).toEqual([name, own, ownInterval]);
    }
    expect(scored.metrics.accuracy.interval).toMatchObject({ unit: expect.stringContaining('cluster') });
    expect(scored.subgroups).toEqual(exported.subgroups);
    expect(JSON.stringify(exported.subgroups)).toContain('south');
    // The CSV has the same rows.
    const csv = (await command(['report', 'own.db', '--format', 'csv'], cwd)).stdout.trim().split(/\r?\n/);
    const columns = csv[0]!.split(',');
    const cells = csv.slice(1).map((line) => line.split(','));
    const at = (name: string) => cells.map((line) => line[columns.indexOf(name)]);
    const rows: Record<string, unknown>[] = exported.evaluation_results;
    for (const name of ['id', 'ground_truth', 'prediction', 'state', 'confidence', 'ledger_class'])
      expect([name, at(name)]).toEqual([name, rows.map((row) => String(row[name]))]);
    const deferrals = rows.map(({ metadata }) => (metadata as Record<string, unknown>).should_abstain);
    expect(at('should_abstain')).toEqual(deferrals.map(String));
  });

  it('do not end in an error that quotes a long note', async () => {
    const cwd = workingFolder();
    const folder = workingFolder();
    const note = `${'Zoltan Quibblewick (the baker) walks slowly. '.repeat(900)}Kanariengasse`;
    const suite = tableSuite(
      folder,
      ['ill', 'well'].map((label, i) => ({ id: `p${i}`, label, note: `${note} ${i}` })),
    );
    for (const more of [[], ['--keep-text']]) {
      const server = await provider();
      const run = await command(['run', suite, ...asked(server), '--run', `${more.length}.db`, ...more], cwd);
      expect([run.code, run.stderr]).toEqual([0, expect.not.stringContaining('internal error')]);
      // Of what this provider repeats, only the note is in these records.
      const inNote = Object.values(leaks(cwd, run)).flat();
      for (const canary of ['quibblewick', 'zoltan', 'kanariengasse']) expect(inNote).not.toContain(canary);
    }
  });
});

describe('protected open questions', () => {
  it('leave nothing behind, whatever model and judge write', async () => {
    const cwd = workingFolder();
    const suite = questionSuite();
    const server = await provider();
    const good = await provider(true);
    const said: Ran[] = [];
    const say = async (...args: string[]) => said.push(await command(args, cwd));
    const judge = (at: { readonly url: string }) => [
      '--judge',
      'openai-compatible/j',
      '--set',
      `judgeBaseUrl=${at.url}/v1`,
    ];
    await say('run', suite, ...asked(server), ...judge(server), '--run', 'own.db', '--set', 'buckets=true');
    await say(
      'run',
      suite,
      ...asked(good),
      ...judge(good),
      '--run',
      'good.db',
      '--set',
      'passes=2',
      '--json',
    );
    await say('run', suite, ...asked(good), ...judge(good), '--run', 'kept.db', '--keep-text');
    expect(said[2]!.stderr).toContain('kept.db, with values of the cases blocked out (--keep-text)');
    await say('check', suite);
    for (const run of ['good.db', 'kept.db']) said.push(...(await everyReader(cwd, run)));
    await say('compare', 'own.db', 'good.db');
    const again = ['--judge', 'baseline/lexical', '--questions', suite];
    await say('judge', 'kept.db', ...again);
    const answers = join(workingFolder(), 'answers.jsonl');
    writeFileSync(
      answers,
      Array.from({ length: 9 }, (_, i) =>
        JSON.stringify({ id: `q${i}`, answer: `${QUOTED} Avoid ibuprofen.` }),
      ).join('\n'),
    );
    await say('judge', '--answers', answers, ...again, '--run', 'recorded.db');
    expect(said.slice(-2).map(({ code }) => code)).toEqual([0, 0]);
    await say('report', 'recorded.db', '--format', 'json');
    // Without their texts, answers cannot be judged again; the provider is not asked.
    const before = good.received.length;
    const refused = await command(
      [
        'judge',
        'good.db',
        '--judge',
        'openai-compatible/k',
        '--base-url',
        `${good.url}/v1`,
        '--questions',
        suite,
      ],
      cwd,
    );
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('--keep-text')]);
    expect(good.received.length).toBe(before);
    expect(await leaksInViewer(cwd)).toEqual({});
    expect(leaks(cwd, ...said, refused)).toEqual({});
    expect(said.filter(({ code }) => code === 70)).toEqual([]);
    expect(
      query(join(cwd, 'good.db'), 'SELECT 1 FROM judgements WHERE outcome LIKE \'%"present"%\'').length,
    ).toBe(18);
  });
});

describe('a kill between an answer and its verdict', () => {
  it('asks a protected question again, and says how many', async () => {
    const cwd = workingFolder();
    let isStuck = true;
    const received = { answers: 0, verdicts: 0 };
    const server = await loopbackServer(({ body }, response) => {
      const { messages } = JSON.parse(body) as Body;
      const isJudge = messages.some(({ content }) => content.includes('carries the code'));
      received[isJudge ? 'verdicts' : 'answers'] += 1;
      // Two answers are judged; the verdict on the third never comes.
      if (isJudge && isStuck && received.verdicts > 2) return;
      const content = isJudge ? judged({ messages }) : `${QUOTED}. Avoid ibuprofen.`;
      sendJson(response, {
        id: 'c',
        object: 'chat.completion',
        created: 0,
        model: 'm',
        choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content } }],
        usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
      });
    });
    servers.push(server);
    const suite = questionSuite();
    const args = [
      ...['run', suite, ...asked(server), '--run', 'own.db'],
      ...['--judge', 'openai-compatible/j', '--set', `judgeBaseUrl=${server.url}/v1`],
    ];
    const killed = start(args, cwd);
    const file = join(cwd, 'own.db');
    await until('two rows', () => countIn(file, 'SELECT count(*) FROM rows') === 2);
    await until('a third question of the judge', () => received.verdicts > 2);
    killed.child.kill('SIGKILL');
    const first = await killed.ended;
    isStuck = false;
    const again = await start(args, cwd).ended;
    const repeated = received.answers - 9;
    expect([again.code, repeated > 0]).toEqual([0, true]);
    expect(again.stderr).toContain(
      `${repeated === 1 ? '1 answer was' : `${repeated} answers were`} asked for again, because an earlier process was stopped`,
    );
    expect(countIn(file, 'SELECT count(*) FROM rows')).toBe(9);
    expect(leaks(cwd, first, again)).toEqual({});
  });
});

describe('the search', () => {
  it('finds the same canaries where the data are public', async () => {
    const cwd = workingFolder();
    const server = await provider(true);
    const flags = [...asked(server), '--run', 'own.db'];
    const labels = await command(['run', labelSuite('sensitivity: public\n'), ...flags], cwd);
    expect(labels.code).toBe(0);
    expect(leaks(cwd)['own.db']).toEqual(
      expect.arrayContaining([
        'quibblewick',
        'zoltan',
        '19610503',
        '03051961',
        '3may1961',
        '839172645',
        'marmaladecake',
      ]),
    );
    // A key is in no file, whatever the data are.
    expect(leaks(cwd)['own.db']).not.toContain(letters(KEY));
  });
});

function isPrivate(path: string): boolean {
  return (statSync(path).mode & 0o077) === 0;
}

/** The page of the viewer itself holds no data. */
function isAsset(path: string): boolean {
  return /\.site[^/]*\/(?!data\/)/.test(path);
}
