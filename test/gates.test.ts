import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { krisis } from './krisis.ts';

const cwd = mkdtempSync(join(tmpdir(), 'krisis-gates-'));
afterAll(() => rmSync(cwd, { recursive: true }));
const answers = resolve('examples/answers.jsonl');
const suite = ['ckd/staging', '--n-records', '80', '--bootstrap', '50'];
const at = (...args: string[]) => krisis(args, { cwd });

beforeAll(async () => {
  for (const [name, model, ...more] of [
    ['careful', 'simulated/careful'],
    ['bold', 'simulated/overconfident'],
    ['poisoned', 'simulated/careful?poisoned=0.2', '--fail-on-error', '1'],
  ]) {
    const { code } = await at('run', ...suite, '--model', model!, '--run', `${name}.db`, ...more);
    expect([name, code]).toEqual([name, 0]);
  }
  // Five right, three wrong, two failed: between 5 and 7 of ten.
  const row = (i: number, state: object) => JSON.stringify({ id: `r${i}`, ground_truth: 1, ...state });
  const rows = Array.from({ length: 10 }, (_, i) =>
    row(i, i < 8 ? { prediction: i < 5 ? 1 : 0, abstained: false } : { state: 'failed_timeout' }),
  );
  writeFileSync(join(cwd, 'failed.jsonl'), rows.join('\n'));
  writeFileSync(
    join(cwd, 'perfect.jsonl'),
    Array.from({ length: 10 }, (_, i) => row(i, { prediction: 1, abstained: false })).join('\n'),
  );
});

