import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { readRows } from '../src/core/row-file.ts';
import { krisis } from './krisis.ts';

const folder = mkdtempSync(join(tmpdir(), 'krisis-score-'));
afterAll(() => rmSync(folder, { recursive: true }));
const file = (name: string, text: string) => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};
const example = 'examples/answers.jsonl';

describe('krisis score', () => {
  it('prints a table that a newcomer can read', async () => {
    const { code, stdout, stderr } = await krisis([
      'score',
      example,
      '--task',
      'detection',
      '--positive-label',
      'present',
      '--full',
    ]);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain(
      '! Answered: 7 of 23 cases that should have been deferred (30.4 %). ! Confidence does not tell right answers from wrong ones. The model answered 7 of 23 cases that should have been deferred, gave 9 wrong answers in 97 cases that call for an answer and deferred 5 of these without need.',
    );
    expect(stdout).toMatch(
      /Selective Accuracy \(answered only\) +0\.879 +0\.800 to 0\.929 +87\/99 +right, of those it answered/,
    );
    expect(stdout).toMatch(/Answer Rate \(Coverage\) +0\.825/);
    expect(stdout).toContain('never deferring 0.808, always 0.192');
    expect(stdout).toContain('may be chance: perfect calibration gives up to');
    expect(stdout).not.toMatch(/ +$/m);
  });

  it('prints one JSON object with --json', async () => {
    const { code, stdout } = await krisis([
      'score',
      example,
      '--task',
      'detection',
      '--positive-label',
      'present',
      '--json',
    ]);
    expect(code).toBe(0);
    const card = JSON.parse(stdout);
    expect(card).toMatchObject({ schema_version: '1.0', task: 'detection', n: 120 });
    const { n, ...classes } = card.ledger;
    expect(Object.values<number>(classes).reduce((a, b) => a + b, 0)).toBe(n);
    expect(Object.keys(card.metrics.accuracy)).toEqual(
      expect.arrayContaining([
        'label',
        'value',
        'reason',
        'interval',
        'n_evaluated',
        'n_abstained',
        'breakdown',
        'details',
      ]),
    );
    expect(card.metrics.accuracy.interval).toMatchObject({ level: 0.95, method: 'wilson' });
    expect(Object.keys(card.metrics.accuracy.breakdown)).toEqual([
      'stage_1',
      'stage_2',
      'stage_3',
      'stage_4',
      'stage_5',
    ]);
    expect(Object.keys(card.metrics.deferral_alignment.details.confusion).sort()).toEqual([
      'abstain_when_should_answer',
      'answer_when_safe',
      'answer_when_should_defer',
      'defer_when_needed',
    ]);
    expect(card.metrics.expected_calibration_error.details.bins).toHaveLength(15);
    expect(card.metrics.selective_accuracy).toMatchObject({ n_evaluated: 99, n_abstained: 21 });
  });

  it('is the same to the byte when run again', async () => {
    const args = ['score', example, '--bundle', 'extended', '--json', '--bootstrap', '300'];
    expect((await krisis(args)).stdout).toBe((await krisis(args)).stdout);
  });

  it('reads standard input', async () => {
    const { code, stdout } = await krisis(['score', '-'], { input: readFileSync(example, 'utf8') });
    expect(code).toBe(0);
    expect(stdout).toContain('standard input: 120 cases');
  });

  it('honours states, and bounds the headlines', async () => {
    const rows = [
      { prediction: 1, ground_truth: 1, abstained: false, confidence: 0.9 },
      { ground_truth: 1, state: 'failed_timeout' },
      { ground_truth: 1, prediction: null, abstained: false, confidence: null, state: 'refused' },
    ];
    const path = file('states.jsonl', rows.map((row) => JSON.stringify(row)).join('\n'));
    const card = JSON.parse((await krisis(['score', path, '--json'])).stdout);
    expect(card.ledger).toMatchObject({ n: 3, answered_correct: 1, failed_timeout: 1, refused: 1 });
    expect(card.metrics.accuracy).toMatchObject({
      value: 0.5,
      n_evaluated: 2,
      bounds: { lower: 1 / 3, upper: 2 / 3 },
    });
    expect((await krisis(['score', path])).stdout).toContain('with failures');
  });

  it('lists deferral alignment as null with a reason when nothing is labelled', async () => {
    const path = file(
      'unlabelled.jsonl',
      '{"prediction":1,"ground_truth":1,"abstained":false,"confidence":0.9}',
    );
    const { metrics } = JSON.parse((await krisis(['score', path, '--json'])).stdout);
    expect(metrics.deferral_alignment).toMatchObject({ value: null, reason: 'no_deferral_labels' });
  });

  it('scores stages on either scale, and progression', async () => {
    const stages = ['G1', 'G2', 'G3a', 'G3b', 'G4', 'G5'].map((label) => ({
      prediction: label,
      ground_truth: label,
      abstained: false,
    }));
    const staging = file(
      'g.jsonl',
      [...stages, { ...stages[0], ground_truth: 'G2' }].map((row) => JSON.stringify(row)).join('\n'),
    );
    const { metrics } = JSON.parse((await krisis(['score', staging, '--task', 'staging', '--json'])).stdout);
    expect(metrics.under_staging_rate.value).toBeCloseTo(1 / 7);
    expect(metrics.qwk.n_evaluated).toBe(7);
    const course = file('c.jsonl', '{"prediction":"improving","ground_truth":"worsening","abstained":false}');
    const progression = JSON.parse(
      (await krisis(['score', course, '--task', 'progression', '--json'])).stdout,
    );
    expect(progression.metrics.unsafe_improvement_rate.value).toBe(1);
  });

  it('keeps what a file says out of the terminal', async () => {
    const evil = '\u001b[31mred\u0007';
    const row = { prediction: 1, ground_truth: 1, abstained: false, metadata: { site: evil } };
    const path = file('evil.jsonl', JSON.stringify(row));
    const { stdout, code } = await krisis(['score', path, '--group-by', 'site']);
    expect(code).toBe(0);
    expect(stdout).not.toContain('\u001b');
    expect(stdout).not.toContain('\u0007');
    const bad = await krisis(['score', file('evil2.jsonl', JSON.stringify({ ...row, abstained: evil }))]);
    expect(bad.stderr).not.toContain('\u001b');
  });
});

