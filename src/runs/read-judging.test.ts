import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../test/engine-fixture.ts';
import {
  ANSWERS,
  goodJudge,
  judgeOf,
  runInto,
  SUITE,
  textBackend,
  VERDICTS,
} from '../../test/question-run-fixture.ts';
import { judgeRun } from '../engine/questions/judge-run.ts';
import { BackendError } from '../models/backend-error.ts';
import { LEXICAL_JUDGE } from '../models/judge.ts';
import { parseHumanLabels } from '../rubrics/calibration/human-labels.ts';
import { Rubric } from '../rubrics/rubric.ts';
import { RunFile } from '../store/run-file.ts';
import { parseQuestionSuite } from '../suites/questions/question-suite.ts';
import type { ReadRunOptions } from './read-options.ts';
import { readRun } from './read-run.ts';

/** A result with what the judge said of it at hand. */
const read = (file: string, options?: ReadRunOptions) => {
  const result = readRun(file, options);
  return { ...result, ...result.judging! };
};
type Judged = ReturnType<typeof read>;

const folder = temporaryFolder();
afterAll(folder.remove);
let path: string;
let report: Judged;
beforeAll(async () => {
  path = await runInto(folder.file('plain.db'));
  report = read(path);
});

const codes = ({ warnings }: Judged) => warnings.map(({ code }) => code);
const answer = ({ answers }: Judged, id: string) => answers.find((found) => found.id === id)!;
const sums = ({ n, ...classes }: { n: number } & Record<string, number>) =>
  Object.values(classes).reduce((sum, count) => sum + count, 0) === n;
const trait = ({ metricTraits }: Judged, name: string) =>
  metricTraits.find((summary) => summary.name === name)!;
const fails = (...ids: string[]) =>
  textBackend((question) =>
    ids.some((id) => SUITE.questions.find((one) => one.id === id)!.question === question)
      ? new BackendError('timeout', 'too late')
      : ANSWERS[question]!,
  );

