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
      'Usable answers',
      'Answerable accuracy',
      'Answerable selective accuracy',
      'Unsafe answer rate',
      'AUGRC',
      'Calibration error (ECE)',
    ]);
    expect(text).toMatch(/95 % interval 0\.\d{3} to [01]\.\d{3}</);
    expect(text).toContain('n = 36/40');
    expect(text).toContain('n = 31<');
    expect(text).toMatch(/by chance 0\.\d{3}, up to 0\.\d{3}/);
    expect(text.match(/primary endpoint/g)).toHaveLength(1);
  });

  it('begins with accuracy where none exist', () => {
    const unlabelled = rows.map((row) => ({ ...row, metadata: {} }));
    expect(titles(cards(reportOf({ primaryEndpoint: null }, unlabelled, {}))).slice(0, 2)).toEqual([
      'Accuracy',
      'Usable answers',
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
      /Usable answers: 31 of 40 scored rows \(77\.5 %\); 1 reply was invalid\. Of its 32 replies to rows that call for an answer, 28 were right \(87\.5 %, /,
    );
    expect(text).toContain('On the 40 rows with a deferral label it made the right decision');
  });

  it('says how many answers were right of all rows where no deferral labels exist', () => {
    const unlabelled = rows.map((row) => ({ ...row, metadata: {} }));
    expect(htmlOf(sentences(reportOf({}, unlabelled).card)).replaceAll('\u00a0', ' ')).toMatch(
      /Usable answers: 31 of 40 scored rows \(77\.5 %\); 1 reply was invalid\. Of its 32 replies, 28 were right \(87\.5 %, /,
    );
  });

  it('counts answers where every reply is usable, and none where every reply is invalid', () => {
    const text = (given: typeof rows) =>
      htmlOf(sentences(reportOf({}, given, {}).card)).replaceAll('\u00a0', ' ');
    const unlabelled = rows.map((row) => ({ ...row, metadata: {} }));
    expect(text(unlabelled.filter(({ state }) => state !== 'invalid'))).toMatch(
      /Usable answers: 31 of 39 scored rows \(79\.5 %\); 28 of those answers were right \(90\.3 %, /,
    );
    const invalid = unlabelled
      .slice(0, 8)
      .map(({ id, groundTruth }) =>
        evaluationResult({ id, groundTruth, state: 'invalid', stateReason: 'no_json' }),
      );
    expect(text(invalid)).toContain('Usable answers: 0 of 8 scored rows (0.0 %); 8 replies were invalid.');
    const card = cards(reportOf({}, invalid, {}));
    expect(card).toContain('8 invalid, counted as wrong');
    expect(card).not.toContain('Coverage');
  });

  it('says how often the model answered where no answer exists', () => {
    const empty = { groundTruth: null, metadata: { should_abstain: true } };
    const given = [
      ...rows,
      evaluationResult({ ...empty, prediction: 'G1', confidence: 1 }),
      evaluationResult({ ...empty, abstained: true }),
    ];
    expect(htmlOf(sentences(reportOf({}, given).card)).replaceAll('\u00a0', ' ')).toContain(
      'It did not abstain on 1 of the 2 rows that have no answer (50.0 %, ',
    );
    const card = cards(reportOf({}, given));
    expect(card.match(/answerable rows only: 0\.\d{3} \(n = 31\)/g)).toHaveLength(2);
    expect(cards(reportOf())).not.toContain('answerable rows only');
  });

  it('says nothing of no rows', () => {
    expect(sentences(reportOf({}, []).card)).toEqual([]);
  });
});
