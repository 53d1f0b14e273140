import { describe, expect, it } from 'vitest';
import { reportOf, rows } from '../../../test/run-report-fixture.ts';
import { htmlOf } from '../../../test/section-fixture.ts';
import { evaluationResult } from '../../core/evaluation-result.ts';
import { partsFor } from '../document/for-format.ts';
import { headline, sentences } from './headline.ts';

const cards = (report: ReturnType<typeof reportOf>) => htmlOf(partsFor(headline(report).blocks, 'html'));
const titles = (text: string) => [...text.matchAll(/<h3>(.*?)<\/h3>/g)].map(([, title]) => title);

describe('headline', () => {
  it('begins with decision accuracy where deferral labels exist', () => {
    const text = cards(reportOf());
    expect(titles(text)).toEqual([
      'Decision accuracy',
      'Coverage',
      'Selective accuracy',
      'Unsafe answer rate',
      'AUGRC',
      'Calibration error (ECE)',
    ]);
    expect(text).toMatch(/95 % interval 0\.\d{3} to [01]\.\d{3}</);
    expect(text).toContain('n = 40');
    expect(text).toMatch(/by chance 0\.\d{3}, up to 0\.\d{3}/);
    expect(text.match(/primary endpoint/g)).toHaveLength(1);
  });

  it('begins with accuracy where none exist', () => {
    const unlabelled = rows.map((row) => ({ ...row, metadata: {} }));
    expect(titles(cards(reportOf({ primaryEndpoint: null }, unlabelled, {}))).slice(0, 2)).toEqual([
      'Accuracy',
      'Coverage',
    ]);
  });

  it('puts a primary endpoint of another kind before them, and claims none for another arm', () => {
    const endpoint = { metric: 'qwk', arm: 'natural', why: 'order matters' };
    const text = cards(reportOf({ primaryEndpoint: endpoint }));
    expect(titles(text)[0]).toBe('Quadratic Weighted Kappa');
    expect(text).toContain('primary endpoint');
    const other = cards(reportOf({ primaryEndpoint: { ...endpoint, arm: 'told' } }));
    expect(other).not.toContain('primary endpoint');
  });

  it('shows bounds when rows failed', () => {
    const failed = evaluationResult({ groundTruth: 'G1', state: 'failed', stateReason: 'timeout' });
    expect(cards(reportOf({}, [...rows, failed]))).toContain('bounds with unscored rows');
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
  it('says the three numbers that belong together', () => {
    const text = htmlOf(sentences(reportOf().card)).replaceAll('\u00a0', ' ');
    expect(text).toMatch(
      /The model answered 32 of 40 scored rows \(80\.0 %\); \d+ of those answers were right \(\d+\.\d %, /,
    );
    expect(text).toContain('On the 40 rows with a deferral label it made the right decision');
  });

  it('says nothing of no rows', () => {
    expect(sentences(reportOf({}, []).card)).toEqual([]);
  });
});