describe('krisis score on tables', () => {
  const table = file(
    'answers.csv',
    'case,y_pred,y_true,prob,sex\np1,True,1,0.9,f\np2,False,1,0.6,m\np3,False,0,0.8,f\np4,,1,,m\n',
  );

  it('proposes the columns, and reads the file with them', async () => {
    const { code, stderr } = await krisis(['score', table]);
    expect(code).toBe(2);
    expect(stderr).toContain('no column for prediction and ground_truth; its columns are: case, y_pred');
    const proposed = /--columns (\S+)/.exec(stderr)![1]!;
    expect(proposed).toBe('prediction=y_pred,ground_truth=y_true,confidence=prob,id=case');
    const scored = await krisis([
      'score',
      table,
      '--columns',
      proposed,
      '--group-by',
      'sex',
      '--task',
      'detection',
      '--positive-label',
      'true',
      '--json',
    ]);
    expect(scored.code).toBe(0);
    const card = JSON.parse(scored.stdout);
    expect(card.ledger).toMatchObject({ n: 4, answered_correct: 2, answered_wrong: 1, invalid: 1 });
    expect(card.subgroups[0]).toMatchObject({ by: 'sex' });
  });

  it('reads a table from standard input', async () => {
    const input = 'prediction,ground_truth\nill,ill\nill,well\n';
    const { code, stdout } = await krisis(['score', '-', '--json'], { input });
    expect([code, JSON.parse(stdout).metrics.accuracy.value]).toEqual([0, 0.5]);
  });

  it('reads the CSV export of a run back to the same scores', async () => {
    const path = join(folder, 'exported.db');
    const run = ['run', 'ckd/staging', '--model', 'simulated/careful', '--n-records', '40', '--run', path];
    expect((await krisis([...run, '--batch-size', '4', '--repeat', '2'])).code).toBe(0);
    const csv = file('exported.csv', (await krisis(['report', path, '--format', 'csv'])).stdout);
    const json = file('exported.json', (await krisis(['report', path, '--json'])).stdout);
    const scored = async (rows: string) =>
      (await krisis(['score', rows, '--task', 'staging', '--bundle', 'extended', '--json'])).stdout;
    expect(JSON.parse(await scored(csv))).toMatchObject({ n: 80, task: 'staging' });
    expect(await scored(csv)).toBe(await scored(json));
    // What an export says of how a row came about is not metadata.
    const exported = JSON.parse(readFileSync(json, 'utf8')).evaluation_results;
    const read: unknown[] = [];
    await readRows(json, ({ metadata }) => read.push(metadata));
    expect(read).toEqual(exported.map(({ metadata }: { metadata: unknown }) => metadata));
    const known = new Set(Object.keys(exported[0].metadata));
    await readRows(csv, ({ metadata }) => {
      expect(Object.keys(metadata).filter((key) => !known.has(key))).toEqual([]);
    });
  });
});

