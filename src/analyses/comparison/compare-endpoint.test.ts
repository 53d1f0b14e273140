import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rowsFrom, twoWords } from '../../../test/compare-fixture.ts';
import type { EvaluationResult } from '../../core/evaluation-result.ts';
import {
  accuracy,
  answerRate,
  deferralAlignment,
  deferralPrecision,
  deferralRecall,
  invalidRate,
  selectiveAccuracy,
} from '../../metrics/catalogue.ts';
import { defineMetric } from '../../metrics/define-metric.ts';
import { estimateMetric } from '../../metrics/metric.ts';
import { Sample } from '../../metrics/sample.ts';
import { clusteredDifference } from '../../statistics/cluster-non-inferiority.ts';
import { signFlipExact } from '../../statistics/sign-flip.ts';
import { studentQuantile } from '../../statistics/special-functions.ts';
import { compareEndpoints } from './compare-endpoint.ts';
import { ENDPOINTS, endpointFor } from './endpoints.ts';
import { pairRecords } from './pair-records.ts';
import { scoredRun } from './scored-run.ts';

const options = { resamples: 200, seed: 42, level: 0.95 };

function compare(baseline: readonly EvaluationResult[], model: readonly EvaluationResult[]) {
  const findings = compareEndpoints(pairRecords(scoredRun(baseline), scoredRun(model)), options);
  return Object.fromEntries(findings.map((finding) => [finding.metric, finding]));
}

