import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { krisis } from './krisis.ts';

/** Published multiple-choice sets from the command line: made-up questions in the form of their files. */
const cwd = mkdtempSync(join(tmpdir(), 'krisis-choices-'));
afterAll(() => rmSync(cwd, { recursive: true }));
const inFolder = (...args: string[]) => krisis(args, { cwd });
const write = (name: string, content: string | Uint8Array) => writeFileSync(join(cwd, name), content);

/** 90 questions; A is right in 40 of them, and every third has five options. */
const questions = Array.from({ length: 90 }, (_, i) => {
  const options = Object.fromEntries(['A', 'B', 'C', 'D'].map((key) => [key, `drug ${key}${i}`]));
  return {
    id: i,
    question: i % 2 ? `Which drug helps this patient in case ${i}?` : `Which drug lowers factor ${i}?`,
    context: [`A man of ${20 + i} has a cough.`, 'He smokes.', 'He is otherwise well.'],
    options: i % 3 ? options : { ...options, E: `drug E${i}` },
    answer_idx: i < 40 ? 'A' : 'BCD'[i % 3],
    facts: ['1. A cough.'],
    patient: { age: 20 + i },
  };
});

beforeAll(async () => {
  write('dev.jsonl.gz', gzipSync(questions.map((row) => JSON.stringify(row)).join('\n')));
  expect(await inFolder('init', 'table', 'dev.jsonl.gz')).toMatchObject({ code: 0 });
});

it('init recognises the set, and writes a suite with its preset', async () => {
  const yaml = readFileSync(join(cwd, 'suite.yaml'), 'utf8');
  expect(yaml).toMatch(/^# MediQ, .*https:\/\/github.com\/stellalisy\/mediQ \(CC BY 4.0\)/);
  expect(yaml).toContain('preset: mediq\nname: mediq/dev\nfile: dev.jsonl.gz');
  const { code, stdout } = await inFolder('check', 'suite.yaml');
  expect(code).toBe(0);
  expect(stdout).toContain('The model sees 7 columns: Question, Context, A, B, C, D, E.');
  expect(stdout.replace(/\s+/g, ' ')).toContain('public questions are in the training data of models');
  expect(stdout).toMatch(/always A +44.4 %\n {2}chance +23.3 %/);
});

it('says where each set is published, and under which licence', async () => {
  const { stdout } = await inFolder('check', '--presets', '--json');
  const { presets } = JSON.parse(stdout);
  expect(presets.map(({ name, licence }: { name: string; licence: string }) => [name, licence])).toEqual([
    ['medqa', 'MIT'],
    ['medmcqa', 'Apache-2.0'],
    ['pubmedqa', 'MIT'],
    ['mmlu', 'MIT'],
    ['mediq', 'CC BY 4.0'],
  ]);
  expect((await inFolder('check', '--presets')).stdout).toContain('https://github.com/medmcqa/medmcqa');
});

it('runs both arms side by side, with chance and always A', async () => {
  const args = ['run', 'suite.yaml', '-m', 'simulated/careful', '--arm', 'plain,abstain'];
  const { code, stdout } = await inFolder(...args);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^mediq\/dev: 1 model in 2 arms on the same 90 cases/);
  expect(stdout).toMatch(/simulated\/careful, plain .*\n +simulated\/careful, abstain/);
  // 60 questions with 4 options and 30 with 5; A is right in 40 of 90.
  expect(stdout).toContain('without a model: always A 44.4 %, chance 23.3 %');
  const { runs } = JSON.parse((await inFolder(...args, '--json')).stdout);
  type Printed = { readonly arm: string; readonly ledger: { readonly abstained: number } };
  expect(runs.map(({ arm, ledger }: Printed) => [arm, ledger.abstained > 0])).toEqual([
    ['plain', false],
    ['abstain', true],
  ]);
  const both = await inFolder('run', 'suite.yaml', '-m', 'simulated/careful', '--arm', 'plain,abstian');
  expect([both.code, both.stderr]).toEqual([2, expect.stringContaining('has no arm "abstian"')]);
});

