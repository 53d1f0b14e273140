import { cpSync, globSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { evalFile } from './interop.ts';
import { krisis } from './krisis.ts';
import { spreadsheet } from './spreadsheet-fixture.ts';
import { helpExamples, shellWords } from './suggested.ts';

/** The examples of help texts are run, in a folder that holds the files they name. */

const root = mkdtempSync(join(tmpdir(), 'krisis-help-'));
const cwd = join(root, 'study');
afterAll(() => rmSync(root, { recursive: true }));

/**
 * Examples that call a provider, wait for a person, need a queue or files of other programs; and
 * `krisis run`, `krisis view` and `krisis review`, which have end-to-end tests of their own.
 */
const NOT_RUN =
  /openai|anthropic|^krisis (?:run |run$|view|review|ops worker|ops bulk|runs merge|runs rm simulated)|results\.|healthbench|parquet|people.jsonl|received/;

const TABLE = ['id,prediction,ground_truth,abstained,confidence,sex'];
for (let i = 0; i < 30; i += 1)
  TABLE.push(`p${i},${i % 4 ? 'em' : 'routine'},${i % 3 ? 'em' : 'routine'},false,80,${i % 2 ? 'f' : 'm'}`);
const csv = `${TABLE.join('\n').replaceAll(',80,', ',0.8,')}\n`;

beforeAll(async () => {
  for (const folder of ['study/runs', 'anna/runs', 'study/other/folder', 'study/.krisis/runs'])
    mkdirSync(join(root, folder), { recursive: true });
  const write = (name: string, text: string | Buffer) => writeFileSync(join(cwd, name), text);
  write('krisis.config.yaml', 'score: { bootstrap: 20 }\n');
  for (const name of ['answers.csv', 'triage.csv', 'a.csv', 'b.csv']) write(name, csv);
  for (const name of ['log.eval', 'gpt5.eval', 'claude.eval']) write(name, evalFile());
  const [head, ...rows] = TABLE.map((line) => line.split(','));
  write('answers.xlsx', spreadsheet({ Answers: [head!, ...rows] }));
  const asJson = rows.map(([id, prediction, ground_truth, , , sex], i) =>
    JSON.stringify({ id, prediction, ground_truth, confidence: 0.8, repeat: 1, sex, i }),
  );
  for (const name of ['run_1.jsonl', 'run_2.jsonl']) write(name, `${asJson.join('\n')}\n`);
  cpSync('examples/answers.jsonl', join(cwd, 'answers.jsonl'));
  cpSync('examples/questions/questions.yaml', join(cwd, 'q.yaml'));
  cpSync('examples/questions/questions.yaml', join(cwd, 'rubric.yaml'));
  cpSync('examples/questions/answers.jsonl', join(cwd, 'a.jsonl'));
  cpSync('conformance/rubrics.json', join(cwd, 'my-cases.json'));
  cpSync('examples/table-suite', cwd, { recursive: true });
  mkdirSync(join(root, 'empty'));
  writeFileSync(join(root, 'empty', 'cases.csv'), 'id,age,diagnosis\na,61,ill\nb,42,well\n');
  mkdirSync(join(root, 'set'));
  const question = { question: 'Which?', options: { A: 'x', B: 'y' }, answer_idx: 'A' };
  const packed = gzipSync(JSON.stringify({ id: 1, context: [], ...question }));
  writeFileSync(join(root, 'set', 'mediq_dev.jsonl.gz'), packed);
  const files = ['old', 'new', 'my-run', 'january', 'february', 'march', 'first', 'second'];
  for (const name of [...files, 'runs/january', 'runs/march', '../anna/runs/one'])
    await done('run', 'ckd/staging', '--model', 'simulated/overconfident', '--run', `${name}.db`);
  await done('run', 'open/clinical', '--model', 'baseline/reference', '--judge', 'baseline/lexical');
  for (const model of ['simulated/overconfident', 'simulated/careful'])
    await done('run', 'ckd/staging', '--model', model);
  await done('runs', 'note', 'simulated-careful', '--tag', 'baseline');
}, 300_000);

async function done(...args: string[]): Promise<void> {
  const ckd = args[1] === 'ckd/staging' ? ['--n-records', '40'] : [];
  const { code, stderr } = await krisis([...args, ...ckd], { cwd });
  expect([args, code, stderr]).toEqual([args, 0, stderr]);
}

it('the examples of help texts run', async () => {
  const lines = (await helpExamples()).filter((line) => !NOT_RUN.test(line));
  expect(lines.length).toBeGreaterThan(45);
  // A saved table would be the latest run, of another suite.
  const isSaved = (line: string) => Number(line.includes('--save'));
  const wrong: string[] = [];
  for (const line of lines.toSorted((a, b) => isSaved(a) - isSaved(b))) {
    const [, ...words] = shellWords(line);
    const args = words.flatMap((word) => (word.includes('*') ? globSync(word, { cwd }) : [word]));
    // Each writes a suite of its own.
    const empty = join(root, args.includes('mediq_dev.jsonl.gz') ? 'set' : 'empty');
    const { code, stderr } = await krisis(args, { cwd: args[0] === 'init' ? empty : cwd });
    // 1 and 3: a condition that fails or is undecided with these data.
    if (![0, 1, 3].includes(code!)) wrong.push(`${line}: exit code ${code}: ${stderr}`);
  }
  expect(wrong).toEqual([]);
}, 300_000);
