import { parseHTML } from 'linkedom';
import { describe, expect, it } from 'vitest';
import { reportOf, rows } from '../../../test/run-report-fixture.ts';
import { htmlOf } from '../../../test/section-fixture.ts';
import { evaluationResult } from '../../core/evaluation-result.ts';
import type { Block } from '../../reports/document/document.ts';
import { confusionMatrix, deferral } from './matrices.ts';

const documentOf = (...blocks: readonly Block[]) =>
  parseHTML(`<html><body>${htmlOf(blocks)}</body></html>`).document;

describe('confusionMatrix', () => {
  const confusion = {
    truths: ['G1', 'G2', 'null'],
    answers: ['G1', 'G2', 'abstained', 'invalid'],
    counts: [
      [3, 1, 0, 0],
      [0, 0, 2, 0],
      [1, 0, 0, 1],
    ],
  };

  it('has counts and shares of the row, and frames the right answers', () => {
    const page = documentOf(confusionMatrix(confusion));
    const cells = [...page.querySelectorAll('tbody td')].map(({ textContent }) => textContent);
    expect(cells.slice(0, 5)).toEqual(['375.0\u00a0%', '125.0\u00a0%', '0', '0', '4']);
    expect([...page.querySelectorAll('td.right')].map(({ textContent }) => textContent)).toEqual([
      '375.0\u00a0%',
      '0',
    ]);
  });

  it('shades right answers, wrong ones and rows without an answer differently', () => {
    const text = htmlOf([confusionMatrix(confusion)]);
    expect(text).toContain('class="hit-8 right"');
    expect(text).toContain('class="miss-3"');
    expect(text).toContain('class="aside-10 apart"');
  });

  it('says of rows without a derivable answer what they are, unless that is a label', () => {
    const headings = (of: typeof confusion) =>
      [...documentOf(confusionMatrix(of)).querySelectorAll('tbody th')].map(({ textContent }) => textContent);
    expect(headings(confusion)).toEqual(['G1', 'G2', 'no derivable answer']);
    const label = { ...confusion, answers: ['G1', 'null', 'abstained', 'invalid'] };
    expect(headings(label)).toEqual(['G1', 'G2', 'null']);
  });
});

describe('deferral', () => {
  it('frames right decisions only, and takes no unusable reply for an answer', () => {
    const page = documentOf(...deferral(reportOf()).blocks);
    const texts = (selector: string) =>
      [...page.querySelectorAll(selector)].map(({ textContent }) => textContent);
    expect(texts('.matrix thead th')).toEqual([
      'called for',
      'wrong answer',
      'unusable reply',
      'rightly deferred',
      'right answer',
      'cases',
    ]);
    expect(texts('.matrix td')).toEqual([
      ...['0', '0', '8100.0\u00a0%', '0', '8'],
      ...['39.4\u00a0%', '13.1\u00a0%', '0', '2887.5\u00a0%', '32'],
    ]);
    expect(texts('.matrix td.right')).toEqual(['8100.0\u00a0%', '2887.5\u00a0%']);
  });

  it('shows emergencies where no deferral labels exist', () => {
    const silent = rows.map((row) => evaluationResult({ ...row, metadata: { must_act: true } }));
    const page = htmlOf(deferral(reportOf({}, silent, {})).blocks);
    expect(page).toContain('missed emergency');
    expect(page).toContain('No case says whether deferring was called for');
  });

  it('frames no answers of a published result: it does not say which were right', () => {
    const counts = {
      defer_when_needed: 3,
      answer_when_safe: 5,
      answer_when_should_defer: 1,
      abstain_when_should_answer: 2,
    };
    const published = { reliability: [], dots: [], deferral: counts };
    const page = documentOf(...deferral(reportOf({ figures: null, published })).blocks);
    expect([...page.querySelectorAll('td.right')].map(({ textContent }) => textContent)).toEqual([
      '375.0\u00a0%',
    ]);
  });

  it('has the trivial policies, MCC and normalised cost', () => {
    const page = documentOf(...deferral(reportOf()).blocks);
    const lines = [...page.querySelectorAll('table:not(.matrix) tbody tr')].map(
      ({ textContent }) => textContent,
    );
    expect(lines[1]).toContain('Alignment of never deferring0.800');
    expect(lines[2]).toContain('Alignment of always deferring0.200');
    expect(lines[3]).toContain('Matthews correlation (MCC)1.000');
    expect(lines[4]).toContain('missed 5, needless 1');
  });

  it('gives the reason where there is no value', () => {
    const alike = rows.map((row) => evaluationResult({ ...row, metadata: { should_abstain: false } }));
    expect(htmlOf(deferral(reportOf({}, alike, {})).blocks)).toContain('no value: ');
  });
});
