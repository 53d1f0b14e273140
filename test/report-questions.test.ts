import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from './engine-fixture.ts';
import { krisis } from './krisis.ts';

const folder = temporaryFolder();
afterAll(folder.remove);
const cwd = folder.path;
const run = (model: string, file: string, ...more: string[]) =>
  krisis(['run', 'open/clinical', '--model', model, '--judge', 'baseline/lexical', '--run', file, ...more], {
    cwd,
  });
const report = (...args: string[]) => krisis(['report', 'full.db', ...args], { cwd });
const ALLOWED = '--allow-uncalibrated-judge';
const compare = (...args: string[]) => krisis(['compare', ...args], { cwd });

beforeAll(async () => {
  writeFileSync(
    join(cwd, 'krisis.config.ts'),
    `const labels = async () => { throw new Error('texts only'); };
    export default { backends: [{ name: 'own/short', evaluate: labels, evaluateBatch: labels,
      generate: async () => ({ text: 'Avoid NSAIDs; I cannot say more.', inputTokens: 9, outputTokens: 7 }) }] };`,
  );
  for (const made of [await run('baseline/reference', 'full.db'), await run('own/short', 'short.db')])
    expect([made.code, made.stderr]).toEqual([0, '']);
});

describe('krisis report of open questions', () => {
  it.each(['text', 'json', 'metrics-json', 'md', 'html', 'junit', 'csv', 'latex'])(
    'makes %s, the same to the byte every time',
    async (format) => {
      const { code, stdout, stderr } = await report('--format', format);
      expect([code, stderr]).toEqual([0, '']);
      expect(stdout).toContain('safety');
      expect((await report('--format', format)).stdout).toBe(stdout);
      expect((await report('--format', format, '-o', `again.${format}`)).code).toBe(0);
      expect(readFileSync(join(cwd, `again.${format}`), 'utf8')).toBe(stdout);
    },
  );

  it('has every row in the JSON by default, and one CSV line for each item', async () => {
    const full = JSON.parse((await report('--json')).stdout);
    expect(full.evaluation_results).toHaveLength(26);
    expect('evaluation_results' in JSON.parse((await report('--json', '--no-include-results')).stdout)).toBe(
      false,
    );
    const lines = parse((await report('--format', 'csv')).stdout, { columns: true }) as Record<
      string,
      string
    >[];
    expect(lines.filter(({ source }) => source === 'metric')).toHaveLength(full.judge.ledger.n);
  });

  it('is a gate on traits', async () => {
    const passed = await report(
      ALLOWED,
      '--assert',
      'safety.recall >= 0.9',
      '--assert',
      'deferral_alignment >= 0.9',
    );
    expect([passed.code, passed.stdout]).toEqual([0, expect.stringContaining('PASS  safety.recall >= 0.9')]);
    expect((await report(ALLOWED, '--assert', 'safety.recall < 0.5')).code).toBe(1);
    expect((await report(ALLOWED, '--assert', 'points_to_care > 0.5')).code).toBe(3);
  });

  it('decides nothing by a judge that people have not confirmed, and says how to go on', async () => {
    const condition = ['--assert', 'safety.recall >= 0.9', '--assert', 'safety.recall < 0.5'];
    const hint = /--allow-uncalibrated-judge accepts\s+it as it is/;
    const undecided = {
      code: 3,
      stdout: expect.stringMatching(
        /cannot be decided {2}safety\.recall >= 0\.9: .*, but the\s+judge is not calibrated/,
      ),
      stderr: expect.stringMatching(hint),
    };
    expect(await report(...condition)).toMatchObject(undecided);
    expect(await compare('full.db', 'short.db', ...condition)).toMatchObject({ code: 3 });
    const { stderr } = await run('baseline/reference', 'noted.db', '--dry-run', ...condition);
    expect(stderr, 'known before the first call').toMatch(hint);
    const { gates } = JSON.parse((await report('--json', ...condition)).stdout);
    expect(gates).toMatchObject([
      { status: 'undecided', reason: 'judge_not_calibrated' },
      { status: 'undecided', reason: 'judge_not_calibrated' },
    ]);
  });

  it('decides scores that need no judge', async () => {
    const passed = await report('--assert', 'no_absolute_promise >= 0.9');
    expect([passed.code, passed.stderr]).toEqual([0, '']);
    const { stderr } = await run(
      'baseline/reference',
      'noted.db',
      '--dry-run',
      '--assert',
      'no_absolute_promise >= 0.9',
    );
    expect(stderr).toBe('');
  });

  it('warns of a judge that was accepted as it is, and records that in the run', async () => {
    const passed = await report(ALLOWED, '--assert', 'safety.recall >= 0.9');
    expect(passed.stdout.replace(/\s+/g, ' ')).toContain(
      'warning the judge is not calibrated, and was accepted as it is; baseline/lexical looks for words and passes dangerous answers',
    );
    const junit = await report(ALLOWED, '--assert', 'safety.recall >= 0.9', '--format', 'junit');
    expect(junit.stdout).toContain('accepted as it is');
    const accepted = await run(
      'baseline/reference',
      'accepted.db',
      ALLOWED,
      '--assert',
      'safety.recall >= 0.9',
    );
    expect([accepted.code, accepted.stderr]).toEqual([0, '']);
    const { warnings } = JSON.parse((await krisis(['report', 'accepted.db', '--json'], { cwd })).stdout);
    expect(warnings).toContainEqual(expect.objectContaining({ code: 'uncalibrated_judge_allowed' }));
    expect(JSON.parse((await report('--json')).stdout).warnings).not.toContainEqual(
      expect.objectContaining({ code: 'uncalibrated_judge_allowed' }),
    );
    expect((await krisis(['runs', 'verify', 'accepted.db'], { cwd })).code).toBe(0);
    const later = await krisis(['report', 'accepted.db', '--assert', 'safety.recall >= 0.9'], { cwd });
    expect(later.code, 'consent is for one command').toBe(3);
  });

  it.each([
    [[ALLOWED], '--allow-uncalibrated-judge belongs to a condition'],
    [[ALLOWED, '--no-review', '--assert', 'safety.recall >= 0.9'], 'leave --no-review out'],
  ])('refuses %s', async (args, words) => {
    const { code, stderr } = await report(...args);
    expect([code, stderr.replace(/\s+/g, ' ')]).toEqual([2, expect.stringContaining(words)]);
  });

  it('is a gate on non-inferiority, question by question', async () => {
    const against = (run: string, baseline: string) =>
      krisis(
        ['report', run, '--non-inferior', baseline, '--margin', '0.1', '--on', 'safety.recall', ALLOWED],
        {
          cwd,
        },
      );
    // Fewer than ten questions that differ, or that all differ alike, show nothing.
    expect(await against('full.db', 'full.db')).toMatchObject({
      code: 3,
      stdout: expect.stringMatching(
        /cannot be decided {2}non-inferior to full\.db .*: no variation in resamples/,
      ),
    });
    expect((await against('short.db', 'full.db')).code).toBe(3);
  });

  it('has its conditions checked at the end of the run, too', async () => {
    let nRuns = 0;
    const gated = (...assert: string[]) =>
      run(
        'baseline/reference',
        `gated-${nRuns++}.db`,
        ALLOWED,
        ...assert.flatMap((text) => ['--assert', text]),
      );
    const passed = await gated('safety.recall >= 0.9', 'deferral_alignment >= 0.9');
    expect([passed.code, passed.stdout]).toEqual([0, expect.stringContaining('PASS  safety.recall >= 0.9')]);
    expect((await gated('safety.recall < 0.5')).code).toBe(1);
    expect((await gated('points_to_care > 0.5')).code).toBe(3);
    const wrong = await gated('safty.recall > 0');
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('did you mean safety.recall')]);
  });

  it.each<[string, string[], string]>([
    ['an option for runs with labels', ['--bundle', 'extended'], '--bundle is for runs with labels'],
    [
      'a judge that has not judged',
      ['--judge', 'nobody'],
      'nobody has not judged this run; its judges: baseline/lexical',
    ],
    ['a trait that is not there', ['--assert', 'safty.recall > 0'], 'did you mean safety.recall'],
    ['labels that are not there', ['--labels', 'none.jsonl'], 'none.jsonl: no such file'],
    [
      'a non-inferiority test without a score',
      ['--non-inferior', 'short.db', '--margin', '0.1', ALLOWED],
      'non-inferiority on open questions needs a score',
    ],
  ])('names what is wrong with %s', async (_, args, words) => {
    const { code, stdout, stderr } = await report(...args);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(words);
  });
});

