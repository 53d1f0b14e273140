import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createRandom } from '../src/statistics/random.ts';
import { RunFile } from '../src/store/run-file.ts';
import { emulator, workingFolder } from './emulated-run.ts';
import { krisis } from './krisis.ts';

const MODEL = 'openai-compatible/writer';
const JUDGE = 'openai-compatible/judge';

/** Twenty questions of three items each, none of them protected. */
function questions(folder: string): string {
  const lines = [
    'name: demo/open',
    'sensitivity: synthetic',
    'rubric:',
    '  metric_traits:',
    '    - { name: advice, metrics: [precision, recall, f1], tp_instructions: [Names ibuprofen, Advises a potassium test, Names paracetamol] }',
    'questions:',
    ...Array.from({ length: 20 }, (_, i) => `  - { id: q${i}, question: "Question number ${i}?" }`),
  ];
  const path = join(folder, 'questions.yaml');
  writeFileSync(path, `${lines.join('\n')}\n`);
  return path;
}

const run = (folder: string, url: string, ...more: string[]) => [
  'run',
  questions(folder),
  '--model',
  MODEL,
  '--judge',
  JUDGE,
  '--base-url',
  `${url}/v1`,
  '--set',
  `judgeBaseUrl=${url}/v1`,
  '--no-cache',
  ...more,
];

/** What is in the run file of a folder that has one run. */
function stored(folder: string) {
  const runs = join(folder, '.krisis/runs');
  const [name] = readdirSync(runs).filter((file) => file.endsWith('.db'));
  const file = RunFile.read(join(runs, name!));
  try {
    return {
      path: join(runs, name!),
      answers: [...file.rows.read({ all: true })].map(({ id, state, rawResponse }) => [
        id,
        state,
        rawResponse,
      ]),
      judgements: [...file.judgements.read()].map(({ recordId, judge, pass, outcome }) => ({
        recordId,
        judge,
        pass,
        outcome,
      })),
    };
  } finally {
    file.close();
  }
}