describe('krisis score --save', () => {
  const cwd = mkdtempSync(join(tmpdir(), 'krisis-saved-'));
  afterAll(() => rmSync(cwd, { recursive: true }));
  const answers = (right: (i: number) => boolean) =>
    Array.from({ length: 40 }, (_, i) => {
      const truth = i % 2 === 0 ? 'ill' : 'well';
      const other = i % 2 === 0 ? 'well' : 'ill';
      return `p${i},${right(i) ? truth : other},${truth},0.${5 + (i % 5)},${i % 3 === 0 ? 'f' : 'm'}`;
    });
  const head = 'id,prediction,ground_truth,confidence,sex';
  writeFileSync(join(cwd, 'a.csv'), [head, ...answers((i) => i % 5 !== 0)].join('\n'));
  writeFileSync(join(cwd, 'b.csv'), [head, ...answers((i) => i % 3 !== 0).toReversed()].join('\n'));

  it('makes a run file with the same scores, and says how to open it', async () => {
    const args = ['--task', 'detection', '--positive-label', 'ill', '--group-by', 'sex'];
    const { code, stdout } = await krisis(['score', 'a.csv', ...args, '--save'], { cwd });
    expect(code).toBe(0);
    const path = /^ {2}run file +(\S+)$/m.exec(stdout)![1]!;
    expect(path).toMatch(/^\.krisis\/runs\/scored_a_[0-9a-f]{8}\.db$/);
    const scored = JSON.parse((await krisis(['score', 'a.csv', ...args, '--json'], { cwd })).stdout);
    const report = JSON.parse((await krisis(['report', path, '--json'], { cwd })).stdout);
    for (const [name, { value, interval }] of Object.entries<{ value: number; interval: unknown }>(
      scored.metrics,
    ))
      expect([name, report.metrics[name]]).toMatchObject([name, { value, interval }]);
    expect(report.provenance.model ?? report.backend_name).toBe('a');
    // Again is the same run, not a second one.
    expect((await krisis(['score', 'a.csv', ...args, '--save'], { cwd })).code).toBe(0);
    expect(JSON.parse((await krisis(['list', '--json'], { cwd })).stdout).runs).toMatchObject([
      { n: 40, model: 'a', status: 'complete' },
    ]);
  });

  it('can be exported for the viewer', async () => {
    const saved = ['score', 'a.csv', '--run', 'view.db', '--name', 'my model', '--json'];
    const { stdout, stderr } = await krisis(saved, { cwd });
    expect(JSON.parse(stdout).run_file).toBe('view.db');
    expect(stderr).toContain('next: krisis view view.db');
    const exported = await krisis(['view', 'view.db', '--export', 'site'], { cwd });
    expect([exported.code, exported.stderr]).toEqual([0, expect.not.stringContaining('fault')]);
    expect(existsSync(join(cwd, 'site', 'index.html'))).toBe(true);
  });

  it('is compared with another, as a run file or as it is', async () => {
    await krisis(['score', 'b.csv', '--run', 'b.db'], { cwd });
    for (const other of ['b.db', 'b.csv']) {
      const { code, stdout } = await krisis(['compare', 'a.csv', other, '--json'], { cwd });
      expect(code).toBe(0);
      expect(JSON.parse(stdout).comparisons).toMatchObject([{ model: 'b', baseline: 'a', n_paired: 40 }]);
    }
  });

  it('overwrites nothing unless forced, and leaves nothing behind when rows are bad', async () => {
    writeFileSync(join(cwd, 'mine.db'), 'mine');
    const refused = await krisis(['score', 'a.csv', '--run', 'mine.db'], { cwd });
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('already exists')]);
    expect(readFileSync(join(cwd, 'mine.db'), 'utf8')).toBe('mine');
    writeFileSync(join(cwd, 'bad.csv'), `${head}\np1,ill,ill,high,f\n`);
    expect((await krisis(['score', 'bad.csv', '--run', 'never.db'], { cwd })).code).toBe(2);
    expect(readdirSync(cwd).filter((name) => /never\.db$|\.tmp/.test(name))).toEqual([]);
    const folderGiven = await krisis(['score', 'a.csv', '--run', 'site', '--force'], { cwd });
    expect([folderGiven.code, folderGiven.stderr]).toEqual([2, expect.stringContaining('folder')]);
  });
});

