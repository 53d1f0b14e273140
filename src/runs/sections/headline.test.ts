import { describe, expect, it } from 'vitest';
import { reportOf, rows } from '../../../test/run-report-fixture.ts';
import { htmlOf } from '../../../test/section-fixture.ts';
import { evaluationResult } from '../../core/evaluation-result.ts';
import { partsFor } from '../../reports/document/for-format.ts';
import { headline } from './headline.ts';
import { sentences } from './run-sentence.ts';

const cards = (report: ReturnType<typeof reportOf>) => htmlOf(partsFor(headline(report).blocks, 'html'));
const titles = (text: string) => [...text.matchAll(/<h3>(.*?)<\/h3>/g)].map(([, title]) => title);

describe('headline', () => {
  it('begins with harm and ends with confidence', () => {
    const text = cards(reportOf());
    expect(titles(text)).toEqual([
      'Unsafe Decisions',
      'Answered, Should Have Deferred',
      'Wrong Answers',
      'Deferred Without Need',
      'Decision Accuracy',
      'Decision Accuracy (clear cases)',
      'Usable Answers',
      'Expected Calibration Error (strict)',
      'Overconfidence (strict)',
    ]);
    expect(text).toContain('<div class="value">3 of 40</div>');
    expect(text).toMatch(/95 % interval 0\.\d{3} to [01]\.\d{3}</);
    expect(text).toContain('36 of 40');
    expect(text).toContain('n = 31<');
    expect(text).toMatch(/a calibrated model: 0\.\d{3}, up to 0\.\d{3}/);
    expect(text.match(/primary endpoint/g)).toHaveLength(1);
  });

  it('begins with wrong answers and accuracy where nothing is labelled', () => {
    const unlabelled = rows.map((row) => ({ ...row, metadata: {} }));
    expect(titles(cards(reportOf({ primaryEndpoint: null }, unlabelled, {}))).slice(0, 2)).toEqual([
      'Wrong Answers',
      'Accuracy (over all cases)',
    ]);
  });

  it('has a primary endpoint of another kind after harm and cost, and claims none for another arm', () => {
    const endpoint = { metric: 'qwk', arm: 'natural', why: 'order matters' };
    const text = cards(reportOf({ primaryEndpoint: endpoint }));
    expect(titles(text)[4]).toBe('Quadratic Weighted Kappa');
    expect(text).toContain('primary endpoint');
    const other = cards(reportOf({ primaryEndpoint: { ...endpoint, arm: 'told' } }));
    expect(other).not.toContain('primary endpoint');
  });

  it('shows bounds when rows failed', () => {
    const failed = evaluationResult({ groundTruth: 'G1', state: 'failed', stateReason: 'timeout' });
    expect(cards(reportOf({}, [...rows, failed]))).toContain('bounds with unscored cases');
    expect(cards(reportOf())).not.toContain('bounds');
  });

  it('has a dash and a reason where there is no value', () => {
    const silent = rows.map((row) => ({ ...row, confidence: null }));
    const text = cards(reportOf({}, silent));
    expect(text).toContain('<div class="value">–</div>');
    expect(text).toContain('no value: no usable confidence');
  });
});

describe('sentences', () => {
  const textOf = (given: typeof rows) => {
    const report = reportOf({}, given, {});
    return htmlOf(sentences(report.card, 'demo/model', report)).replaceAll('\u00a0', ' ');
  };

  it('say harm before how often the model was right', () => {
    expect(textOf(rows)).toContain(
      'demo/model answered none of 8 cases that should have been deferred and gave 3 wrong answers in 32 cases that call for an answer. It made the right decision in 90.0 % of 40 cases. It answered 31 of 40 cases (1 reply could not be used).',
    );
  });

  it('say wrong answers and accuracy where no deferral labels exist', () => {
    const unlabelled = rows.map((row) => ({ ...row, metadata: {} }));
    expect(textOf(unlabelled)).toContain(
      'demo/model gave 3 wrong answers in 40 cases and deferred 8. It was right in 70.0 % of 40 cases.',
    );
  });

  it('say nothing of no rows', () => {
    const report = reportOf({}, []);
    expect(sentences(report.card, 'demo/model', report)).toEqual([]);
  });
});
