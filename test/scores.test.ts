import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { openResult } from '../src/cli/open-result.ts';
import { krisis } from './krisis.ts';

const cwd = mkdtempSync(join(tmpdir(), 'krisis-scores-'));
afterAll(() => rmSync(cwd, { recursive: true }));

function write(name: string, lines: readonly string[]): string {
  writeFileSync(join(cwd, name), `${lines.join('\n')}\n`);
  return name;
}

const SHARED = '../shared/data';
const scoresOf = async (args: readonly string[]) => {
  const { stdout, stderr, code } = await krisis(['score', ...args, '--bootstrap', '50', '--json'], { cwd });
  expect([code, stderr]).toEqual([0, expect.any(String)]);
  return JSON.parse(stdout);
};

describe('rows with a score in place of prediction and truth', () => {
  it('score 0 and 1 as right and wrong, with the mean score beside', async () => {
    const file = write('binary.csv', ['id,score', 'a,1', 'b,0', 'c,right', 'd,wrong', 'e,1.0']);
    const { metrics, ledger } = await scoresOf([file, '--columns', 'score=score']);
    expect(metrics.mean_score.value).toBe(0.6);
    expect(metrics.accuracy.value).toBe(0.6);
    expect(ledger).toMatchObject({ answered_correct: 3, answered_wrong: 2 });
  });

  it('have no accuracy where an answer is right in part', async () => {
    const file = write('parts.csv', ['id,score', 'a,1', 'b,0.5', 'c,0']);
    const { metrics, ledger } = await scoresOf([file, '--columns', 'score=score']);
    expect(metrics.mean_score.value).toBe(0.5);
    expect(metrics.accuracy.value).toBeNull();
    expect(ledger).toMatchObject({ answered_correct: 1, answered: 1, answered_wrong: 1 });
  });

  it('count an abstention and an unusable answer as 0, and leave failed rows out', async () => {
    const file = write('states.jsonl', [
      '{"id": "a", "right": true, "deferred": false}',
      '{"id": "b", "right": null, "deferred": true}',
      '{"id": "c", "right": null, "deferred": false}',
      '{"id": "d", "right": null, "deferred": null, "state": "failed"}',
    ]);
    const { metrics, n_scored } = await scoresOf([file, '--columns', 'score=right,abstained=deferred']);
    expect([n_scored, metrics.mean_score.value]).toEqual([3, 1 / 3]);
    expect(metrics.mean_score.value).toBe(metrics.accuracy.value);
  });

  it('are refused outside 0 to 1, with the place', async () => {
    const file = write('outside.csv', ['id,score', 'a,1', 'b,7']);
    const { code, stderr } = await krisis(['score', file, '--columns', 'score=score'], { cwd });
    expect(code).toBe(2);
    expect(stderr).toContain('outside.csv:3: score is 7; expected a number from 0 to 1, true or false');
  });

  it('leave a column named score alone where the file has predictions', async () => {
    const file = write('own.csv', ['id,prediction,ground_truth,score', 'a,1,1,17', 'b,0,1,3']);
    const { metrics } = await scoresOf([file]);
    expect(metrics.mean_score).toBeUndefined();
    expect(metrics.accuracy.value).toBe(0.5);
  });
});

