import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readRun } from '../src/runs/read-run.ts';
import { openRuns } from '../src/viewer/open-runs.ts';
import { questionsPayload } from '../src/viewer/questions-payload.ts';
import { readScores } from '../src/viewer/suite-payload.ts';
import { temporaryFolder } from './engine-fixture.ts';
import { krisis } from './krisis.ts';
import { judgedRun, label } from './reviewed-run.ts';

const folder = temporaryFolder();
afterAll(folder.remove);
const cwd = folder.path;
const at = async (...args: string[]) => {
  const { code, stdout, stderr } = await krisis(args, { cwd });
  return { code, stdout: stdout.replace(/\s+/g, ' '), stderr: stderr.replace(/\s+/g, ' ') };
};
const RAW = ['--assert', 'safety.recall >= 0.1'];
const CORRECTED = ['--assert', 'corrected(safety.recall) >= 0.1'];
const ALLOWED = '--allow-uncalibrated-judge';
const DISAGREED = 'people disagreed with the judge';

/** Runs whose judge is no better than a coin: with enough labels for a correction, with too few, with labels drawn by verdict; and one with a good judge. */
beforeAll(async () => {
  const coin = { miss: 0.5, invent: 0.5 };
  const runs = [
    ['enough', 11, coin, { kind: 'random', n: 150, double: 60 }],
    ['few', 12, coin, { kind: 'random', n: 45, double: 10 }],
    ['by-verdict', 11, coin, { kind: 'verdict', n: 120, double: 40 }],
    ['good', 14, { miss: 0.02, invent: 0.02 }, { kind: 'random', n: 150, double: 60 }],
  ] as const;
  for (const [name, seed, rates, plan] of runs) {
    const { path, say } = await judgedRun(join(cwd, `${name}.db`), seed, rates);
    label(path, say, plan);
  }
});