it('has variants of names and hashes of their own, and a curve of withheld evidence', async () => {
  const run = async (...more: string[]) => {
    const args = ['run', 'suite.yaml', '-m', 'simulated/careful', '--run', `${more.join('')}.db`, '--json'];
    return JSON.parse((await inFolder(...args, ...more)).stdout);
  };
  const whole = await run();
  const third = await run('--variant=evidence_removed', '--withheld=first_third');
  const all = await run('--variant=evidence_removed', '--withheld=all');
  const noRight = await run('--variant=no_right_option');
  const hashes = [whole, third, all, noRight].map(({ suite }) => suite.suite_hash);
  expect(new Set(hashes).size).toBe(4);
  expect(noRight.suite.name).toBe('mediq/dev.no_right_option_25');
  expect(noRight.metrics.answered_should_defer_rate.n_evaluated).toBeGreaterThan(10);
  expect(third.metrics.answered_should_defer_rate.value).toBeNull();
  // Every second question speaks of "this patient".
  expect(all.metrics.answered_should_defer_rate.n_evaluated).toBe(45);
  const files = [
    '.db',
    '--variant=evidence_removed--withheld=first_third.db',
    '--variant=evidence_removed--withheld=all.db',
  ];
  const { stdout } = await inFolder(
    'compare',
    ...files.map((file) => `./${file}`),
    '--allow-different-suites',
    '--full',
  );
  expect(stdout).toContain('What withheld evidence changes');
  expect(stdout).toMatch(/abstain +nothing [\s\S]+abstain +the first third [\s\S]+abstain +everything /);
});

describe('a file that no suite names yet', () => {
  it.each(['check', 'run'])('is a set to `krisis %s`, which says what to do', async (command) => {
    write('questions.jsonl', questions.map((row) => JSON.stringify(row)).join('\n'));
    const { code, stdout, stderr } = await inFolder(
      command,
      'questions.jsonl',
      ...(command === 'run' ? ['-m', 'x'] : []),
    );
    expect(code).toBe(2);
    const text = `${stdout}${stderr}`.replace(/\s+/g, ' ');
    expect(text).toContain('a multiple-choice set (MediQ, ');
    expect(text).toContain('krisis init table questions.jsonl');
  });
});

it('reads the other sets: lists in Parquet, columns from 1, an object by PMID', async () => {
  copyFileSync(resolve('test/fixtures/choices/mmlu.parquet'), join(cwd, 'mmlu.parquet'));
  const rows = questions.map(({ id, question, options }, i) => {
    const [opa, opb, opc, opd] = Object.values(options);
    return {
      id: `m${id}`,
      question,
      opa,
      opb,
      opc,
      opd,
      cop: (i % 4) + 1,
      subject_name: i % 2 ? 'Surgery' : 'ENT',
    };
  });
  write('medmcqa.jsonl', rows.map((row) => JSON.stringify(row)).join('\n'));
  const pubmed = questions.map(({ id, question, context }, i) => [
    `${1000 + id}`,
    { QUESTION: question, CONTEXTS: context, LABELS: [], final_decision: ['yes', 'no', 'maybe'][i % 3] },
  ]);
  write('pqa.json', JSON.stringify(Object.fromEntries(pubmed)));
  const made: unknown[] = [];
  for (const file of ['mmlu.parquet', 'medmcqa.jsonl', 'pqa.json']) {
    rmSync(join(cwd, 'suite.yaml'), { force: true });
    expect(await inFolder('init', 'table', file)).toMatchObject({ code: 0 });
    const { code, stdout } = await inFolder('check', 'suite.yaml', '--json');
    const { n_records: n, labels, preset } = JSON.parse(stdout);
    const ran = await inFolder('run', 'suite.yaml', '-m', 'baseline/always-first');
    made.push([code, preset, n, labels, ran.code]);
  }
  expect(made).toEqual([
    [0, 'mmlu', 4, { A: 2, B: 2 }, 0],
    [0, 'medmcqa', 90, { A: 23, B: 23, C: 22, D: 22 }, 0],
    [0, 'pubmedqa', 90, { yes: 30, no: 30, maybe: 30 }, 0],
  ]);
});