describe('scores that people checked', () => {
  /** A judge that errs in one case of five, towards right; people checked the cases that `isChecked` picks. */
  const rows = (isChecked: (i: number) => boolean, n = 300) =>
    Array.from({ length: n }, (_, i) => {
      const people = i % 2 === 0;
      const judge = people || i % 5 === 0;
      return JSON.stringify({ id: `c${i}`, right: judge, ...(isChecked(i) && { physicians: people }) });
    });
  const columns = ['--columns', 'id=id,score=right,checked=physicians'];
  const third = (i: number) => i % 3 === 0;

  it('correct the mean, and say what the correction rests on', async () => {
    const file = write('checked.jsonl', rows(third));
    const { metrics, warnings } = await scoresOf([file, ...columns]);
    expect(metrics.mean_score.value).toBeCloseTo(0.6);
    const { value, interval, n_evaluated: n, details } = metrics.corrected_score;
    expect(n).toBe(100);
    expect(value).toBeCloseTo(0.5, 1);
    expect(interval).toMatchObject({ method: 'review', unit: 'row' });
    expect(interval.lower).toBeLessThan(0.5);
    expect(interval.upper).toBeLessThan(0.6);
    expect(details).toMatchObject({
      n_checked: 100,
      people_alone: 0.5,
      sensitivity: { value: 1, n: 50 },
      specificity: { value: 0.8, n: 50 },
    });
    expect(warnings).toContainEqual({
      code: 'corrected_if_random',
      message: expect.stringContaining('a random sample of all answers, which Krisis cannot see'),
    });
  });

  it('are not used where they are no random sample', async () => {
    const file = write(
      'chosen.jsonl',
      rows((i) => i % 2 === 0),
    );
    const { metrics, warnings } = await scoresOf([file, ...columns]);
    expect(metrics.corrected_score).toMatchObject({
      value: null,
      reason: 'checked_answers_differ',
      interval: null,
    });
    expect(warnings).toContainEqual({
      code: 'not_corrected',
      message: expect.stringContaining('their mean score is 1.000, and that of the other answers 0.200'),
    });
    const { code, stdout } = await krisis(
      ['score', file, ...columns, '--assert', 'lower(corrected_score) >= 0.1'],
      { cwd },
    );
    expect([code, stdout]).toEqual([3, expect.stringContaining('corrected_score has no value')]);
  });

  it('are not used where they are few', async () => {
    const file = write(
      'few.jsonl',
      rows((i) => i % 10 === 0),
    );
    const { metrics } = await scoresOf([file, ...columns]);
    expect(metrics.corrected_score).toMatchObject({ value: null, reason: 'too_few_checked_answers' });
  });

  it('take the answers to one case together', async () => {
    const own = rows(third, 150);
    const file = write('repeated.jsonl', own);
    const twice = write('repeated-twice.jsonl', [...own, ...own]);
    const width = async (path: string) => {
      const { interval } = (await scoresOf([path, ...columns])).metrics.corrected_score;
      return interval.upper - interval.lower;
    };
    expect(await width(twice)).toBeCloseTo(await width(file));
  });

  it('are kept in a run file, with the same numbers', async () => {
    const file = write('kept.jsonl', rows(third));
    const { metrics } = await scoresOf([file, ...columns, '--save', '--run', 'kept.db']);
    const { stdout } = await krisis(['report', './kept.db', '--format', 'json'], { cwd });
    expect(JSON.parse(stdout).metrics.corrected_score).toMatchObject({
      value: metrics.corrected_score.value,
    });
  });

  it('are refused outside 0 to 1, and without the scores that they check', async () => {
    const file = write('checked.csv', ['id,right,checks', 'a,1,1', 'b,1,7']);
    const outside = await krisis(['score', file, '--columns', 'score=right,checked=checks'], { cwd });
    expect([outside.code, outside.stderr]).toEqual([
      2,
      expect.stringContaining('checked.csv:3: checked is 7; expected a number from 0 to 1, true or false'),
    ]);
    const alone = await krisis(['score', file, '--columns', 'checked=checks'], { cwd });
    expect([alone.code, alone.stderr]).toEqual([2, expect.stringContaining('add score=COLUMN')]);
  });
});

describe('a file with several models', () => {
  const lines = ['item,model_id,score,epoch'];
  for (let item = 0; item < 30; item++)
    for (const epoch of [1, 2]) {
      lines.push(`q${item},first,${item % 3 === 0 ? 0 : 1},${epoch}`);
      lines.push(`q${item},second,${(item + epoch) % 2},${epoch}`);
    }
  const columns = ['--columns', 'id=item,model=model_id,score=score,repeat=epoch'];

  it('is compared with itself, by the means of the repeats', async () => {
    const file = write('two-models.csv', lines);
    const { stdout, code } = await krisis(['compare', file, ...columns, '--json'], { cwd });
    expect(code).toBe(0);
    const { comparisons } = JSON.parse(stdout);
    expect(comparisons).toHaveLength(1);
    expect(comparisons[0]).toMatchObject({ baseline: 'first', model: 'second', n_paired: 30 });
    const found = comparisons[0].endpoints.mean_score;
    expect(found).toMatchObject({ baseline_value: expect.closeTo(2 / 3), model_value: 0.5 });
    expect(found.difference).toBeCloseTo(0.5 - 2 / 3);
    expect(found.interval.method).toBe('paired_score_clustered');
  });

  it('is scored one model at a time', async () => {
    const file = write('two-models.csv', lines);
    const refused = await krisis(['score', file, ...columns], { cwd });
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain('2 runs: first, second; expected one');
    await expect(
      openResult(join(cwd, file), {}, { columns: { id: 'item', model: 'model_id', score: 'score' } }),
    ).rejects.toMatchObject({
      code: 'ERR_SEVERAL_RUNS',
    });
    const { metrics, n } = await scoresOf([file, ...columns, '--model', 'second']);
    expect([n, metrics.mean_score.value]).toEqual([60, 0.5]);
    const screen = await krisis(['score', file, ...columns, '--model', 'second'], { cwd });
    expect(screen.stdout.replaceAll(/\s+/g, ' ')).toContain('--model second --full');
    const unknown = await krisis(['score', file, ...columns, '--model', 'third'], { cwd });
    expect([unknown.code, unknown.stderr]).toEqual([
      2,
      expect.stringContaining('its runs are: first, second'),
    ]);
  });
});

