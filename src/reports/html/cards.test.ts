import { describe, expect, it } from 'vitest';
import { reportOf, rows } from '../../../test/run-report-fixture.ts';
import { evaluationResult } from '../../core/evaluation-result.ts';
import { headlineCards, sentences } from './cards.ts';
import { markupText } from './html.ts';

const titles = (text: string) => [...text.matchAll(/<h3>(.*?)<\/h3>/g)].map(([, title]) => title);

describe('headlineCards', () => {
  it('begins with decision accuracy where deferral labels exist', () => {
    const text = markupText(headlineCards(reportOf()));
    expect(titles(text)).toEqual([
      'Decision accuracy',
      'Coverage',
      'Selective accuracy',
      'Unsafe answer rate',
      'AUGRC',
      'Calibration error (ECE)',
    ]);
    expect(text).toMatch(/95 % interval <span class="keep">0\.\d{3} to [01]\.\d{3}<\/span>/);
    expect(text).toContain('n = 40');
    expect(text).toMatch(/by chance 0\.\d{3}, up to 0\.\d{3}/);
    expect(text.match(/primary endpoint/g)).toHaveLength(1);
  });

  it('begins with accuracy where none exist', () => {
    const unlabelled = rows.map((row) => ({ ...row, metadata: {} }));
    expect(
      titles(markupText(headlineCards(reportOf({ primaryEndpoint: null }, unlabelled, {})))).slice(0, 2),
    ).toEqual(['Accuracy', 'Coverage']);
  });

  it('puts a primary endpoint of another kind before them, and claims none for another arm', () => {
    const endpoint = { metric: 'qwk', arm: 'natural', why: 'order matters' };
    const text = markupText(headlineCards(reportOf({ primaryEndpoint: endpoint })));
    expect(titles(text)[0]).toBe('Quadratic Weighted Kappa');
    expect(text).toContain('primary endpoint');
    const other = headlineCards(reportOf({ primaryEndpoint: { ...endpoint, arm: 'told' } }));
    expect(markupText(other)).not.toContain('primary endpoint');
  });

  it('shows bounds when rows failed', () => {
    const failed = evaluationResult({ groundTruth: 'G1', state: 'failed', stateReason: 'timeout' });
    expect(markupText(headlineCards(reportOf({}, [...rows, failed])))).toContain('bounds with unscored rows');
    expect(markupText(headlineCards(reportOf()))).not.toContain('bounds');
  });

  it('has a dash and a reason where there is no value', () => {
    const silent = rows.map((row) => ({ ...row, confidence: null }));
    const text = markupText(headlineCards(reportOf({}, silent)));
    expect(text).toContain('<div class="value">–</div>');
    expect(text).toContain('no value: no usable confidence');
  });
});

describe('sentences', () => {
  it('says the three numbers that belong together', () => {
    const text = markupText(sentences(reportOf())!).replaceAll('\u00a0', ' ');
    expect(text).toMatch(/The model answered 80\.0 % of 40 scored rows; of its answers \d+\.\d % were right/);
    expect(text).toContain('On the 40 rows with a deferral label it did the right thing');
  });

  it('says nothing of no rows', () => {
    expect(sentences(reportOf({}, []))).toBeNull();
  });
});