describe('compareEndpoints', () => {
  it('gives McNemar by hand: 1 against 9 discordant records', () => {
    const found = compare(
      rowsFrom(`${'-'.repeat(9)}+${'+'.repeat(10)}`),
      rowsFrom(`${'+'.repeat(9)}-${'+'.repeat(10)}`),
    );
    // 2 * (C(10,0) + C(10,1)) / 2^10
    expect(found.accuracy).toMatchObject({
      n: 20,
      baselineValue: 0.55,
      modelValue: 0.95,
      mcnemar: { b: 1, c: 9 },
      signFlip: { method: 'exact', resamples: null },
    });
    for (const p of [found.accuracy!.p, found.accuracy!.mcnemar!.pExact, found.accuracy!.signFlip!.p])
      expect(p).toBeCloseTo(22 / 1024, 12);
    expect(found.accuracy!.difference).toBeCloseTo(0.4, 12);
  });

  it('gives the p-value that trying all signs gives', () => {
    fc.assert(
      fc.property(twoWords, ([a, b]) => {
        const right = [a, b].map((word) => [...word].map((letter) => Number(letter === '+')));
        const differences = right[1]!.map((score, i) => score - right[0]![i]!);
        fc.pre(differences.filter((difference) => difference !== 0).length <= 16);
        expect(compare(rowsFrom(a), rowsFrom(b)).accuracy!.p).toBeCloseTo(signFlipExact(differences)!, 12);
      }),
      { numRuns: 50 },
    );
  });

  it('is 0 with p = 1 for a run against itself', () => {
    fc.assert(
      fc.property(twoWords, ([word]) => {
        for (const finding of Object.values(compare(rowsFrom(word), rowsFrom(word)))) {
          if (finding.difference === null) continue;
          expect(finding.difference).toBe(0);
          expect(finding.p ?? 1).toBe(1);
          if (finding.interval) expect(finding.interval.lower).toBe(-finding.interval.upper);
          // A share has a width without a discordant pair; a bootstrap has nothing to resample.
          expect(finding.interval === null).toBe(finding.mcnemar === null);
        }
      }),
      { numRuns: 30 },
    );
  });

  it('is turned around when the models are', () => {
    fc.assert(
      fc.property(twoWords, ([a, b]) => {
        const there = compare(rowsFrom(a), rowsFrom(b));
        const back = compare(rowsFrom(b), rowsFrom(a));
        for (const [metric, finding] of Object.entries(there)) {
          const other = back[metric]!;
          expect(other.p).toBe(finding.p);
          if (finding.difference === null) continue;
          expect(other.difference).toBeCloseTo(-finding.difference, 12);
          expect(other.mcnemar?.b).toBe(finding.mcnemar?.c);
          expect(other.minimumDetectableDifference).toBe(finding.minimumDetectableDifference);
          if (finding.interval) expect(other.interval!.lower).toBeCloseTo(-finding.interval.upper, 12);
        }
      }),
      { numRuns: 30 },
    );
  });

  it('scores records as the metrics do', () => {
    fc.assert(
      fc.property(twoWords, ([a, b]) => {
        const findings = compare(rowsFrom(a), rowsFrom(b));
        for (const { metric } of ENDPOINTS) {
          // Brier is over records with a confidence in both runs, which is not what one run alone has.
          if (metric.name === 'brier_top_label') continue;
          const value = estimateMetric(metric, Sample.of(rowsFrom(a)));
          const { baselineValue } = findings[metric.name]!;
          if (typeof value === 'number' && baselineValue !== null)
            expect(baselineValue).toBeCloseTo(value, 12);
        }
      }),
      { numRuns: 50 },
    );
  });

  it('has the interval that drawing whole records gives, joined into units or not', () => {
    const baseline = rowsFrom('++-o+-!+o-+-+o--++oo!+-');
    const model = rowsFrom('+-+o-++!o--+++o-+-oo+-+');
    const joined = compare(baseline, model);
    // A metric that may read anything keeps every record apart.
    const own = defineMetric({
      name: 'own_selective_accuracy',
      estimate: (rows) => {
        const answers = [...rows].filter(({ state }) => state !== 'abstained');
        return answers.filter(({ correct }) => correct).length / answers.length;
      },
    });
    const pairing = pairRecords(scoredRun(baseline), scoredRun(model));
    const [apart] = compareEndpoints(pairing, options, [endpointFor(own)]);
    const { difference, interval } = joined.selective_accuracy!;
    expect(apart!.difference).toBeCloseTo(difference!, 12);
    expect(apart!.interval!.method).toBe('bca');
    expect(apart!.interval!.lower).toBeCloseTo(interval!.lower, 12);
    expect(apart!.interval!.upper).toBeCloseTo(interval!.upper, 12);
    expect(apart).toMatchObject({ kind: 'resampled', p: null, mcnemarReason: 'not_a_mean_over_records' });
  });

  it('counts a repeated record once, by the mean of its repeats', () => {
    // The first record is asked three times and right once, the second twice and right once, the third once and right.
    const repeated = [...rowsFrom('+++'), ...rowsFrom('--x'), ...rowsFrom('-xx')];
    const found = compare(rowsFrom('---'), repeated).accuracy!;
    expect(found).toMatchObject({
      n: 3,
      nDiffering: 3,
      mcnemar: null,
      mcnemarReason: 'repeats_differ',
      signFlip: { method: 'exact', p: 0.25 },
      interval: null,
      intervalReason: 'too_few_records',
    });
    expect(found.difference).toBeCloseTo((1 / 3 + 1 / 2 + 1) / 3, 12);
    const alike = [...rowsFrom('+++'), ...rowsFrom('+xx')];
    expect(compare(rowsFrom('---'), alike).accuracy).toMatchObject({ mcnemar: { b: 0, c: 3 } });
  });

  it('gives a repeated record as much weight as it was right more often', () => {
    const once = `${'+'.repeat(30)}${'-'.repeat(10)}`;
    const again = `${'+'.repeat(26)}${'-'.repeat(14)}`;
    const { interval } = compare(rowsFrom(once), [...rowsFrom(once), ...rowsFrom(again)]).accuracy!;
    // Four records were right once of two times.
    const differences = Array.from({ length: 40 }, (_, r) => (r >= 26 && r < 30 ? -0.5 : 0));
    const expected = clusteredDifference(differences, [...differences.keys()]).interval!;
    expect(interval).toMatchObject({
      lower: expected[0],
      upper: expected[1],
      method: 'paired_score_clustered',
    });
  });

  it('gives shares over the same records the score interval, whatever share it is', () => {
    const [baseline, model] = [rowsFrom('++-o+-!+o-+-+o--++oo!+-'), rowsFrom('+-+o-++!o--+++o-+-oo+-+')];
    const pairing = pairRecords(scoredRun(baseline), scoredRun(model));
    for (const metric of [accuracy(), answerRate(), deferralRecall(), deferralAlignment(), invalidRate()]) {
      const [found] = compareEndpoints(pairing, options, [endpointFor(metric)]);
      const [ours, theirs] = [baseline, model].map(
        (rows) => estimateMetric(metric, Sample.of(rows)) as number,
      );
      expect(found).toMatchObject({ kind: 'per_record', interval: { method: 'paired_score' } });
      expect(found!.difference).toBeCloseTo(theirs! - ours!, 12);
    }
    // The models answered and deferred different records, so these are no shares over the same ones.
    for (const metric of [selectiveAccuracy(), deferralPrecision()])
      expect(compareEndpoints(pairing, options, [endpointFor(metric)])[0]).toMatchObject({
        kind: 'resampled',
        interval: { method: 'bca' },
      });
  });

  it('takes clusters together in the interval and in the test', () => {
    // Ten records of each patient go the same way, so 200 records say little more than 20.
    const word = (letters: string) => [...letters].map((letter) => letter.repeat(10)).join('');
    const withPatients = (letters: string) =>
      rowsFrom(word(letters)).map((row, i) => ({
        ...row,
        metadata: { ...row.metadata, patient: Math.floor(i / 10) },
      }));
    const [baseline, model] = ['+++++++++++++---+-+-', '+++++++---++-+--+---'].map((letters) =>
      scoredRun(withPatients(letters), { keep: ['patient'] }),
    );
    const [alone] = compareEndpoints(pairRecords(baseline!, model!), options, [endpointFor(accuracy())]);
    const pairing = pairRecords(baseline!, model!, 'patient');
    const [found] = compareEndpoints(pairing, options, [endpointFor(accuracy())]);
    expect(pairing.clusters).toMatchObject({ key: 'patient', n: 20 });
    expect(found!.interval!.method).toBe('paired_score_clustered');
    expect(found!.interval!.lower).toBeLessThan(alone!.interval!.lower - 0.05);
    expect(found!.interval!.upper).toBeGreaterThan(alone!.interval!.upper + 0.05);
    expect(found).toMatchObject({ mcnemar: null, mcnemarReason: 'records_are_clustered' });
    // Six patients differ, one of them the other way: 2 (1 + 6) / 2^6.
    expect(alone!.p).toBeLessThan(0.001);
    expect(found!.p).toBeCloseTo(14 / 64, 12);
    // Where no pair differs the number of patients counts, not that of records.
    const same = pairRecords(baseline!, baseline!, 'patient');
    const t = studentQuantile(0.975, 19);
    expect(compareEndpoints(same, options, [endpointFor(accuracy())])[0]!.interval!.lower).toBeCloseTo(
      (-t * t) / (20 + t * t),
      10,
    );
  });

  it('leaves out records that an endpoint says nothing about', () => {
    const unlabelled = rowsFrom('+++++', { metadata: {} });
    const found = compare(unlabelled, unlabelled);
    expect(found.decision_accuracy).toMatchObject({ n: 0, difference: null, reason: 'no_deferral_labels' });
    expect(compare(rowsFrom('+-oo'), rowsFrom('+o-o')).brier_top_label).toMatchObject({ n: 1 });
    expect(compare(rowsFrom('oooo'), rowsFrom('++++')).augrc_strict).toMatchObject({
      difference: null,
      reason: 'no_usable_confidence',
    });
  });

  it('says what could have been shown', () => {
    const half = '+-'.repeat(50);
    const found = compare(rowsFrom(half), rowsFrom(`-+${half.slice(2)}`));
    expect(found.accuracy!.minimumDetectableDifference).toBeNull();
    expect(found.accuracy!.minimumDetectableReason).toBe('too_few_records');
    const many = compare(rowsFrom('+-'.repeat(50)), rowsFrom('-+'.repeat(50)));
    expect(many.accuracy!.minimumDetectableDifference).toBeGreaterThan(0.2);
    expect(compare(rowsFrom(half), rowsFrom(half)).accuracy!.minimumDetectableReason).toBe(
      'no_discordant_records',
    );
  });

  it('resamples neither one record nor without resamples; a share needs no resamples', () => {
    const one = compare(rowsFrom('+'), rowsFrom('-'));
    expect(one.accuracy).toMatchObject({ difference: -1, interval: { lower: -1, method: 'paired_score' } });
    expect(one.selective_accuracy).toMatchObject({ interval: null, intervalReason: 'too_few_records' });
    const pairing = pairRecords(scoredRun(rowsFrom('+-')), scoredRun(rowsFrom('-+')));
    const compared = compareEndpoints(pairing, { ...options, resamples: 0 });
    const [decision, selective] = ['decision_accuracy', 'selective_accuracy'].map((name) =>
      compared.find(({ metric }) => metric === name),
    );
    expect([decision!.intervalReason, selective!.intervalReason]).toEqual([null, 'resampling_off']);
  });
});
