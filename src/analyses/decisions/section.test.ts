import { describe, expect, it } from 'vitest';
import { reportOf, rows } from '../../../test/run-report-fixture.ts';
import { htmlOf } from '../../../test/section-fixture.ts';
import { evaluationResult } from '../../core/evaluation-result.ts';
import { renderText } from '../../reports/formats/text.ts';
import { decisionCurve, decisions } from './section.ts';

const labelled = rows.map((row, i) =>
  i % 5 === 0
    ? {
        ...row,
        metadata: { ...row.metadata, should_abstain_reasons: [i % 10 === 0 ? 'near_line' : 'child'] },
      }
    : row,
);
const textOf = (report = reportOf({}, labelled)) =>
  renderText({ summary: ['x'], sections: [decisions(report)!] });

describe('decisions section', () => {
  it('has decision accuracy by reason and by class as x/n with its interval', () => {
    const text = textOf();
    expect(text).toMatch(/child +1\.000 +0\.510 to 1\.000 +4\/4/);
    expect(text).toMatch(/near line +1\.000 +0\.510 to 1\.000 +4\/4/);
    expect(text).toMatch(/G2 +0\.769 +0\.497 to 0\.918 +10\/13/);
  });

  it('states decision accuracy at the share of the suite and at one in ten', () => {
    const report = reportOf({}, labelled);
    const [own, stated] = report.decisionsAtPrevalence;
    expect([own!.prevalence, own!.from, stated!.prevalence, stated!.from]).toEqual([
      0.2,
      'suite',
      0.1,
      'stated',
    ]);
    expect(own!.value).toBeCloseTo(report.scores.decision_accuracy!.value!, 12);
    expect(textOf()).toMatch(/10\.0 % +0\.\d{3} +0\.\d{3} to 0\.\d{3} +stated/);
  });

  it('is absent without deferral labels', () => {
    expect(
      decisions(
        reportOf(
          {},
          rows.map((row) => ({ ...row, metadata: {} })),
        ),
      ),
    ).toBeNull();
  });
});

describe('decision curve', () => {
  const binary = Array.from({ length: 20 }, (_, i) =>
    evaluationResult({
      id: `r${i}`,
      groundTruth: i % 2 === 0 ? 'yes' : 'no',
      prediction: i % 4 === 3 || i % 2 === 0 ? 'yes' : 'no',
      confidence: 0.6 + (i % 4) / 10,
    }),
  );

  it('is drawn against treating all and treating none where the task has a positive label', () => {
    const report = reportOf({}, binary, { labels: ['yes', 'no'], positiveLabel: 'yes', resamples: 0 });
    const markup = htmlOf(decisionCurve(report)!.blocks);
    for (const name of ['treat all', 'treat none', 'demo/model']) expect(markup).toContain(`>${name}</text>`);
    expect(markup).toContain(
      '<th scope="row">0.50</th><td class="number">0.250</td><td class="number">0.000</td>',
    );
    expect(report.figures!.decisionCurve).toHaveLength(99);
  });

  it('is absent for other tasks, and without confidences', () => {
    expect(decisionCurve(reportOf())).toBeNull();
    const silent = binary.map((row) => ({ ...row, confidence: null }));
    const options = { labels: ['yes', 'no'], positiveLabel: 'yes', resamples: 0 };
    expect(decisionCurve(reportOf({}, silent, options))).toBeNull();
  });
});
