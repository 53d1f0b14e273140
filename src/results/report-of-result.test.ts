import { describe, expect, it } from 'vitest';
import { task } from '../../test/engine-fixture.ts';
import { smallResult } from '../../test/report-fixture.ts';
import { reportOfResult } from './report-of-result.ts';

const result = await smallResult();

describe('reportOfResult', () => {
  const report = reportOfResult(result);

  it('takes scores, ledger and rows as they are', () => {
    expect(report.card.scores).toBe(result.metricScores);
    expect(report.card.ledger).toBe(result.ledger);
    expect([...report.rows()]).toEqual(result.evaluationResults);
    expect([report.card.n, report.card.nScored, report.card.nMissingConfidence]).toEqual([24, 24, 1]);
    expect(report.card.method).toMatchObject({ level: 0.95, resamples: 50, seed: 42, cluster: null });
    expect([report.path, report.status, report.repeats]).toEqual([null, 'complete', 1]);
  });

  it('knows the suite from its description', () => {
    expect(report).toMatchObject({
      suiteName: 'demo/yes-no',
      sensitivity: 'synthetic',
      primaryEndpoint: { metric: 'accuracy' },
      suite: { n_total_eval_records: 24, suite_hash: report.suiteHash },
    });
    expect(report.figures!.confusion.truths).toEqual(['yes', 'no']);
  });

  it('takes a description of somebody else as it is', () => {
    const said = { domain: 'Kidneys', task: 'staging' };
    expect(reportOfResult({ ...result, suiteDescription: said })).toMatchObject({
      suite: said,
      suiteName: 'staging',
      suiteHash: null,
      primaryEndpoint: null,
    });
    expect(reportOfResult({ ...result, suiteDescription: undefined }).suiteName).toBe('unknown');
  });

  it('knows more when told', () => {
    expect(reportOfResult(result, { task, arm: 'natural', seed: 3, krisisVersion: '1' })).toMatchObject({
      task: { id: 'demo/yes-no', positiveLabel: 'yes', pack: null },
      arm: 'natural',
      seed: 3,
      krisisVersion: '1',
    });
  });

  it('is not complete where rows were not asked', () => {
    const ledger = { ...result.ledger, not_run: 2 };
    const stopped = reportOfResult({ ...result, ledger });
    expect(stopped.status).toBe('interrupted');
    expect(stopped.warnings.map(({ code }) => code)).toContain('incomplete');
  });
});
