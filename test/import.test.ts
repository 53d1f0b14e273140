import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { krisis } from './krisis.ts';

const cwd = mkdtempSync(join(tmpdir(), 'krisis-import-'));
afterAll(() => rmSync(cwd, { recursive: true }));
const importing = (...args: string[]) => krisis(['runs', 'import', ...args], { cwd });

const metric = (name: string, value: number | null, more: object = {}) => ({
  [name]: { name, value, n_evaluated: 160, n_abstained: 30, breakdown: {}, details: {}, ...more },
});
// As json.dumps writes it: NaN is bare.
const published = JSON.stringify({
  metrics: {
    ...metric('Accuracy', 0.76875, { details: { n_correct: 123 } }),
    ...metric('Abstention Rate', 0.1875),
    ...metric('Answer Rate (Coverage)', 0.8125),
    ...metric('Selective Accuracy (answered only)', 0.946),
    ...metric('Brier Score', null),
  },
  execution: { elapsed_seconds: 24.5, token_total: 57105, n_input_records: 160 },
}).replace('"value":null', '"value":NaN');
writeFileSync(join(cwd, 'published.json'), published);

const rows = Array.from({ length: 12 }, (_, i) => ({
  prediction: i % 4 === 0 ? null : 1 + (i % 5),
  ground_truth: i % 3 === 0 ? 1 : 1 + (i % 5),
  abstained: i % 4 === 0,
  confidence: i === 1 ? 85 : 0.8,
  metadata: { should_abstain: i % 4 === 0 },
}));
writeFileSync(
  join(cwd, 'full.json'),
  JSON.stringify({
    backend_name: 'api:openai/some-model',
    suite: { domain: 'CKD', task: 'staging', seed: 42 },
    metrics: { ...metric('accuracy', 0.99, { n_evaluated: 12 }) },
    extras: { elapsed_seconds: 3 },
    evaluation_results: rows,
  }),
);