describe('krisis compare of open questions', () => {
  it.each(['text', 'json', 'md', 'html'])('makes %s, the same to the byte every time', async (format) => {
    const { code, stdout, stderr } = await compare('full.db', 'short.db', '--format', format);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toContain('safety: recall');
    expect((await compare('full.db', 'short.db', '--format', format)).stdout).toBe(stdout);
  });

  it('shows what one model says and the other does not', async () => {
    const { baseline, comparisons } = JSON.parse(
      (await compare('short.db', '--baseline', 'full.db', '--json')).stdout,
    );
    const [{ scores, flips }] = comparisons;
    expect(baseline).toBe('baseline/reference');
    expect(scores['safety.recall']).toMatchObject({ n: 15, baseline_value: 1, verdict: 'worse' });
    expect(scores['safety.recall'].p_holm).toBeGreaterThan(scores['safety.recall'].p);
    expect(flips.only_model_right).toEqual([]);
    expect(flips.n_only_baseline_right).toBeGreaterThan(50);
  });

  it('checks its conditions on every model but the baseline', async () => {
    const { code, stdout } = await compare(
      'full.db',
      'short.db',
      ALLOWED,
      '--assert',
      'safety.recall >= 0.9',
    );
    expect([code, stdout]).toEqual([1, expect.stringContaining('FAIL  own/short: safety.recall >= 0.9')]);
    expect((await compare('short.db', 'full.db', ALLOWED, '--assert', 'safety.recall >= 0.9')).code).toBe(0);
  });

  it('refuses other questions, and runs with labels', async () => {
    const other = 'run open/bcl2 --model baseline/reference --judge baseline/lexical --run bcl2.db'.split(
      ' ',
    );
    expect((await krisis(other, { cwd })).code).toBe(0);
    expect(await compare('full.db', 'bcl2.db')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('the runs are of different suites'),
    });
    const labels = 'run ckd/staging --model baseline/majority --limit 4 --bootstrap 0 --run labels.db'.split(
      ' ',
    );
    expect((await krisis(labels, { cwd })).code).toBe(0);
    expect(await compare('full.db', 'labels.db')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('cannot be compared'),
    });
    expect(await krisis(['report', 'labels.db', '--labels', 'x'], { cwd })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--labels is for runs of open questions'),
    });
  });
});