describe('a file per repeat', () => {
  it('is one run of several files', async () => {
    const files = [1, 2, 3].map((repeat) =>
      write(`repeat_${repeat}.jsonl`, [
        '{"case_id": 1, "true_urgency": "em", "llm_output": "em"}',
        `{"case_id": 2, "true_urgency": "em", "llm_output": "${repeat === 2 ? 'ne' : 'em'}"}`,
        '{"case_id": 3, "true_urgency": "sc", "llm_output": "sc"}',
      ]),
    );
    const columns = ['--columns', 'id=case_id,prediction=llm_output,ground_truth=true_urgency'];
    const { n, metrics, task } = await scoresOf([
      ...files,
      '--as-repeats',
      ...columns,
      '--labels',
      'sc,ne,em',
      '--act-labels',
      'em',
    ]);
    expect([n, task]).toEqual([9, 'staging']);
    expect(metrics.missed_emergency_rate).toMatchObject({ n_successes: 1, n_evaluated: 6 });
    expect(metrics.under_staging_rate).toMatchObject({ n_successes: 1 });
    const refused = await krisis(['score', ...files, ...columns], { cwd });
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('--as-repeats')]);
  });
});

describe.skipIf(!existsSync(SHARED))('published data', () => {
  const at = (file: string) => join(process.cwd(), SHARED, file);

  it('give the difference that is published for two models on GPQA', async () => {
    const columns = 'id=item_id,model=model_id,score=score,repeat=epoch';
    const { stdout } = await krisis(
      ['compare', at('scores/gpqa_diamond_scores.csv'), '--columns', columns, '--json'],
      { cwd },
    );
    const [{ n_paired, endpoints }] = JSON.parse(stdout).comparisons;
    const { difference, p, interval, verdict } = endpoints.mean_score;
    expect([n_paired, (-100 * difference).toFixed(1)]).toEqual([198, '5.9']);
    expect(p).toBeCloseTo(0.036, 2);
    // The wider interval includes 0, so the difference is not shown.
    expect([interval.lower < 0, interval.upper > 0, verdict]).toEqual([true, true, 'no_difference_shown']);
  });

  it('count the missed emergencies of MedSafe-Dx with the failed calls beside', async () => {
    const columns =
      'id=case_id,score=top1_correct,abstained=deferred,urgent=escalated,must_act=escalation_required,should_abstain=uncertainty_acceptable';
    const { metrics, ledger } = await scoresOf([at('medsafe-dx/gpt-5.4-pro.jsonl'), '--columns', columns]);
    expect(metrics.missed_emergency_rate).toMatchObject({ n_successes: 11, n_evaluated: 208 });
    expect(metrics.false_alarm_rate).toMatchObject({ n_successes: 70, n_evaluated: 141 });
    expect(ledger.failed_unknown).toBeGreaterThan(98);
  });

  it('read triage in both layouts', async () => {
    const rest = [
      '--columns',
      'id=case_id,prediction=llm_output,ground_truth=true_urgency',
      '--labels',
      'sc,ne,em',
      '--act-labels',
      'em',
    ];
    const july = await scoresOf([at('triage/semigran_o1-mini.jsonl'), ...rest]);
    expect(july.metrics.missed_emergency_rate).toMatchObject({ n_successes: 24, n_evaluated: 75 });
    expect(july.metrics.false_alarm_rate).toMatchObject({ n_successes: 1, n_evaluated: 150 });
    const march = [1, 2, 3, 4, 5].map((repeat) => at(`triage/semigran_mar25_gpt4o_${repeat}.jsonl`));
    expect((await scoresOf([...march, '--as-repeats', ...rest])).n).toBe(225);
  });
});