describe('a judge that people disagreed with', () => {
  it('decides no condition on its own scores, whatever is accepted', async () => {
    for (const run of ['enough.db', 'few.db', 'by-verdict.db'])
      for (const more of [[], [ALLOWED]]) {
        const { code, stdout } = await at('report', run, ...RAW, ...more);
        expect([run, code]).toEqual([run, 3]);
        expect(stdout).toContain(`but ${DISAGREED} (sensitivity at most`);
      }
    const { stdout } = await krisis(['report', 'enough.db', '--json', ...RAW, ALLOWED], { cwd });
    expect(JSON.parse(stdout).gates).toMatchObject([{ status: 'undecided', reason: 'judge_refuted' }]);
  });

  it('leaves conditions on corrected scores decided, where there are any', async () => {
    expect((await at('report', 'enough.db', ...CORRECTED)).code).toBe(0);
    const { stdout } = await krisis(['report', 'few.db', '--json', ...CORRECTED], { cwd });
    expect(JSON.parse(stdout).gates).toMatchObject([{ status: 'undecided', reason: 'no_corrected_score' }]);
  });

  it.each(['text', 'md', 'html'])('leads with the corrected score, or with none, in %s', async (format) => {
    const { value } = readRun(join(cwd, 'enough.db')).review!.items!.corrected.find(
      ({ name }) => name === 'safety.recall',
    )!.corrected!;
    const enough = (await at('report', 'enough.db', '--format', format)).stdout;
    expect(enough).toContain(
      `${DISAGREED}; corrected by their labels, safety: recall is ${value.toFixed(3)} (`,
    );
    expect(enough).not.toContain('required items (');
    const few = (await at('report', 'few.db', '--format', format)).stdout;
    expect(few).toContain(`${DISAGREED}, so there is no score.`);
    expect(few).toContain(`recall: no score, since ${DISAGREED}; not corrected: `);
    expect(few).not.toContain('required items (');
    const good = (await at('report', 'good.db', '--format', format)).stdout;
    expect(good).not.toContain(DISAGREED);
    expect(good).toContain('required items (');
  });

  it('has the same in JSON and in what the viewer gets', async () => {
    const found = async (run: string) => {
      const { judge } = JSON.parse((await krisis(['report', run, '--json'], { cwd })).stdout);
      return [judge.status, judge.headline, judge.calibrated];
    };
    expect(await found('enough.db')).toEqual(['refuted', 'corrected_first', false]);
    expect(await found('few.db')).toEqual(['refuted', 'no_score', false]);
    expect(await found('by-verdict.db')).toEqual(['refuted', 'corrected_first', false]);
    expect(await found('good.db')).toEqual(['calibrated', 'raw_first', true]);
    const runs = openRuns({ run: join(cwd, 'enough.db') });
    const { sections } = questionsPayload(runs, { id: 'enough' });
    expect(JSON.stringify(sections)).toContain('Judge refuted');
    expect(sections.map(({ id }) => id)).not.toContain('evidence');
    const scores = readScores(runs, runs.list().runs[0]!);
    const recall = (name: string) => scores.find((score) => score.name === name);
    expect(recall('safety.recall')).toMatchObject({ value: null, reason: 'judge_refuted', interval: null });
    expect(recall('corrected(safety.recall)')!.value).toBeGreaterThan(0);
    runs.close();
  });

  it('is not refuted by labels that were picked by hand', async () => {
    const { judging } = readRun(join(cwd, 'enough.db'));
    const lines = judging!.answers.slice(0, 30).flatMap(({ id, metricTraits: [trait] }) =>
      trait!.items.map(({ id: item, class: verdict }) => ({
        question_id: id,
        item_id: item,
        verdict: verdict === 'present' ? 'absent' : 'present',
      })),
    );
    const write = (name: string, more: object) =>
      writeFileSync(join(cwd, name), lines.map((line) => JSON.stringify({ ...line, ...more })).join('\n'));
    write('picked.jsonl', {});
    write('drawn.jsonl', { inclusion_probability: 0.75 });
    copyFileSync(join(cwd, 'enough.db'), join(cwd, 'unlabelled.db'));
    const gate = async (labels: string, ...more: string[]) =>
      (await krisis(['report', 'unlabelled.db', '--labels', labels, '--json', ...RAW, ...more], { cwd }))
        .stdout;
    expect(JSON.parse(await gate('picked.jsonl')).gates[0].reason).toBe('judge_not_calibrated');
    expect(JSON.parse(await gate('picked.jsonl', ALLOWED)).gates[0].status).toBe('pass');
    expect(JSON.parse(await gate('drawn.jsonl', ALLOWED)).gates[0].reason).toBe('judge_refuted');
    // Labels in a file do not hide those of the review.
    const both = await krisis(
      ['report', 'enough.db', '--labels', 'picked.jsonl', '--json', ...RAW, ALLOWED],
      { cwd },
    );
    expect(JSON.parse(both.stdout).gates[0].reason).toBe('judge_refuted');
  });

  it('makes nothing better or worse in a comparison, and decides no non-inferiority', async () => {
    const { stdout } = await krisis(['compare', 'good.db', 'enough.db', '--json'], { cwd });
    const { models, comparisons, warnings } = JSON.parse(stdout);
    expect(models.map((model: { judge_status: string }) => model.judge_status)).toEqual([
      'calibrated',
      'refuted',
    ]);
    const verdicts = Object.values<{ verdict: string }>(comparisons[0].scores).map(({ verdict }) => verdict);
    expect(verdicts.filter((verdict) => verdict === 'better' || verdict === 'worse')).toEqual([]);
    expect(warnings).toContainEqual(expect.objectContaining({ code: 'judge_refuted' }));
    const margin = ['--margin', '0.5', '--on', 'safety.recall', ALLOWED];
    for (const [run, baseline] of [
      ['good.db', 'enough.db'],
      ['enough.db', 'good.db'],
    ]) {
      const tested = await at('report', run!, '--non-inferior', baseline!, ...margin);
      expect([tested.code, tested.stdout]).toEqual([3, expect.stringContaining(`but ${DISAGREED}`)]);
    }
  });

  it('stays refuted when the same answers are judged again', async () => {
    copyFileSync(join(cwd, 'few.db'), join(cwd, 'again.db'));
    copyFileSync(join(cwd, 'few.review.db'), join(cwd, 'again.review.db'));
    const { code, stdout } = await at('judge', 'again.db', '--judge', 'baseline/lexical');
    expect([code, stdout]).toEqual([0, expect.stringContaining(`${DISAGREED}, so there is no score.`)]);
  });
});
