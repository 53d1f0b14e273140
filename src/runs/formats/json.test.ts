import { describe, expect, it } from 'vitest';
import { HOSTILE, smallResult } from '../../../test/report-fixture.ts';
import { parseRow } from '../../core/evaluation-result.ts';
import { formatJsonReport, formatMetricsJsonReport, jsonChunks } from './json.ts';

const result = await smallResult();
const report = JSON.parse(formatJsonReport(result));
const metrics = JSON.parse(formatMetricsJsonReport(result));

describe('formatJsonReport', () => {
  it('has the names that scripts know', () => {
    expect(Object.keys(report)).toEqual(
      expect.arrayContaining([
        'backend_name',
        'evaluation_results',
        'extras',
        'metrics',
        'n_evaluation_results',
        'suite',
      ]),
    );
    expect(Object.keys(report.metrics.accuracy)).toEqual(
      expect.arrayContaining(['name', 'value', 'breakdown', 'details', 'n_evaluated', 'n_abstained']),
    );
    expect(report.evaluation_results[1]).toMatchObject({
      id: 'r1',
      abstained: false,
      confidence: 0.6,
      ground_truth: 'yes',
      prediction: 'yes',
      input_tokens: 3,
      output_tokens: 1,
      total_tokens: 4,
      prompt: [{ content: 'Yes or no? [PATIENT_DATA_REDACTED]', role: 'user' }],
      prompt_mode: 'single',
      raw_response: HOSTILE,
      metadata: { should_abstain: false },
    });
    expect(report.n_evaluation_results).toBe(24);
  });

  it('says how the numbers came about', () => {
    expect(report.provenance).toMatchObject({
      suite_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      simulated: false,
      parameters: {},
      method: { level: 0.95, resamples: 50, seed: 42 },
    });
    expect(report.ledger.n).toBe(24);
    expect(report.warnings.map(({ code }: { code: string }) => code)).toContain('few_rows');
  });

  it('has all keys sorted, at every level', () => {
    const sorted = (value: unknown): boolean => {
      if (typeof value !== 'object' || value === null) return true;
      const keys = Object.keys(value);
      return (
        (Array.isArray(value) || keys.every((key, i) => i === 0 || keys[i - 1]! < key)) &&
        Object.values(value).every(sorted)
      );
    };
    expect(sorted(report)).toBe(true);
    expect(sorted(metrics)).toBe(true);
  });

  it('leaves rows out when asked', () => {
    const { evaluation_results: _, ...rest } = report;
    expect(JSON.parse(formatJsonReport(result, { includeResults: false }))).toEqual(rest);
  });

  it('comes row by row', () => {
    const chunks = [...jsonChunks(result)];
    expect(chunks.filter((chunk) => chunk.includes('"raw_response"'))).toHaveLength(24);
    expect(chunks.join('')).toBe(formatJsonReport(result));
  });

  it('has rows that can be scored again', () => {
    for (const [i, row] of report.evaluation_results.entries()) {
      const { id, state, stateReason, prediction, groundTruth, abstained, confidence, call, metadata } =
        result.evaluationResults[i]!;
      const { deferralReason, urgent } = result.evaluationResults[i]!;
      expect(parseRow(row)).toEqual({
        row: {
          id,
          state,
          stateReason,
          prediction,
          groundTruth,
          abstained,
          confidence,
          deferralReason,
          urgent,
          call,
          metadata,
        },
      });
    }
  });

  it('has what each case calls for and how its decision turned out', () => {
    const classes = report.evaluation_results.map((row: Record<string, unknown>) => [
      row.case_kind,
      row.decision_class,
    ]);
    expect(classes[7]).toEqual(['must_act', 'missed_emergency']);
    expect(classes[0]).toEqual(['should_defer', 'rightly_deferred']);
    expect(classes[5]).toEqual(['can_answer', 'unusable']);
  });

  it('is JSON also without a row', () => {
    const empty = { ...result, rows: () => [] };
    expect(JSON.parse([...jsonChunks(empty)].join('')).evaluation_results).toEqual([]);
  });

  it('carries the verdicts', () => {
    const verdicts = [{ text: 'accuracy > 0', status: 'pass', message: 'yes' }] as const;
    const given = result;
    expect(JSON.parse([...jsonChunks(given, { verdicts })].join('')).gates).toEqual(verdicts);
    expect(JSON.parse(formatMetricsJsonReport(given, { verdicts })).gates).toEqual(verdicts);
    expect('gates' in report).toBe(false);
  });
});

describe('formatMetricsJsonReport', () => {
  it('has the same numbers, and no rows', () => {
    const { evaluation_results: _r, extras, n_evaluation_results: _n, ...rest } = report;
    expect(metrics).toEqual({ ...rest, execution: extras });
  });

  it('has every field of the execution that scripts know', () => {
    const known = [
      'batch_size',
      'max_concurrency',
      'n_input_records',
      'n_api_batches',
      'elapsed_seconds',
      'records_per_second',
      'input_tokens',
      'output_tokens',
      'token_total',
      'prompt_capture',
      'prompt_data_policy',
      'prompt_modes',
      'n_prompts_captured',
      'prompt_templates_count',
      'prompt_templates',
    ];
    expect(Object.keys(metrics.execution)).toEqual(expect.arrayContaining(known));
  });
});