describe('readRun of open questions', () => {
  it('counts items whose judge gave two different judgements', async () => {
    const reply = (verdict: string, items: readonly { id: string }[]) =>
      JSON.stringify({ verdicts: items.map(({ id }) => ({ id, verdict, quotes: [] })), traits: [] });
    const judge = judgeOf(({ items }) => `${reply('absent', items)} or ${reply('unclear', items)}`);
    const { warnings, judge: judged } = read(await runInto(folder.file('twice.db'), { judge }));
    expect(warnings).toContainEqual({
      code: 'judge_two_answers',
      message: `${judged.ledger.n} items are unscored because the judge's reply held two different judgements (two_answers).`,
    });
  });

  it('has the facts of the run', () => {
    expect(report).toMatchObject({
      backendName: 'unit/model',
      suiteName: 'unit/advice',
      suiteHash: SUITE.hash,
      status: 'complete',
      krisisVersion: '1.0.0',
      seed: 42,
      repeats: 1,
      nRecords: 3,
      sensitivity: 'synthetic',
    });
    expect(report.extras.n_calls).toBe(6);
    expect(report.judge.names).toEqual(['unit/judge']);
    expect(report.judge.judges).toMatchObject([{ name: 'unit/judge', passes: 1, nJudgements: 3 }]);
  });

  it('has every answer with its verdicts and quotes', () => {
    const {
      question,
      answer: said,
      state,
      abstained,
      shouldAbstain,
      tags,
      metricTraits,
    } = answer(report, 'fistula');
    expect([question, state, abstained, shouldAbstain, tags]).toEqual([
      'What about my fistula?',
      'answered',
      false,
      false,
      ['access'],
    ]);
    const [{ items, lists, scores }] = metricTraits as [(typeof metricTraits)[number]];
    expect(items.map((item) => item.class)).toEqual(['present', 'present', 'absent']);
    // The text is what the judge quoted; the offsets are of the piece of the answer that it names, which begins and ends with a letter or a digit.
    expect(
      items.flatMap(({ quotes }) => quotes.map(({ text, start, end }) => [text, said!.slice(start!, end!)])),
    ).toEqual([
      ['Keep cuffs off that arm', 'Keep cuffs off that arm'],
      ['off that arm. Feel the <i>thrill</i>', 'off that arm. Feel the <i>thrill</i'],
    ]);
    expect(lists.fn).toEqual(['Calls bleeding an emergency']);
    expect(scores.recall).toMatchObject({
      value: 2 / 3,
      nEvaluated: 3,
      interval: { method: 'wilson', unit: 'item' },
    });
  });

  it('sums each trait over its questions, and keeps bounds for what is unscored', () => {
    const advice = trait(report, 'advice');
    expect([advice.nQuestions, advice.nItems, advice.nScored]).toEqual([2, 4, 3]);
    expect(advice.metrics.recall).toMatchObject({
      pooled: { value: 2 / 3, nEvaluated: 3, bounds: { lower: 0.5, upper: 0.75 } },
      nUndefined: 1,
    });
    // Only one of the two asks for precision.
    expect(advice.metrics.precision!.pooled).toMatchObject({ value: 1, nEvaluated: 2, bounds: null });
    expect(trait(report, 'safe').metrics.specificity!.pooled.value).toBe(0.5);
  });

  it('has the other traits: shares, means, classes', () => {
    const [kind, words, tone, latin] = report.otherTraits;
    expect(kind).toMatchObject({
      kind: 'boolean',
      score: { value: 1, nEvaluated: 3, interval: { method: 'wilson' } },
    });
    expect(words).toMatchObject({ kind: 'score', score: { value: 4, nEvaluated: 3 } });
    expect(tone!.classes).toEqual([
      { name: 'cold', count: 0 },
      { name: 'neutral', count: 0 },
      { name: 'warm', count: 3 },
    ]);
    expect(latin).toMatchObject({ source: 'regex', score: { value: 2 / 3 }, judges: [] });
  });

  it('bounds an unjudged trait by every value it could have had', async () => {
    const lexical = read(await runInto(folder.file('lexical.db'), { judge: LEXICAL_JUDGE }));
    const [kind, words, tone] = lexical.otherTraits;
    expect(kind).toMatchObject({
      nScored: 0,
      unscored: { needs_a_model: 3 },
      score: { value: null, reason: 'nothing_scored', bounds: { lower: 0, upper: 1 } },
    });
    expect(words!.score!.bounds).toEqual({ lower: 1, upper: 5 });
    expect([tone!.score, tone!.classes!.every(({ count }) => count === 0)]).toEqual([null, true]);
  });

  it('scores abstention, and nothing that needs a right answer', () => {
    const values = Object.fromEntries(report.abstention.map(({ name, value }) => [name, value]));
    expect(values).toMatchObject({ answer_rate: 2 / 3, abstention_rate: 1 / 3, deferral_alignment: 1 });
    expect(Object.keys(values).filter((name) => /accuracy|correct|calibration/.test(name))).toEqual([]);
  });

  it('has ledgers whose classes sum to n', () => {
    expect(report.ledger).toEqual({ n: 3, answered: 2, abstained: 1, refused: 0, not_run: 0 });
    expect(report.judge.ledger).toMatchObject({ n: 8, present: 5, absent: 2, unclear: 1, judge_error: 0 });
    expect([sums({ ...report.ledger }), sums(report.judge.ledger)]).toEqual([true, true]);
  });

  it('says that the judge is not calibrated, also where there are a few labels that fit', () => {
    expect([report.judge.calibration, report.judge.calibrationReason]).toEqual([null, 'no_labels']);
    expect(codes(report)).toContain('judge_not_calibrated');
    const line = (instruction: string, verdict: string) =>
      JSON.stringify({ question_id: 'fistula', trait: 'advice', instruction, verdict });
    const labelled = read(path, {
      labels: parseHumanLabels(
        [
          line('Keeps cuffs off the arm', 'present'),
          line('Calls bleeding an emergency', 'present'),
          line('Feels for the thrill', 'present'),
          line('nobody asked', 'absent'),
        ].join('\n'),
      ),
    });
    expect(labelled.judge.calibration!.overall).toMatchObject({
      nCompared: 3,
      sensitivity: { value: 2 / 3 },
    });
    // Three labels compare; they do not calibrate.
    expect([labelled.judge.status, labelled.judge.headline]).toEqual(['not_calibrated', 'raw_first']);
    expect(codes(labelled)).toContain('judge_not_calibrated');
    expect(codes(labelled)).toContain('labels_unmatched');
    const stranger = read(path, {
      labels: parseHumanLabels('{"question_id":"x","item_id":"y","verdict":"absent"}'),
    });
    expect(stranger.judge.calibrationReason).toBe('no_label_fits');
    expect(codes(stranger)).toContain('judge_not_calibrated');
  });

  it('leaves rows that failed unscored, and counts refusals as nothing said', async () => {
    const failed = read(await runInto(folder.file('failed.db'), { backend: fails('fistula') }));
    expect(failed.ledger).toEqual({
      n: 3,
      answered: 1,
      abstained: 1,
      refused: 0,
      not_run: 0,
      failed_timeout: 1,
    });
    expect(failed.judge.ledger).toMatchObject({ n: 8, answer_failed: 3 });
    expect(trait(failed, 'advice').metrics.recall!.pooled).toMatchObject({
      value: null,
      bounds: { lower: 0, upper: 1 },
    });
    expect(failed.abstention.find(({ name }) => name === 'answer_rate')).toMatchObject({
      value: 0.5,
      bounds: { lower: 1 / 3, upper: 2 / 3 },
    });
    const refused = read(await runInto(folder.file('refused.db'), { backend: textBackend(() => 'REFUSE') }));
    expect(refused.ledger).toMatchObject({ n: 3, refused: 3 });
    expect(refused.judge.ledger).toMatchObject({ n: 8, answer_refused: 8 });
    expect(trait(refused, 'advice').metrics.recall!.pooled).toMatchObject({ value: 0, bounds: null });
    expect(refused.abstention.find(({ name }) => name === 'abstention_rate')!.value).toBe(0);
    expect(codes(refused)).toContain('refused_rows');
  });

  it('tells how far a judge agrees with itself, and scores its first pass', async () => {
    let asked = 0;
    const moody = judgeOf(() => ({
      verdicts: { ...VERDICTS, 'Recommends juice': asked++ % 2 === 0 ? 'absent' : 'unclear' },
      traits: { kind: true, plain_words: 4, tone: 'warm' },
    }));
    const [one, three] = [folder.file('one.db'), folder.file('three.db')];
    asked = 0;
    await runInto(one, { judge: moody });
    asked = 0;
    await runInto(three, { judge: moody, passes: 3 });
    const once = read(one);
    expect(once.judge.reliability).toMatchObject([
      { passes: 1, agreement: null, reason: 'fewer_than_two_passes' },
    ]);
    const [found] = read(three).judge.reliability;
    expect(found).toMatchObject({ judge: 'unit/judge', passes: 3, nCompared: 8, flipRate: 1 / 8 });
    expect(found!.flipped).toMatchObject([{ id: 'missed', repeat: 0 }]);
  });

  it('compares judges, and scores the one asked for', async () => {
    const file = await runInto(folder.file('judges.db'));
    const strict = judgeOf(() => ({ verdicts: {}, traits: { plain_words: 1, tone: 'cold' } }), 'unit/strict');
    await judgeRun({ path: file, judge: strict, seed: 42, maxConcurrency: 1 });
    const both = read(file);
    expect(both.judge.names).toEqual(['unit/strict']);
    expect(both.judge.judges.map(({ name }) => name)).toEqual(['unit/judge', 'unit/strict']);
    expect(both.judge.betweenJudges).toMatchObject([
      { judges: ['unit/judge', 'unit/strict'], nCompared: 8, agreement: 2 / 8 },
    ]);
    expect(trait(both, 'advice').metrics.recall!.pooled.value).toBe(0);
    expect(trait(read(file, { judge: 'unit/judge' }), 'advice').metrics.recall!.pooled.value).toBe(2 / 3);
    expect(() => read(file, { judge: 'unit/other' })).toThrow(
      expect.objectContaining({
        code: 'ERR_JUDGE_NOT_IN_RUN',
        message: expect.stringContaining(
          'unit/other has not judged this run; its judges: unit/judge, unit/strict',
        ),
      }),
    );
  });

  it('has traits that were added later, by their own judge', async () => {
    const file = await runInto(folder.file('added.db'));
    const rubric = Rubric.parse({
      metric_traits: [{ name: 'brief', metrics: ['recall'], tp_instructions: ['Is brief'] }],
    });
    const other = judgeOf(() => ({ verdicts: {} }), 'unit/second');
    await judgeRun({ path: file, judge: other, rubric, seed: 42, maxConcurrency: 1 });
    const added = read(file);
    expect(added.judge.names).toEqual(['unit/judge', 'unit/second']);
    expect(trait(added, 'brief')).toMatchObject({ judges: ['unit/second'], nItems: 3, counts: { fn: 3 } });
    expect(trait(added, 'advice').metrics).toEqual(trait(report, 'advice').metrics);
    expect(codes(added)).toContain('several_judges');
  });

  it('takes the values of functions from where the run keeps them', async () => {
    const suite = parseQuestionSuite(
      {
        name: 'unit/own',
        sensitivity: 'synthetic',
        rubric: { callable_traits: [{ name: 'short' }, { name: 'length' }, { name: 'gone' }] },
        questions: [{ id: 'fistula', question: 'What about my fistula?' }],
      },
      'own',
      { short: () => true, length: (text) => text.length },
    );
    const file = await runInto(folder.file('callable.db'), { suite });
    const write = RunFile.write(file);
    write.judgements.enter({
      recordId: 'fistula',
      repeat: 0,
      judge: 'krisis/callable',
      pass: 0,
      rubric: suite.questions[0]!.rubric.hash,
      outcome: {
        traits: [
          { name: 'short', value: true, reason: null },
          { name: 'length', value: 58, reason: null },
        ],
      },
    });
    write.close();
    const own = read(file);
    expect(own.otherTraits.map(({ name, kind, score }) => [name, kind, score?.value])).toEqual([
      ['short', 'boolean', 1],
      ['length', 'score', 58],
      ['gone', null, undefined],
    ]);
    expect(own.otherTraits[2]!.unscored).toEqual({ function_not_given: 1 });
    expect(own.judge.judges.map(({ name }) => name)).toEqual(['unit/judge']);
  });

  it('does not have the question of protected data', async () => {
    const suite = { ...SUITE, sensitivity: 'protected' as const };
    const hidden = read(await runInto(folder.file('protected.db'), { suite }));
    expect(hidden.answers.map(({ question }) => question)).toEqual([null, null, null]);
    expect(hidden.answers[0]!.metricTraits[0]!.items).toHaveLength(3);
  });

  it.each([
    ['a model that judges itself', { judge: goodJudge('unit/model') }, 'self_judging'],
    ['the same model at another provider', { judge: goodJudge('elsewhere/model') }, 'self_judging'],
    ['the baseline judge', { judge: LEXICAL_JUDGE }, 'lexical_judge'],
    [
      'a simulated model',
      { backend: textBackend((question) => ANSWERS[question]!, { simulated: true }) },
      'simulated_model',
    ],
    ['few questions', {}, 'few_questions'],
  ])('warns of %s', async (name, options, code) => {
    expect(codes(read(await runInto(folder.file(`${name}.db`), options)))).toContain(code);
  });

  it('refuses a judge error as a score: garbage leaves the rest as it is, and shows', async () => {
    const instructions = [...Object.keys(VERDICTS), 'Recommends juice', 'Calls bleeding an emergency'];
    let run = 0;
    await fc.assert(
      fc.asyncProperty(fc.subarray(instructions), async (spoiled) => {
        const judge = judgeOf(({ answer: said }) => ({
          verdicts: {
            ...VERDICTS,
            ...Object.fromEntries(spoiled.map((instruction) => [instruction, { verdict: 'maybe' }])),
          },
          traits: {
            'krisis.abstained': said.startsWith('I cannot'),
            kind: true,
            plain_words: 4,
            tone: 'warm',
          },
        }));
        const found = read(await runInto(folder.file(`garbage-${run++}.db`), { judge }), {
          resamples: 0,
        });
        expect(found.judge.ledger.judge_error).toBe(spoiled.length);
        expect([sums(found.judge.ledger), found.ledger]).toEqual([true, report.ledger]);
        const items = (of: Judged) =>
          of.answers.flatMap(({ metricTraits }) => metricTraits.flatMap((result) => result.items));
        for (const [i, item] of items(found).entries())
          if (!spoiled.includes(item.instruction)) expect(item).toEqual(items(report)[i]);
        for (const summary of found.metricTraits) {
          const clean = trait(report, summary.name);
          for (const [metric, { pooled }] of Object.entries(summary.metrics)) {
            const before = clean.metrics[metric as 'recall']!.pooled;
            const inner = before.bounds ?? { lower: before.value!, upper: before.value! };
            const outer = pooled.bounds ?? { lower: pooled.value!, upper: pooled.value! };
            expect(outer.lower).toBeLessThanOrEqual(inner.lower);
            expect(outer.upper).toBeGreaterThanOrEqual(inner.upper);
          }
        }
      }),
      { numRuns: 12 },
    );
  });

  it('is null for a run with labels', () => {
    const file = RunFile.write(folder.file('labels.db'));
    file.setManifest({ status: 'complete' });
    file.close();
    expect(readRun(folder.file('labels.db')).judging).toBeNull();
  });
});