describe('krisis score on bad input: one line, exit code 2, nothing written', () => {
  const bad = file('bad.jsonl', '{"prediction":1,"ground_truth":1,"abstained":"false","confidence":0.9}\n');
  it.each([
    [['score', bad], 'bad.jsonl:1: abstained is "false"; expected true or false'],
    [['score', join(folder, 'nowhere.jsonl')], 'no such file'],
    [
      ['score', example, '--positive-label', 'presnt'],
      'no row has the label "presnt"; the labels are: absent, present',
    ],
    [['score', example, '--group-by', 'gender'], '--group-by: no row has metadata.gender'],
    [['score', example, '--cluster', 'ward'], 'no case has metadata.ward'],
    [['score', example, '--labels', 'x,y', '--task', 'staging'], '--labels: no row has any of x, y'],
    [['score', example, '--config', 'nothing.ts'], 'nothing.ts: no such file'],
  ])('%j', async (args, message) => {
    const { code, stdout, stderr } = await krisis(args);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(message);
    expect(stderr.trim().split('\n')).toHaveLength(1);
    expect(stderr).not.toMatch(/\n\s+at /);
  });

  it('refuses a list of columns that is not one', async () => {
    const { code, stderr } = await krisis(['score', example, '--columns', 'y_pred']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('Expected FIELD=COLUMN')]);
  });

  it('says how to state a delimiter that cannot be detected, and how answers become a run file', async () => {
    const path = file('two.csv', 'prediction;a,ground_truth;b\n1;2,1;2\n');
    const unclear = await krisis(['score', path]);
    expect([unclear.code, unclear.stderr]).toEqual([2, expect.stringContaining('--delimiter')]);
    const stated = file('one.csv', 'prediction;ground_truth;x,y\n1;1;2,3\n');
    expect((await krisis(['score', stated, '--delimiter', 'semicolon'])).code).toBe(0);
    const report = await krisis(['report', stated]);
    expect([report.code, report.stderr]).toEqual([2, expect.stringContaining('--save makes a run file')]);
  });

  it('says what a run file, a folder and an empty file are', async () => {
    const path = join(folder, 'some.db');
    await krisis([
      'run',
      'ckd/detection',
      '--model',
      'baseline/guideline',
      '--n-records',
      '8',
      '--run',
      path,
    ]);
    for (const [given, message] of [
      [path, 'is a run file'],
      [path, 'krisis report '],
      [folder, 'is a folder'],
      [file('empty.csv', ''), 'no rows'],
      [join(example, 'x.csv'), 'no such file'],
    ]) {
      const { code, stderr } = await krisis(['score', given!]);
      expect([code, stderr]).toEqual([2, expect.stringContaining(message!)]);
      expect(stderr).not.toContain('bug in krisis');
    }
  });

  it.each([
    [['score'], "missing required argument 'files'"],
    [['score', example, '--tsk', 'detection'], "unknown option '--tsk'"],
    [['score', example, '--task', 'detecting'], 'Expected one of detection, staging, progression'],
    [['score', example, '--bootstrap', '-5'], 'Expected a whole number from 0 to 100000'],
    [['score', example, '--level', '95'], 'Expected a number between 0 and 1'],
    [['scroe', example], "unknown command 'scroe'"],
  ])('%j', async (args, message) => {
    const { code, stderr } = await krisis(args);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });

  it('does not write over a file unless forced', async () => {
    const out = file('out.txt', 'mine');
    const refused = await krisis(['score', example, '-o', out]);
    expect([refused.code, readFileSync(out, 'utf8')]).toEqual([2, 'mine']);
    expect(refused.stderr).toContain('--force');
    expect((await krisis(['score', example, '-o', out, '--force'])).code).toBe(0);
    expect(readFileSync(out, 'utf8')).toContain('120 cases');
    expect(readdirSync(folder).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });

  it('leaves nothing behind when the rows are bad', async () => {
    const out = join(folder, 'never.json');
    expect((await krisis(['score', bad, '--json', '-o', out])).code).toBe(2);
    expect(existsSync(out)).toBe(false);
  });
});