describe('--assert', () => {
  it.each([
    ['accuracy >= 0.7', 0, /^ {2}PASS {2}accuracy >= 0\.7: 0\.725 \(87\/120\)$/m],
    ['accuracy >= 90%', 1, /^ {2}FAIL {2}accuracy >= 90%: 0\.725 \(87\/120\)$/m],
    [
      'lower(selective_accuracy) >= 0.8',
      1,
      /^ {2}FAIL .*: 0\.79999 \(0\.879, 0\.800 to 0\.929, 87\/99\): the value meets it, but that is not shown; about 189 cases would show it$/m,
    ],
    ['upper(coverage) < 0.9', 0, /^ {2}PASS /m],
    ['deferral_f1 > 0', 0, /^ {2}PASS /m],
  ])('score: %s exits with %i', async (expression, code, line) => {
    const ran = await at('score', answers, '--assert', expression);
    expect([ran.code, ran.stdout]).toEqual([code, expect.stringMatching(line)]);
    expect(ran.stdout).toContain('120 cases');
  });

  it.each([
    ['accuracy >= 0.5', 0],
    ['accuracy >= 0.6', 3],
    ['accuracy >= 0.8', 1],
    ['lower(accuracy) >= 0.1', 0],
    ['auroc_confidence > 0.5', 3],
  ])('with failed rows, %s exits with %i', async (expression, code) => {
    expect((await at('score', 'failed.jsonl', '--assert', expression)).code).toBe(code);
  });

  it('warns where a model can pass by answering little, unless coverage is asked for', async () => {
    const warning = /^ {2}note {2}a model can pass by staying silent/m;
    const asked = ['score', answers, '--assert', 'selective_accuracy >= 0.5'];
    const alone = await at(...asked);
    expect([alone.code, alone.stdout]).toEqual([0, expect.stringMatching(warning)]);
    const json = JSON.parse((await at(...asked, '--json')).stdout);
    expect(json.gates[0].warning).toContain('such as lower(answerable_accuracy) >= 0.8');
    for (const coverage of ['lower(answer_rate) >= 0.7', 'abstention_rate <= 0.3']) {
      const both = await at(...asked, '--assert', coverage);
      expect([both.code, both.stdout]).toEqual([0, expect.not.stringMatching(warning)]);
    }
    const all = await at('score', answers, '--assert', 'accuracy >= 0.5');
    expect(all.stdout).not.toContain('  note  ');
  });

  it.each(['ece', 'adaptive_calibration_error'])(
    'refuses a bound of %s before anything is asked: it has no valid interval',
    async (metric) => {
      const { code, stderr } = await at(
        ...['run', 'ckd/staging', '--model', 'simulated/careful', '--run', 'never.db'],
        ...['--assert', `upper(${metric}) < 0.1`],
      );
      expect([code, stderr]).toEqual([2, expect.stringContaining('has no valid interval')]);
      expect(existsSync(join(cwd, 'never.db'))).toBe(false);
    },
  );

  it('says that it cannot be decided, and lets a failure win', async () => {
    const undecided = await at('score', 'failed.jsonl', '--assert', 'accuracy >= 0.6');
    expect(undecided.stdout).toContain('UNDECIDED  accuracy >= 0.6: 0.625 (5/8), but 2 of 10');
    const both = await at(
      'score',
      'failed.jsonl',
      '--assert',
      'accuracy >= 0.6',
      '--assert',
      'accuracy >= 0.8',
    );
    expect(both.code).toBe(1);
  });

  it('stands under gates in JSON', async () => {
    const { code, stdout, stderr } = await at('score', answers, '--json', '--assert', 'accuracy >= 0.9');
    expect(code).toBe(1);
    expect(JSON.parse(stdout).gates).toEqual([
      { text: 'accuracy >= 0.9', status: 'fail', message: 'accuracy is 0.725 (87/120)' },
    ]);
    expect(stderr).toContain('FAIL');
  });

  it('works on a run, in every format', async () => {
    for (const format of ['text', 'json', 'metrics-json', 'md', 'html', 'junit', 'csv'])
      expect([
        format,
        (await at('report', 'careful.db', '--format', format, '--assert', 'accuracy > 0.99')).code,
      ]).toEqual([format, 1]);
    const ran = await at('report', 'careful.db', '-o', 'r.txt', '--assert', 'accuracy > 0.01');
    expect([ran.code, ran.stdout]).toEqual([0, expect.stringMatching(/^PASS /)]);
    expect(readFileSync(join(cwd, 'r.txt'), 'utf8')).toContain('accuracy > 0.01');
  });

  it('is asked of every compared run but the baseline', async () => {
    const { code, stdout } = await at(
      'compare',
      'careful.db',
      'bold.db',
      '--assert',
      'abstention_rate >= 0.1',
    );
    expect(code).toBe(1);
    expect(stdout).toMatch(/^ {2}FAIL {2}simulated\/overconfident: abstention_rate/m);
    expect(stdout).not.toMatch(/^ {2}(FAIL|PASS) {2}simulated\/careful/m);
  });

  it.each([
    ['acuracy > 0.9', 'did you mean accuracy', '^'],
    ['accuracy >> 0.9', 'a number was expected here', '          ^'],
    ['accuracy > 0 and x', 'several conditions are several expressions', '             ^'],
    ['accuracy', 'a comparison was expected here', '        ^'],
  ])('%s is refused, pointing at the character', async (expression, message, caret) => {
    const { code, stderr, stdout } = await at('score', answers, '--assert', expression);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(message);
    expect(stderr).toContain(`\n  ${expression}\n  ${caret}\n`);
    // A tip is given only where it fits.
    expect(stderr).not.toContain('--on METRIC');
    expect(stderr).not.toContain('--bundle extended');
  });

  it.each([
    ['accuracy<=1', 'it cannot fail: accuracy is never above 1'],
    ['lower(accuracy)>=0', 'it cannot fail: accuracy is never below 0'],
    ['accuracy>=1e-999', 'it cannot fail: accuracy is never below 0'],
    ['accuracy>1', 'it cannot be met: accuracy is never above 1'],
  ])('%s is refused: it says nothing about a model', async (expression, message) => {
    const run = ['run', ...suite, '--model', 'simulated/careful', '--run', 'never.db'];
    for (const args of [['score', answers], run]) {
      const { code, stderr, stdout } = await at(...args, '--assert', expression);
      expect([code, stdout, stderr]).toEqual([2, '', expect.stringContaining(message)]);
    }
    expect(existsSync(join(cwd, 'never.db'))).toBe(false);
  });

  it('may name any metric of any bundle', async () => {
    const condition = ['--assert', 'log_loss < 100'];
    const run = ['run', ...suite, '--model', 'simulated/careful', '--run', 'any-bundle.db'];
    for (const args of [['score', answers], ['report', 'careful.db'], run]) {
      const { code, stdout } = await at(...args, ...condition);
      expect([code, stdout]).toEqual([0, expect.stringMatching(/^ *PASS {2}log_loss < 100: /m)]);
    }
  });

  it('is checked before the first call of a run', async () => {
    const args = ['run', ...suite, '--model', 'simulated/careful', '--run', 'never.db'];
    const { code, stderr } = await at(...args, '--assert', 'acuracy > 0.9');
    expect([code, stderr]).toEqual([2, expect.stringContaining('did you mean accuracy')]);
    expect(existsSync(join(cwd, 'never.db'))).toBe(false);
  });

  it('judges what a run has just scored', async () => {
    const args = ['run', ...suite, '--model', 'simulated/careful', '--run', 'judged.db'];
    const ran = await at(...args, '--assert', 'accuracy > 0.99', '--assert', 'accuracy > 0.1');
    expect(ran.code).toBe(1);
    expect(ran.stdout).toMatch(/^ {2}FAIL {2}accuracy > 0\.99/m);
    const again = await at(...args, '--new', '--run', 'again.db', '--assert', 'accuracy > 0.1', '--json');
    expect([again.code, JSON.parse(again.stdout).gates[0].status]).toEqual([0, 'pass']);
  });

  it('judges each of several models', async () => {
    const models = 'simulated/careful,simulated/overconfident';
    const { code, stdout } = await at(
      'run',
      ...suite,
      '--model',
      models,
      '--assert',
      'abstention_rate >= 0.1',
    );
    expect(code).toBe(1);
    expect(stdout).toMatch(/^ {2}PASS {2}simulated\/careful: 1 met$/m);
    expect(stdout).toMatch(/^ {2}FAIL {2}simulated\/overconfident: 1 failed \(abstention_rate\)$/m);
  });
});

