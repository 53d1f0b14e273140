import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rowsFrom, twoWords } from '../../../test/compare-fixture.ts';
import type { EvaluationResult } from '../../core/evaluation-result.ts';
import { defineMetric } from '../../metrics/define-metric.ts';
import { Sample } from '../../metrics/sample.ts';
import { estimateOf } from '../../metrics/score-metrics.ts';
import { signFlipExact } from '../../statistics/sign-flip.ts';
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
          if (finding.interval) expect([finding.interval.lower, finding.interval.upper]).toEqual([0, 0]);
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
        for (const { metric, rowScore } of ENDPOINTS) {
          // Brier is over records with a confidence in both runs, which is not what one run alone has.
          if (metric.name === 'brier_top_label' && rowScore !== null) continue;
          const value = estimateOf(metric, Sample.of(rowsFrom(a)));
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
      name: 'own_accuracy',
      estimate: (rows) => {
        const all = [...rows];
        return all.filter(({ correct }) => correct).length / all.length;
      },
    });
    const pairing = pairRecords(scoredRun(baseline), scoredRun(model));
    const [apart] = compareEndpoints(pairing, options, [endpointFor(own)]);
    expect(apart!.difference).toBeCloseTo(joined.accuracy!.difference!, 12);
    expect(apart!.interval!.lower).toBeCloseTo(joined.accuracy!.interval!.lower, 12);
    expect(apart!.interval!.upper).toBeCloseTo(joined.accuracy!.interval!.upper, 12);
    expect(apart).toMatchObject({ kind: 'resampled', p: null, mcnemarReason: 'not_a_mean_over_records' });
  });

  it('averages repeats within the record first', () => {
    // The first record is asked three times and right once, the second once and right.
    const repeated = [...rowsFrom('++'), ...rowsFrom('-x'), ...rowsFrom('-x')];
    const { accuracy } = compare(rowsFrom('--'), repeated);
    expect(accuracy!.modelValue).toBeCloseTo((1 / 3 + 1) / 2, 12);
    expect(accuracy).toMatchObject({
      n: 2,
      mcnemar: null,
      mcnemarReason: 'repeats_are_averaged',
      signFlip: { method: 'exact', p: 0.5 },
    });
  });

  it('leaves out records that an endpoint says nothing about', () => {
    const unlabelled = rowsFrom('+++++', { metadata: {} });
    const found = compare(unlabelled, unlabelled);
    expect(found.decision_accuracy).toMatchObject({ n: 0, difference: null, reason: 'no_deferral_labels' });
    expect(compare(rowsFrom('+-oo'), rowsFrom('+o-o')).brier_top_label).toMatchObject({ n: 1 });
    expect(compare(rowsFrom('oooo'), rowsFrom('++++')).augrc).toMatchObject({
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

  it('has no interval for one record, nor without resamples', () => {
    expect(compare(rowsFrom('+'), rowsFrom('-')).accuracy).toMatchObject({
      difference: -1,
      interval: null,
      intervalReason: 'too_few_records',
    });
    const pairing = pairRecords(scoredRun(rowsFrom('+-')), scoredRun(rowsFrom('-+')));
    const [first] = compareEndpoints(pairing, { ...options, resamples: 0 });
    expect(first!.intervalReason).toBe('resampling_off');
  });
});
