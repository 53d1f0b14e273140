import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { afterAll, describe, expect, it } from 'vitest';
import { krisis } from './krisis.ts';

const cwd = mkdtempSync(join(tmpdir(), 'krisis-report-'));
afterAll(() => rmSync(cwd, { recursive: true }));

const made = await krisis(
  'run ckd/staging --model simulated/careful --limit 60 --bootstrap 200 --run run.db --json'.split(' '),
  { cwd },
);
const ran = JSON.parse(made.stdout);
const report = (...args: string[]) => krisis(['report', 'run.db', ...args], { cwd });
const FORMATS = 'text json metrics-json md html junit csv metrics-csv latex chai-card chart-checklist'.split(
  ' ',
);

describe('krisis report', () => {
  it.each(FORMATS)('makes %s, the same to the byte every time', async (format) => {
    const { code, stdout, stderr } = await report('--format', format);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout.length).toBeGreaterThan(500);
    expect((await report('--format', format)).stdout).toBe(stdout);
    const file = `again.${format}`;
    expect(await report('--format', format, '-o', file)).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(readFileSync(join(cwd, file), 'utf8')).toBe(stdout);
  });

  it('has the numbers of the run', async () => {
    const metrics = JSON.parse((await report('--format', 'metrics-json')).stdout);
    expect(metrics).toMatchObject({
      backend_name: 'simulated/careful',
      ledger: ran.ledger,
      execution: ran.execution,
      suite: ran.suite,
      warnings: ran.warnings,
      provenance: { method: ran.method, simulated: true, suite_hash: ran.suite.suite_hash },
    });
    for (const [name, score] of Object.entries<object>(ran.metrics))
      expect(metrics.metrics[name]).toEqual({ name, ...score });
  });

  it('has every row in the JSON by default', async () => {
    const full = JSON.parse((await report('--json')).stdout);
    expect([full.evaluation_results.length, full.n_evaluation_results]).toEqual([60, 60]);
    expect(full.evaluation_results[0]).toHaveProperty('prompt_mode');
    const less = JSON.parse((await report('--json', '--no-include-results')).stdout);
    expect(less).toEqual({ ...full, evaluation_results: undefined });
  });

  it('has rows that krisis score reads, to the same numbers', async () => {
    expect((await report('--json', '-o', 'full.json')).code).toBe(0);
    const args = 'score full.json --task staging --labels 1,2,3,4,5 --bootstrap 200 --json'.split(' ');
    const scored = JSON.parse((await krisis(args, { cwd })).stdout);
    expect(scored.ledger).toEqual(ran.ledger);
    for (const name of ['accuracy', 'decision_accuracy', 'qwk', 'augrc'])
      expect(scored.metrics[name]).toMatchObject({ ...ran.metrics[name], details: expect.anything() });
  });

  it('has one CSV line per row', async () => {
    const rows = parse((await report('--format', 'csv')).stdout, { columns: true }) as Record<
      string,
      string
    >[];
    expect(rows).toHaveLength(60);
    const classes = Object.groupBy(rows, ({ ledger_class }) => ledger_class!);
    expect(classes.answered_correct).toHaveLength(ran.ledger.answered_correct);
  });

  it('scores with other settings when asked', async () => {
    const { metrics, subgroups } = JSON.parse(
      (await report(...'--format metrics-json --bootstrap 0 --group-by sex --bundle extended'.split(' ')))
        .stdout,
    );
    expect(metrics.balanced_accuracy.interval_reason).toBe('resampling_off');
    expect(subgroups[0].by).toBe('sex');
    expect(metrics).toHaveProperty('log_loss');
  });

  it('says how records became rows, what the baselines score, and what decisions would be at a stated share', async () => {
    const numbers = JSON.parse((await report('--format', 'metrics-json', '--prevalence', '0.05')).stdout);
    const { records, asked, rows, kinds } = numbers.flow;
    expect([
      records.n,
      records.training + records.evaluation,
      records.evaluation - records.not_asked,
    ]).toEqual([5000, 5000, asked]);
    const counts = Object.values(kinds as Record<string, { n: number }>).map(({ n }) => n);
    expect(counts.reduce((sum, n) => sum + n)).toBe(rows.n);
    expect(rows.missed_emergency).toBe(numbers.metrics.missed_emergency_rate.n_successes);
    expect(kinds.should_defer.answered_should_defer).toBe(
      numbers.metrics.answered_should_defer_rate.n_successes,
    );
    expect(numbers.baselines.map(({ model, n }: { model: string; n: number }) => [model, n])).toEqual(
      expect.arrayContaining([
        ['baseline/majority', 1000],
        ['baseline/guideline-defer', 1000],
      ]),
    );
    const [own, stated] = numbers.decisions_at_prevalence;
    expect([own.from, stated.from, stated.prevalence]).toEqual(['suite', 'stated', 0.05]);
    expect(stated.value).toBeCloseTo(
      0.05 * numbers.decisions.must_defer.value + 0.95 * numbers.decisions.must_answer.value,
      12,
    );
    expect(numbers.decisions.must_defer.value).toBe(numbers.metrics.deferral_recall.value);
    const text = (await report()).stdout;
    for (const part of [
      'From the suite to the answers',
      'Beside the baselines of the suite',
      'Sample size: ',
    ])
      expect(text).toContain(part);
    expect((await report('--prevalence', '1.5')).code).toBe(2);
  });

  it('finds a run by part of its name', async () => {
    const args = 'run ckd/detection --model baseline/guideline --limit 10 --bootstrap 0'.split(' ');
    const { stdout } = await krisis(args, { cwd });
    expect(stdout).toMatch(/^ {2}a page to hand on +krisis report latest -o report\.html$/m);
    expect((await krisis(['report', 'guideline'], { cwd })).stdout).toMatch(
      /^ckd\/detection, baseline\/guideline: 10 cases/,
    );
    const next = /^ {2}a page to hand on +krisis (.*)$/m.exec(stdout)![1]!.split(' ');
    expect((await krisis(next, { cwd })).code).toBe(0);
    expect(readFileSync(join(cwd, 'report.html'), 'utf8')).toMatch(/^<!doctype html>/i);
  });

  it('does not let a model write formulas into a spreadsheet, or commands into a terminal', async () => {
    const said = '=HYPERLINK("http://evil","\u001b[2Jclick")';
    writeFileSync(
      join(cwd, 'evil.config.ts'),
      `const answer = { prediction: '1', abstained: false, confidence: 0.9, confidenceSource: 'stated', rawResponse: ${JSON.stringify(said)},
        prompt: null, promptMode: 'batch', inputTokens: null, outputTokens: null, totalTokens: null };
      export default { backends: [{ name: '=evil\\u001b[31m', evaluate: async () => answer, evaluateBatch: async (records) => records.map(() => answer) }] };`,
    );
    const args = ['run', 'ckd/staging', '--config', 'evil.config.ts', '--model', '=evil\u001b[31m'];
    expect(
      (await krisis([...args, '--limit', '4', '--bootstrap', '0', '--run', 'evil.db'], { cwd })).code,
    ).toBe(0);
    const rows = parse((await krisis(['report', 'evil.db', '--format', 'csv'], { cwd })).stdout, {
      columns: true,
    });
    expect(rows).toHaveLength(4);
    for (const row of rows as Record<string, string>[]) {
      expect(row.raw_response).toBe(`'${said}`);
      for (const cell of Object.values(row)) expect(cell).not.toMatch(/^[=+@]/);
    }
    for (const format of ['text', 'md', 'junit', 'latex']) {
      const { code, stdout } = await krisis(['report', 'evil.db', '--format', format], { cwd });
      expect([code, stdout.includes('\u001b')]).toEqual([0, false]);
    }
  });

  it('goes red in a CI server when the run is not complete', async () => {
    const args = ['run', 'ckd/staging', '--model', 'simulated/careful?poisoned=0.3', '--limit', '20'];
    expect((await krisis([...args, '--bootstrap', '0', '--run', 'poisoned.db'], { cwd })).code).toBe(3);
    const junit = async (...more: string[]) =>
      (await krisis(['report', 'poisoned.db', '--format', 'junit', ...more], { cwd })).stdout;
    expect(await junit()).toMatch(/failures="1"[\s\S]*of 20 cases failed: failed_server \d+/);
    expect(await junit('--fail-on-error', '1')).toContain('failures="0"');
    expect((await report('--format', 'junit')).stdout).toContain('failures="0"');
  });

  it.each<[string, string[], string]>([
    ['a run that is not there', ['gone.db'], 'gone.db: no such run; available: '],
    ['a file that is not a run', ['full.json'], 'full.json: cannot be opened as a run file'],
    ['a format that is not there', ['run.db', '--format', 'pdf'], 'Allowed choices are text, json'],
    ['two runs', ['run.db', 'evil.db'], 'too many arguments'],
    ['two formats', ['run.db', '--json', '--format', 'csv'], '--json and --format csv'],
    ['a key that no row has', ['run.db', '--group-by', 'shoe_size'], 'no case has metadata.shoe_size'],
    ['a folder that is not there', ['run.db', '-o', 'no/where.txt'], 'cannot be written (ENOENT)'],
  ])('names what is wrong with %s', async (_, args, words) => {
    const { code, stdout, stderr } = await krisis(['report', ...args], { cwd });
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(words);
  });

  it('overwrites a file only with --force, and never the run', async () => {
    const file = join(cwd, 'mine.txt');
    writeFileSync(file, 'mine');
    const refused = await report('-o', 'mine.txt');
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('mine.txt: already exists')]);
    expect(readFileSync(file, 'utf8')).toBe('mine');
    expect((await report('-o', 'mine.txt', '--force')).code).toBe(0);
    expect(readFileSync(file, 'utf8')).toContain('ckd/staging, simulated/careful: 60 cases');
    const before = readFileSync(join(cwd, 'run.db'));
    expect(await report('-o', './run.db', '--force')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('is one of the runs'),
    });
    expect(readFileSync(join(cwd, 'run.db'))).toEqual(before);
    expect(readdirSync(cwd).filter((name) => name.endsWith('.tmp'))).toEqual([]);
    expect(existsSync(join(cwd, 'no'))).toBe(false);
  });
});