describe('open questions', () => {
  it('are answered and judged over real HTTP, and reported', async () => {
    const folder = workingFolder();
    const { url, stats } = await emulator();
    const { code, stdout, stderr } = await krisis(run(folder, url, '--json'), { cwd: folder });
    const { host } = new URL(url);
    const asked = ['writer', 'judge'].map((name) => `asking openai-compatible/${name} at ${host}\n`);
    expect([code, stderr]).toEqual([0, asked.join('')]);
    expect(JSON.parse(stdout)).toMatchObject({ status: 'complete', ledger: { n: 20, answered: 20 } });
    expect((await stats()).requests).toBe(40);
    const { path, judgements } = stored(folder);
    expect(judgements).toHaveLength(20);
    expect(join(folder, JSON.parse(stdout).run_file)).toBe(path);
    for (const format of ['text', 'json', 'md', 'html']) {
      const first = await krisis(['report', path, '--format', format], { cwd: folder });
      expect([first.code, first.stderr]).toEqual([0, '']);
      expect(first.stdout).toContain('advice');
      expect((await krisis(['report', path, '--format', format], { cwd: folder })).stdout).toBe(first.stdout);
    }
  });

  it('are judged again by another judge, in several passes and by more traits, without being asked again', async () => {
    const folder = workingFolder();
    const { url, stats, reset } = await emulator();
    await krisis(run(folder, url, '--json'), { cwd: folder });
    const { path, answers } = stored(folder);
    await reset();
    const judge = [
      'judge',
      path,
      '--judge',
      'openai-compatible/second',
      '--base-url',
      `${url}/v1`,
      '--no-cache',
    ];
    expect((await krisis([...judge, '--passes', '2', '--json'], { cwd: folder })).code).toBe(0);
    expect((await stats()).requests).toBe(40);
    writeFileSync(
      join(folder, 'more.yaml'),
      'metric_traits:\n  - { name: dose, metrics: [recall], tp_instructions: [Gives a dose] }\n',
    );
    const { code, stdout } = await krisis([...judge, '--rubric', 'more.yaml', '--json'], { cwd: folder });
    expect(code).toBe(0);
    expect(stdout).toContain('dose');
    expect(stored(folder).answers).toEqual(answers);
  });

  it('are judged by the lists of the second protocol as well, side by side with the verdicts', async () => {
    const folder = workingFolder();
    const { url, stats } = await emulator();
    const { code, stdout } = await krisis(run(folder, url, '--json', '--set', 'buckets=true'), {
      cwd: folder,
    });
    expect(code).toBe(0);
    expect((await stats()).requests).toBe(60);
    const { list_level: lists } = JSON.parse(stdout);
    expect(lists).toMatchObject([{ trait: 'advice', judge: JUDGE, n_failed: 0 }]);
    expect(lists[0].metrics.recall.pooled.value).toBe(0.5);
    // The result in the run file has the judge's own lists, answer by answer.
    const full = JSON.parse(
      (await krisis(['report', stored(folder).path, '--json'], { cwd: folder })).stdout,
    );
    expect(full.list_level[0].answers[0]).toMatchObject({
      question_id: expect.any(String),
      lists: { tp: expect.any(Array), fn: expect.any(Array), fp: expect.any(Array) },
    });
    const text = (await krisis(['report', stored(folder).path], { cwd: folder })).stdout;
    expect(text).toContain(`advice, as ${JUDGE} lists it`);
  });

  it('lose nothing to a judge whose replies are garbage a tenth of the time', async () => {
    const [clean, spoiled] = [workingFolder(), workingFolder()];
    const good = await emulator();
    await krisis(run(clean, good.url), { cwd: clean });
    const bad = await emulator({ malformedShare: 0.1, malformedSingles: true, faultsPass: 'by_chance' });
    const { code } = await krisis(run(spoiled, bad.url, '--json'), { cwd: spoiled });
    expect(code).toBe(0);
    const verdictsOf = (folder: string) =>
      new Map(
        stored(folder).judgements.flatMap(({ recordId, outcome }) =>
          (outcome as { verdicts: { id: string; verdict: string }[] }).verdicts.map(
            ({ id, verdict }) => [`${recordId}:${id}`, verdict] as const,
          ),
        ),
      );
    const expected = verdictsOf(clean);
    const found = verdictsOf(spoiled);
    expect(found.size).toBe(expected.size);
    for (const [item, verdict] of found)
      if (verdict !== 'judge_error') expect([item, verdict]).toEqual([item, expected.get(item)]);
  });

  it('survive ten kills between answers and verdicts: nothing that came back is asked again', async () => {
    const [undisturbed, folder] = [workingFolder(), workingFolder()];
    const plain = await emulator();
    await krisis(run(undisturbed, plain.url), { cwd: undisturbed });
    const { url, stats } = await emulator({ latencyMs: 60 });
    const random = createRandom(5);
    const concurrency = 4;
    const args = run(folder, url, '--max-concurrency', String(concurrency));
    const kills = 10;
    for (let i = 0; i < kills; i++) {
      const child = spawn(process.execPath, [resolve('bin/krisis.js'), ...args], {
        cwd: folder,
        stdio: 'ignore',
      });
      const ended = once(child, 'exit');
      await Promise.race([ended, sleep(350 + random.integer(500))]);
      child.kill('SIGKILL');
      await ended;
    }
    expect((await krisis(args, { cwd: folder })).code).toBe(0);
    const [calm, rough] = [stored(undisturbed), stored(folder)];
    expect(rough.answers).toEqual(calm.answers);
    expect(
      rough.judgements.map(({ recordId, outcome }) => [
        recordId,
        (outcome as { verdicts: unknown }).verdicts,
      ]),
    ).toEqual(
      calm.judgements.map(({ recordId, outcome }) => [recordId, (outcome as { verdicts: unknown }).verdicts]),
    );
    const { okByPrompt } = await stats();
    const again = Object.entries(okByPrompt).reduce((sum, [times, n]) => sum + (Number(times) - 1) * n, 0);
    expect(again).toBeLessThanOrEqual(kills * concurrency);
  }, 120_000);
});