describe('krisis runs import', () => {
  it('takes a metrics-only file, with Title Case names and bare NaN', async () => {
    const { code, stdout } = await importing(
      'published.json',
      '--name',
      'published',
      '--run',
      'published.db',
    );
    expect(code).toBe(0);
    expect(stdout).toContain('published.json (metrics only): published, 5 metrics as published');
    expect(stdout).toContain('no rows (published for 160 cases)');
    expect(stdout).toContain('next: krisis report published.db');
    const report = await krisis(['report', 'published.db'], { cwd });
    expect([report.code, report.stdout]).toEqual([0, expect.stringContaining('160 cases')]);
    expect(report.stdout).toMatch(/Selective Accuracy \(answered only\) +0\.946 +-/);
  });

  it('takes a full file, scores its rows, and tells what differs', async () => {
    const { code, stdout } = await importing('full.json', '--json');
    expect(code).toBe(0);
    const imported = JSON.parse(stdout);
    expect(imported).toMatchObject({ model: 'api:openai/some-model', format: 'python_full', n_rows: 12 });
    expect(imported.score_differences).toEqual([
      { metric: 'accuracy', published: 0.99, ours: expect.any(Number) },
    ]);
    const report = JSON.parse((await krisis(['report', imported.run_file, '--json'], { cwd })).stdout);
    expect(report.evaluation_results).toHaveLength(12);
    expect(report.evaluation_results[1]).toMatchObject({ id: 'row_2', confidence: 85 });
    expect(report.warnings.map(({ code: name }: { code: string }) => name)).toEqual(
      expect.arrayContaining(['imported', 'invalid_confidence']),
    );
    expect(JSON.parse((await krisis(['list', '--json'], { cwd })).stdout).runs).toHaveLength(1);
  });

  it('is in the table of models, and is not paired with any run', async () => {
    await importing('published.json', '--run', 'again.db');
    await krisis(
      ['run', 'ckd/staging', '--model', 'simulated/careful', '--n-records', '40', '--run', 'run.db'],
      {
        cwd,
      },
    );
    const { code, stdout } = await krisis(['compare', 'run.db', 'again.db', '--full'], { cwd });
    expect(code).toBe(0);
    expect(stdout).toContain('published (imported, no cases)');
    expect(stdout).toContain('No two runs can be paired');
    const refused = await krisis(['compare', 'run.db', 'again.db', '--baseline', 'again.db'], { cwd });
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('cannot be the baseline')]);
  });

  it('is not continued by a run', async () => {
    const before = readFileSync(join(cwd, 'published.db'));
    const args = ['run', 'ckd/staging', '--model', 'simulated/careful', '--n-records', '8'];
    const { code, stderr } = await krisis([...args, '--run', 'published.db'], { cwd });
    expect([code, stderr]).toEqual([2, expect.stringContaining('holds another run')]);
    expect(readFileSync(join(cwd, 'published.db'))).toEqual(before);
  });

  it('is listed with the number of rows that were published', async () => {
    const folder = 'listed';
    await importing('published.json', '--run', `${folder}/published.db`);
    await importing('full.json', '--run', `${folder}/full.db`);
    const { runs } = JSON.parse((await krisis(['list', folder, '--json'], { cwd })).stdout);
    expect(
      runs.map(({ n, n_done, has_rows }: Record<string, unknown>) => [n, n_done, has_rows]).sort(),
    ).toEqual([
      [12, 12, true],
      [160, 160, false],
    ]);
    expect((await krisis(['list', folder], { cwd })).stdout).toContain('160 published');
  });

  it('is not compared with a run of another task', async () => {
    await importing('published.json', '--task', 'detection', '--run', 'detection.db');
    const { code, stderr } = await krisis(['compare', 'run.db', 'detection.db'], { cwd });
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining('runs of different tasks cannot be compared'),
    ]);
    expect(stderr).toMatch(/staging .*\n.*detection /);
    await importing('published.json', '--task', 'staging', '--run', 'staging.db');
    expect((await krisis(['compare', 'run.db', 'staging.db'], { cwd })).code).toBe(0);
    const unstated = await krisis(['compare', 'run.db', 'again.db', '--json'], { cwd });
    expect(JSON.parse(unstated.stdout).warnings.map(({ code: name }: { code: string }) => name)).toContain(
      'task_not_stated',
    );
    const wrong = await importing('full.json', '--task', 'detection', '--run', 'wrong.db');
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('its task is staging')]);
  });

  it('draws what a metrics-only file states', async () => {
    const sample = resolve('test/fixtures/answers/python-metrics.json');
    await importing(sample, '--task', 'staging', '--run', 'sample.db');
    const { stdout } = await krisis(['report', 'sample.db'], { cwd });
    expect(stdout).toMatch(/should defer +30 \(100\.0 %\)/);
    expect(stdout).toMatch(/1 +0\.935 +0\.825 to 0\.978 +43\/46/);
    const html = (await krisis(['report', 'sample.db', '--format', 'html'], { cwd })).stdout;
    expect(html).toContain('Reliability');
    expect(html).toContain('130 answers with a usable confidence');
  });

  it('says what a folder, an empty file and a run file are, and where a run cannot be written', async () => {
    writeFileSync(join(cwd, 'empty.json'), '');
    for (const [args, message] of [
      [['.'], 'is a folder'],
      [['empty.json'], 'is empty'],
      [['full.json/x.json'], 'no such file'],
      [['full.json', '--run', 'listed', '--force'], 'it is a folder'],
      [['full.json', '--run', 'full.json/x.db'], 'a part of its path is a file'],
    ] as const) {
      const { code, stderr } = await importing(...args);
      expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
    }
  });

  it.each([
    ['{"rows": []}', 'has no "metrics"'],
    ['[]', 'is a list'],
    ['not json', 'not JSON'],
    [JSON.stringify({ metrics: {}, schema_version: '1.0', provenance: {} }), '"metrics" is empty'],
  ])('%s is refused with what was expected', async (text, message) => {
    writeFileSync(join(cwd, 'bad.json'), text);
    const { code, stderr } = await importing('bad.json', '--run', 'never.db');
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
    expect(stderr).toContain('expected a result of the Python framework');
    expect(existsSync(join(cwd, 'never.db'))).toBe(false);
  });

  it('overwrites nothing unless forced, and is whole or not there', async () => {
    writeFileSync(join(cwd, 'mine.db'), 'mine');
    expect((await importing('full.json', '--run', 'mine.db')).code).toBe(2);
    expect(readFileSync(join(cwd, 'mine.db'), 'utf8')).toBe('mine');
    expect((await importing('full.json', '--run', 'mine.db', '--force')).code).toBe(0);
    expect((await importing('gone.json')).stderr).toContain('gone.json: no such file');
    expect(readdirSync(cwd).filter((name) => name.includes('.tmp'))).toEqual([]);
  });
});
