import { describe, expect, it } from 'vitest';
import { reportOf, rows } from '../../../test/run-report-fixture.ts';
import { htmlOf } from '../../../test/section-fixture.ts';
import { renderText } from '../../reports/formats/text.ts';
import type { RunResult, SuiteBaseline } from '../../runs/run-result.ts';
import { riskCoverage } from '../../runs/sections/confidence.ts';
import { headlineScores } from '../../runs/sections/headline-scores.ts';
import { baselines, sampleSize } from './section.ts';

const score = (value: number) => ({ value, lower: value - 0.05, upper: value + 0.05, n: 900 });
const rule = (name: string, decision: number, coverage: number, right: number): SuiteBaseline => ({
  model: `baseline/${name}`,
  n: 1000,
  scores: {
    decision_accuracy: score(decision),
    answer_rate: score(coverage),
    selective_accuracy_strict: score(right),
    unsafe_decision_rate: score(1 - decision),
  },
});
const shown = (of: RunResult) => ({ ...of, headlines: headlineScores(of.card.scores, 'decision_accuracy') });
const report = shown(
  reportOf({
    baselines: [rule('majority', 0.41, 1, 0.52), rule('guideline-defer', 0.93, 0.7, 0.88)],
  }),
);

describe('baselines of the suite', () => {
  it('are rows of a table beside the model', () => {
    const text = renderText({ summary: ['x'], sections: [baselines(report)!] }, 1000);
    expect(text).toMatch(/model +Unsafe Decisions +Decision Accuracy/);
    expect(text).toMatch(/demo\/model +3\/40 +0\.\d{3} \(n = 40\)/);
    expect(text).toMatch(/^ {2}majority +531\/900 +0\.410 \(n = 900\)/m);
  });

  it('are drawn with their intervals, and beside the risk-coverage curve', () => {
    const markup = htmlOf(baselines(report)!.blocks);
    expect(markup).toContain('majority: 0.410 (0.360 to 0.460), 369 of 900 cases');
    const curve = htmlOf(riskCoverage(report).blocks);
    expect(curve).toContain('baseline/guideline-defer: 0.120 at coverage 0.700.');
    expect(curve).toContain('>baseline/majority</text>');
  });

  it('are left out where the run file does not have them', () => {
    expect(baselines(shown(reportOf()))).toBeNull();
  });
});

describe('the sentence on sample size', () => {
  it('says what difference the records could have shown', () => {
    const text = renderText(
      {
        summary: ['x'],
        sections: [{ id: 'x', title: 'x', blocks: sampleSize(report) }],
      },
      1000,
    );
    expect(text).toContain(
      'Sample size: 40 cases with a deferral label can show a difference in decision accuracy from another model of 19.2 points if the two disagree on 20 %, and none if they disagree on 10 % (paired test at 5 %, power 80 %).',
    );
  });

  it('says that there are too few where they could have shown none', () => {
    const { detectable } = reportOf({}, rows.slice(0, 20));
    const [block] = sampleSize(reportOf({ detectable }));
    expect(block).toMatchObject({
      text: 'Sample size: 20 cases with a deferral label are too few to show any difference in decision accuracy from a model that disagrees on 20 % of them or less (paired test at 5 %, power 80 %).',
    });
  });

  it('is absent where there are no rows', () => {
    expect(sampleSize(reportOf({ detectable: null }))).toEqual([]);
  });
});