describe('without a key', () => {
  it('the bundled suite runs, and its references satisfy its rubric', async () => {
    const folder = workingFolder();
    const { code, stdout } = await krisis(
      ['run', 'open/clinical', '--model', 'baseline/reference', '--judge', 'baseline/lexical', '--json'],
      { cwd: folder },
    );
    expect(code).toBe(0);
    expect(JSON.parse(stdout).ledger).toMatchObject({ n: 26, answered: 22, abstained: 4 });
  });

  it('answers recorded elsewhere are judged, and a judge is compared with people', async () => {
    const folder = workingFolder();
    cpSync('examples/questions', join(folder, 'questions'), { recursive: true });
    const { code, stdout, stderr } = await krisis(
      [
        'judge',
        '--answers',
        'questions/answers.jsonl',
        '--questions',
        'questions/questions.yaml',
        '--judge',
        'baseline/lexical',
        '--json',
      ],
      { cwd: folder },
    );
    expect([code, stderr]).toEqual([0, '']);
    expect(JSON.parse(stdout).ledger.n).toBe(3);
    const labelled = await krisis(
      ['report', stored(folder).path, '--labels', 'questions/human-labels.jsonl', '--format', 'json'],
      { cwd: folder },
    );
    expect([labelled.code, labelled.stderr]).toEqual([0, '']);
    expect(labelled.stdout).toContain('kappa');
  });

  it('a suite can be looked at before it is run', async () => {
    const { code, stdout } = await krisis(['check', 'open/clinical', '--json']);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      kind: 'questions',
      n_questions: 26,
      deferral: { must_defer: 4, must_answer: 22, unlabelled: 0 },
    });
    expect((await krisis(['check', 'open/bcl2'])).stdout).toContain('judged by');
  });

  it('the probes show that the baseline can be misled', async () => {
    const { code, stdout } = await krisis(['judge', '--probes', '--judge', 'baseline/lexical', '--json']);
    expect(code).toBe(1);
    const { n, n_right: nRight, passed } = JSON.parse(stdout);
    expect(passed).toBe(false);
    expect(nRight).toBeGreaterThan(0);
    expect(nRight).toBeLessThan(n);
  });

  it.each([
    [['run', 'open/clinical', '--model', 'baseline/reference'], 'a judge'],
    [
      ['run', 'open/clinical', '--model', 'baseline/majority', '--judge', 'baseline/lexical'],
      'cannot answer open questions',
    ],
    [
      ['run', 'open/clinical', '--model', 'baseline/reference', '--judge', 'simulated/careful'],
      'no judge "simulated/careful"',
    ],
    [
      ['run', 'open/clinicall', '--model', 'baseline/reference', '--judge', 'baseline/lexical'],
      'open/clinical',
    ],
    [['judge', '--judge', 'baseline/lexical'], 'which answers?'],
    [['judge', 'no-such-run', '--judge', 'baseline/lexical'], 'no such run'],
    [['judge', '--answers', 'none.jsonl', '--judge', 'baseline/lexical'], '--rubric FILE'],
  ])('%j: exit code 2 and a clear line', async (args, message) => {
    const { code, stdout, stderr } = await krisis(args, { cwd: workingFolder() });
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(message);
  });

  it('are planned, and not asked, with --dry-run', async () => {
    const folder = workingFolder();
    writeFileSync(
      join(folder, 'krisis.config.ts'),
      `const never = async () => { throw new Error('a plan asks nothing'); };
       const named = (name) => ({ name, evaluate: never, evaluateBatch: never, generate: never, cost: ({ inputTokens }) => inputTokens / 1e6 });
       export default { backends: [named('ward/model'), named('ward/judge')] };`,
    );
    const args = ['run', 'open/clinical', '--model', 'ward/model', '--judge', 'ward/judge', '--dry-run'];
    const { code, stdout } = await krisis([...args, '--limit', '4', '--set', 'passes=2', '--json'], {
      cwd: folder,
    });
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      dry_run: true,
      suite: 'open/clinical',
      plan: [
        {
          model: 'ward/model',
          records: 4,
          calls: 4,
          estimated_cost_usd: expect.any(Number),
          judging: { judge: 'ward/judge', calls: 8, estimated_input_tokens: expect.any(Number) },
        },
      ],
    });
    expect((await krisis(args, { cwd: folder })).stdout).toMatch(
      /26 cases in 26 calls, about \d+ input tokens, about \$[\d.]+ without reasoning; judged by ward\/judge in 26 calls, .*; nothing was asked/,
    );
    expect(readdirSync(folder).filter((name) => !name.startsWith('krisis.config'))).toEqual([]);
  });

  it('a protected file of questions leaves no trace of its questions', async () => {
    const folder = workingFolder();
    writeFileSync(
      join(folder, 'q.yaml'),
      'name: ward/open\nquestions:\n  - { id: a, question: "CANARY-77 asks?", reference: "No CANARY here.", should_abstain: false }\n',
    );
    const { code } = await krisis(
      ['run', 'q.yaml', '--model', 'baseline/reference', '--judge', 'baseline/lexical', '--json'],
      { cwd: folder },
    );
    expect(code).toBe(0);
    const { path } = stored(folder);
    expect(readFileSync(path, 'latin1')).not.toContain('CANARY-77');
  });
});
