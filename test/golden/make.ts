import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { runInNewContext } from 'node:vm';
import { krisis } from '../krisis.ts';
import { goodJudge, judgeOf, runInto } from '../question-run-fixture.ts';
import { judgedRun, label } from '../reviewed-run.ts';
import { type Golden, jsonNumbers, shownNumbers } from './numbers.ts';

const EXAMPLES = resolve('examples');
const FORMATS = ['json', 'text', 'md', 'html'] as const;

/** A Python result as `json.dumps` writes it, small enough to read. */
const PYTHON_RESULT = {
  backend_name: 'api:openai/some-model',
  suite: { domain: 'CKD', task: 'staging', seed: 42 },
  metrics: {
    accuracy: {
      name: 'accuracy',
      value: 0.99,
      n_evaluated: 60,
      n_abstained: 15,
      breakdown: {},
      details: {},
    },
  },
  extras: { elapsed_seconds: 3 },
  evaluation_results: Array.from({ length: 60 }, (_, i) => ({
    prediction: i % 4 === 0 ? null : 1 + (i % 5),
    ground_truth: i % 3 === 0 ? 1 : 1 + (i % 5),
    abstained: i % 4 === 0,
    confidence: 0.5 + (i % 6) / 12,
    metadata: { should_abstain: i % 8 === 0 },
  })),
};

/**
 * Makes eight runs of different kinds and returns the numbers of every output: JSON by key, and the numbers that text, Markdown, HTML and the data of the page show.
 */
export async function makeGolden(): Promise<Golden> {
  const folder = mkdtempSync(join(tmpdir(), 'krisis-golden-'));
  try {
    await makeRuns(folder);
    const golden: Golden = {};
    for (const name of readdirSync(folder)
      .filter((file) => /^[a-z]+\.db$/.test(file))
      .sort()) {
      const run = name.replace('.db', '');
      golden[run] = { json: {}, text: [], md: [], html: [], page: [] };
      for (const format of FORMATS) {
        const { stdout } = await command(folder, 'report', name, '--format', format);
        if (format === 'json') golden[run].json = jsonNumbers(JSON.parse(stdout));
        else golden[run][format] = shownNumbers(stdout);
      }
      golden[run].page = await pageNumbers(folder, run);
    }
    return golden;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function makeRuns(folder: string): Promise<void> {
  const at = (name: string) => join(folder, name);
  const run = (...args: string[]) => command(folder, 'run', ...args);
  const flaky = 'simulated/flaky';
  await run('ckd/staging', '-m', flaky, '--limit', '160', '--group-by', 'sex', '--run', 'labels.db');
  await run(
    ...['hypertension/treatment', '-m', 'simulated/careful', '--limit', '400', '--run', 'stopped.db'],
    ...['--assert', 'accuracy >= 0.3', '--stop-early', '--max-concurrency', '1'],
  );
  await run('diabetes/control', '-m', flaky, '--limit', '80', '--shard', '1/2', '--run', 'shard.db');
  writeFileSync(
    at('sodium.yaml'),
    readFileSync(join(EXAMPLES, 'table-suite/suite.yaml'), 'utf8').replace(/^sensitivity:.*$/m, ''),
  );
  writeFileSync(at('sodium.csv'), readFileSync(join(EXAMPLES, 'table-suite/sodium.csv')));
  await run('sodium.yaml', '-m', flaky, '--run', 'protected.db');
  writeFileSync(at('python.json'), JSON.stringify(PYTHON_RESULT));
  await command(folder, 'runs', 'import', 'python.json', '--run', 'imported.db');
  await runInto(at('text.db'));
  const strict = judgeOf(() => ({ traits: { 'krisis.abstained': false, plain_words: 2 } }), 'unit/strict');
  await runInto(at('jury.db'), { judge: [goodJudge('unit/a'), strict, goodJudge('unit/b')] });
  const { path, say } = await judgedRun(at('reviewed.db'));
  label(path, say, { kind: 'verdict', n: 90, double: 30, seed: 1 });
}

async function command(cwd: string, ...args: string[]) {
  const ran = await krisis(args, { cwd });
  if (ran.code === 2 || ran.code === 70) throw new Error(`krisis ${args.join(' ')}: ${ran.stderr}`);
  return ran;
}

/** Numbers in the data that an exported page loads, apart from those of single records. */
async function pageNumbers(folder: string, run: string): Promise<string[]> {
  const site = join(folder, `site-${run}`);
  await command(folder, 'view', `${run}.db`, '--export', site);
  const numbers = new Set<string>();
  for (const name of readdirSync(join(site, 'data')).filter((file) => !file.startsWith('records'))) {
    const data: unknown[] = [];
    const script = readFileSync(join(site, 'data', name), 'utf8');
    runInNewContext(script.replace(/function krisisData[^}]*}/, ''), {
      krisisData: (_: string, value: unknown) => data.push(value),
    });
    for (const number of Object.values(jsonNumbers(data)))
      if (number !== null) numbers.add(String(Number(number.toPrecision(6))));
  }
  return [...numbers].sort();
}
