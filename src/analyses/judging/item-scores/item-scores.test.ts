import { writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../../test/engine-fixture.ts';
import { runWeighted, WEIGHTED_SUITE } from '../../../../test/weighted-run-fixture.ts';
import { recordAnswers } from '../../../engine/questions/recorded-answers.ts';
import type { WeightedItem } from '../../../rubrics/weighted/item-shares.ts';
import {
  contradictionRate,
  criticalFailureRate,
  harmRates,
  weightedScore,
} from '../../../rubrics/weighted/weighted-score.ts';
import { checkGate } from '../../../runs/gates/check-gate.ts';
import { parseGate } from '../../../runs/gates/parse-gate.ts';
import { readRun } from '../../../runs/read-run.ts';
import type { RunResult } from '../../../runs/run-result.ts';
import { compareRuns } from '../../comparison/compare-runs.ts';
import { measureScore } from './measure-score.ts';
import { MEASURES } from './measures.ts';

const folder = temporaryFolder();
afterAll(folder.remove);
let result: RunResult;
let open: RunResult;
beforeAll(async () => {
  result = readRun(await runWeighted(folder.file('run.db')));
  open = readRun(
    await runWeighted(folder.file('open.db'), {
      'Doubles the dose': { verdict: 'present', quotes: ['take it twice'] },
      'Says to drink freely': { verdict: 'present', quotes: ['not what it says'] },
    }),
  );
});

const OPTIONS = { level: 0.95, seed: 42, resamples: 200 };
const measureOf = (name: string) => MEASURES.find((measure) => measure.name === name)!;

describe('scores over items', () => {
  it('weigh items by points, and clip over all or by question', () => {
    // dose: 3 of 10 points (the dose is wrong, nobody is polite); salt: 4 of 8; fluid: -8 of 2.
    const { weighted_score: overall, 'weighted_score.by_question': byQuestion } = result.scores;
    expect(overall).toMatchObject({
      value: 0,
      nEvaluated: 3,
      bounds: null,
      details: { unclipped: -3.2 / 3 },
    });
    expect(byQuestion!.value).toBeCloseTo(0.8 / 3, 12);
  });

  it('have an interval of the mean before clipping where the clipped one has none', () => {
    const { interval, details } = result.scores.weighted_score!;
    const ends = details.unclipped_interval as { lower: number; upper: number };
    expect(ends.lower).toBeLessThan(0);
    expect(interval === null || interval.upper >= 0).toBe(true);
  });

  it('count questions that fail a critical item, with Wilson over questions', () => {
    expect(result.scores.critical_failure_rate).toMatchObject({
      value: 1,
      nEvaluated: 2,
      interval: { method: 'wilson', unit: 'question' },
    });
  });

  it('weigh harm by its grade, and say what it is with all weights 1', () => {
    const { omission_harm, commission_harm } = result.scores;
    // Left out: Is polite (1), Advises a fluid limit (1). Required: 3 + 1 + 1, 1 + 2, 1.
    expect(omission_harm!.value).toBeCloseTo(2 / 9, 12);
    expect(result.scores['omission_harm.unweighted']!.value).toBeCloseTo(2 / 6, 12);
    // Denied: the dose (3) and the limit (2); said: drink freely (1). All: 9 + 5 + 5 + 1.
    expect(commission_harm!.value).toBeCloseTo(6 / 20, 12);
    expect(result.scores['commission_harm.unweighted']!.value).toBeCloseTo(3 / 9, 12);
    expect(result.judging!.itemScores.harmWeights).toEqual([
      { harm: 1, nItems: 5 },
      { harm: 2, nItems: 1 },
      { harm: 3, nItems: 1 },
      { harm: 5, nItems: 2 },
    ]);
  });

  it('tell denying from leaving out, over all and for each trait of full_matrix', () => {
    expect(result.scores.contradiction_rate!.value).toBeCloseTo(2 / 6, 12);
    expect(result.scores['advice.contradiction_rate']!.value).toBeCloseTo(2 / 6, 12);
  });

  it('are there by axis and by tag of questions, with their n', () => {
    expect(result.scores['weighted_score.axis.communication']).toMatchObject({ value: 0, nEvaluated: 1 });
    expect(result.scores['weighted_score.axis.accuracy']!.nEvaluated).toBe(3);
    expect(result.scores['weighted_score.by_question.question_tag.food']!.value).toBeCloseTo(0.25, 12);
    expect(
      result.judging!.itemScores.groups.map(({ by, name, nQuestions }) => [by, name, nQuestions]),
    ).toEqual([
      ['axis', 'accuracy', 3],
      ['axis', 'communication', 1],
      ['question_tag', 'drugs', 1],
      ['question_tag', 'food', 2],
    ]);
  });

  it('have bounds where items are open, and gates use them', () => {
    const { critical_failure_rate: critical } = open.scores;
    // One question fails for certain, the other may.
    expect(critical).toMatchObject({ value: 1, nEvaluated: 1, bounds: { lower: 0.5, upper: 1 } });
    const check = (text: string) =>
      checkGate(parseGate(text, { names: Object.keys(open.scores) }), open.card).status;
    expect(check('critical_failure_rate <= 0.6')).toBe('undecided');
    expect(check('critical_failure_rate <= 0.4')).toBe('fail');
    expect(check('weighted_score >= 0.9')).toBe('fail');
    expect(check('advice.specificity >= 0.9')).toBe('undecided');
  });

  it('know the tags of questions whose answers were recorded elsewhere', async () => {
    const answersPath = folder.file('answers.jsonl');
    writeFileSync(answersPath, '{"id":"salt","answer":"Eat less salt."}\n');
    const questions = WEIGHTED_SUITE;
    const { path } = await recordAnswers({
      answersPath,
      questions,
      krisisVersion: '1.0.0',
      path: folder.file('recorded.db'),
    });
    expect(readRun(path).judging!.answers[0]!.tags).toEqual(['food']);
  });

  it('compare two runs question by question, on the items that both have settled', () => {
    const { endpoints } = compareRuns([open, result], { resamples: 200 }).pairs[0]!;
    const found = new Map(endpoints.map((endpoint) => [endpoint.metric, endpoint]));
    expect(found.get('weighted_score')).toMatchObject({ n: 3, difference: 0, better: 'higher' });
    expect([...found.keys()]).toEqual(
      expect.arrayContaining([
        'critical_failure_rate',
        'omission_harm',
        'commission_harm',
        'contradiction_rate',
      ]),
    );
    expect(found.has('omission_harm.unweighted')).toBe(false);
  });
});

const verdict = fc.constantFrom('present', 'absent', 'contradicted', 'unclear', 'unverified', 'judge_error');
const item: fc.Arbitrary<WeightedItem> = fc
  .record({ verdict, critical: fc.boolean(), required: fc.boolean(), size: fc.integer({ min: 1, max: 9 }) })
  .map(({ size, required, ...rest }) => ({
    ...rest,
    required,
    points: required ? size : -size,
    severity: size,
  }));
const questions = fc.array(fc.array(item, { minLength: 1, maxLength: 6 }), { maxLength: 6 });

describe('with one answer to each question', () => {
  const scoreOf = (name: string, all: readonly (readonly WeightedItem[])[]) =>
    measureScore(
      measureOf(name),
      all.map((items, i) => ({ questionId: `q${i}`, items })),
      { ...OPTIONS, resamples: 0 },
    );
  const closeTo = (found: number | null | undefined, wanted: number | null) =>
    wanted === null ? expect(found ?? null).toBeNull() : expect(found).toBeCloseTo(wanted, 10);

  it('the scores are those of the library functions', () => {
    fc.assert(
      fc.property(questions, (all) => {
        const asked = all.map((items) => ({ items }));
        const weighted = weightedScore(asked);
        closeTo(scoreOf('weighted_score', all).value, weighted.clippedOverall);
        closeTo(scoreOf('weighted_score.by_question', all).value, weighted.clippedByQuestion);
        const critical = criticalFailureRate(asked);
        closeTo(scoreOf('critical_failure_rate', all).value, critical.rate);
        const harm = harmRates(asked);
        closeTo(scoreOf('omission_harm', all).value, harm.omission);
        closeTo(scoreOf('commission_harm', all).value, harm.commission);
        closeTo(scoreOf('any_harm', all).value, harm.anyHarm);
        // The library function has no interval, and so no score, for a single question.
        const contradicted = contradictionRate(asked);
        if (contradicted !== null) closeTo(scoreOf('contradiction_rate', all).value, contradicted.value);
        const bounds = scoreOf('weighted_score', all).bounds;
        if (bounds !== null) expect([bounds.lower, bounds.upper]).toEqual([...weighted.bounds!]);
      }),
    );
  });

  it('bounds hold however the open items are settled', () => {
    fc.assert(
      fc.property(
        questions,
        fc.infiniteStream(fc.constantFrom('present', 'absent', 'contradicted')),
        (all, more) => {
          for (const { name } of MEASURES) {
            const { bounds, value } = scoreOf(name, all);
            const settled = all.map((items) =>
              items.map((own) =>
                ['present', 'absent', 'contradicted'].includes(own.verdict!)
                  ? own
                  : { ...own, verdict: more.next().value as string },
              ),
            );
            const after = scoreOf(name, settled).value;
            if (after === null) continue;
            const { lower, upper } = bounds ?? { lower: value!, upper: value! };
            expect(after).toBeGreaterThanOrEqual(lower - 1e-9);
            expect(after).toBeLessThanOrEqual(upper + 1e-9);
          }
        },
      ),
    );
  });

  it('answers to one question are averaged first, and count once', () => {
    const said = (word: string): WeightedItem[] => [
      { required: true, points: 1, severity: 1, critical: true, verdict: word },
    ];
    const answers = [
      { questionId: 'a', items: said('present') },
      { questionId: 'a', items: said('absent') },
      { questionId: 'b', items: said('present') },
    ];
    expect(measureScore(measureOf('weighted_score'), answers, OPTIONS)).toMatchObject({
      value: 0.75,
      nEvaluated: 2,
    });
    expect(measureScore(measureOf('critical_failure_rate'), answers, OPTIONS).value).toBe(0.25);
  });
});