describe('--assert with a number that the metric cannot reach', () => {
  it('asks whether a share was meant', async () => {
    for (const command of [
      ['score', answers],
      ['report', 'careful.db'],
      ['run', ...suite, '--model', 'simulated/careful'],
    ]) {
      const { code, stderr } = await at(...command, '--assert', 'accuracy >= 90');
      expect(code).toBe(2);
      expect(stderr).toContain("--assert 'accuracy >= 90': accuracy lies between 0 and 1; did you mean 0.9?");
    }
  });
});

describe('--non-inferior', () => {
  const gate = (margin: string, ...more: string[]) => [
    '--non-inferior',
    'careful.db',
    '--margin',
    margin,
    ...more,
  ];

  it.each([
    [['report', 'careful.db', ...gate('0.01')], 3],
    [['report', 'careful.db', ...gate('0.1')], 0],
    [['report', 'bold.db', ...gate('5%')], 1],
    [['report', 'bold.db', ...gate('0.9')], 0],
    [['compare', 'careful.db', 'bold.db', ...gate('0.05')], 1],
    [['report', 'bold.db', ...gate('0.9', '--on', 'unsafe_decision_rate')], 0],
    [['report', 'poisoned.db', ...gate('0.05')], 3],
    [['report', 'poisoned.db', ...gate('0.9')], 0],
    [['run', ...suite, '--model', 'simulated/overconfident', '--run', 'bold-2.db', ...gate('0.05')], 1],
  ])('%j exits with %i', async (args, code) => {
    const ran = await at(...args);
    expect([ran.code, ran.stderr]).toEqual([code, expect.not.stringContaining('krisis: ')]);
    expect(ran.stdout).toMatch(/^ *(PASS|FAIL|UNDECIDED) {2}.*non-inferior to careful\.db on/m);
  });

  it.each([
    ['run', ...suite, '--model', 'simulated/careful', '--run', 'other.db', '--dry-run'],
    ['compare', 'careful.db', 'bold.db'],
  ])('%s says beforehand how many cases a margin needs', async (...args) => {
    const { stderr } = await at(...args, ...gate('0.05', '--on', 'deferral_recall'));
    expect(stderr.replaceAll(/\s+/g, ' ')).toMatch(
      /--non-inferior: a margin of 0\.05 on deferral_recall needs at least 73 cases .* careful\.db has \d+, too few unless/,
    );
    const plenty = await at(...args, ...gate('0.2', '--on', 'accuracy'));
    expect(plenty.stderr).not.toContain('needs at least');
  });

  it('pairs files of rows by id', async () => {
    const ran = await at('score', 'failed.jsonl', '--non-inferior', 'perfect.jsonl', '--margin', '0.05');
    expect([ran.code, ran.stdout]).toEqual([3, expect.stringContaining('on accuracy by 0.05')]);
    const same = (margin: string) =>
      at('score', 'perfect.jsonl', '--non-inferior', 'perfect.jsonl', '--margin', margin);
    // Ten rows that agree leave a loss of up to 0.28 open.
    expect([(await same('0.25')).code, (await same('0.3')).code]).toEqual([3, 0]);
  });

  it.each([
    [['score', answers, '--margin', '0.1'], '--margin belongs to --non-inferior'],
    [['score', answers, '--non-inferior', answers], '--non-inferior needs --margin'],
    [['score', answers, '--non-inferior', 'gone.jsonl', '--margin', '0.1'], 'gone.jsonl: no such run'],
    [['report', 'bold.db', ...gate('0')], 'Expected a number above 0'],
    [['report', 'bold.db', ...gate('2')], 'a margin of 2 tolerates any loss'],
    [['report', 'bold.db', ...gate('0.1', '--on', 'acuracy')], 'did you mean accuracy'],
    [['report', 'bold.db', ...gate('0.1', '--on', 'coverage')], 'To choose the metric, add --on METRIC.'],
    [['run', 'ckd/staging', '--seed', '3', '--model', 'simulated/careful', ...gate('0.1')], 'suite hash'],
  ])('%j is refused', async (args, message) => {
    const { code, stderr } = await at(...args);
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
  });
});
