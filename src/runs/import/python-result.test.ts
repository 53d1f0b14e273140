import { describe, expect, it } from 'vitest';
import { parsePythonResult } from './python-result.ts';

const metric = { name: 'Accuracy', value: 0.5, n_evaluated: 2, n_abstained: 0, breakdown: {}, details: {} };
const row = { prediction: 1, ground_truth: 1, abstained: false, confidence: 0.9, metadata: {} };
const parse = (value: unknown) => parsePythonResult(JSON.stringify(value), 'r.json');

describe('parsePythonResult', () => {
  it('knows the two shapes', () => {
    const full = parse({
      backend_name: 'api:x',
      metrics: { accuracy: metric },
      evaluation_results: [row, { ...row, abstained: true, prediction: null }],
      extras: { batch_size: 8 },
      suite: { task: 'staging' },
    });
    expect(full).toMatchObject({ format: 'python_full', backendName: 'api:x', extras: { batch_size: 8 } });
    expect(full.rows.map(({ id, state }) => [id, state])).toEqual([
      ['row_1', 'answered'],
      ['row_2', 'abstained'],
    ]);
    const metricsOnly = parse({ metrics: { Accuracy: metric }, execution: { token_total: 5 } });
    expect(metricsOnly).toMatchObject({
      format: 'python_metrics',
      backendName: null,
      extras: { token_total: 5 },
      rows: [],
      scores: { accuracy: { published_name: 'Accuracy', value: 0.5 } },
    });
  });

  it('states a value that is not a number as null, with the reason', () => {
    const text =
      '{"metrics": {"Brier Score": {"value": NaN, "details": {"reason": "non_binary"}}, "ECE": {"value": NaN}}}';
    expect(parsePythonResult(text, 'r.json').scores).toMatchObject({
      brier_score: { value: null, reason: 'non_binary' },
      expected_calibration_error: { value: null, reason: 'not_stated' },
    });
  });

  it('does not clip a confidence, nor take an empty answer for an abstention', () => {
    const [wild, empty] = parse({
      metrics: { accuracy: metric },
      evaluation_results: [
        { ...row, confidence: 85 },
        { ...row, prediction: null },
      ],
    }).rows;
    expect([wild!.confidence, wild!.state, empty!.state]).toEqual([85, 'answered', 'invalid']);
  });

  it('keeps prompts, raw text and tokens, the latter marked where a batch shared them', () => {
    const prompt = [{ role: 'system', content: 'x' }];
    const extra = { prompt, raw_response: '{}', input_tokens: 3.5, output_tokens: 1, total_tokens: 4.5 };
    const rows = ['batch', 'single'].map((prompt_mode) => ({ ...row, ...extra, prompt_mode }));
    const [batch, single] = parse({ metrics: { accuracy: metric }, evaluation_results: rows }).rows;
    expect(batch).toMatchObject({ prompt, rawResponse: '{}', inputTokens: 3.5, tokensEstimated: true });
    expect(single).toMatchObject({ promptMode: 'single', tokensEstimated: false });
  });

  it.each([
    ['{"a": 1}', 'has no "metrics"'],
    ['[1]', 'is a list (krisis score reads rows)'],
    ['3', 'is not an object'],
    ['{"metrics": {}}', '"metrics" is empty'],
    ['{"metrics": {"accuracy": 0.5}}', 'metric "accuracy" is not an object with a value'],
    ['{"metrics": {"accuracy": {"value": 1}, "Accuracy": {"value": 1}}}', 'are the same metric'],
    ['{"metrics": {"accuracy": {"value": 1}}, "evaluation_results": {}}', 'is not a list'],
    [
      '{"schema_version": "1.0", "provenance": {}, "metrics": {}, "evaluation_results": []}',
      'a report of Krisis with its rows',
    ],
    ['{"metrics": ', 'not JSON'],
  ])('%s', (text, message) => {
    expect(() => parsePythonResult(text, 'r.json')).toThrow(message);
    expect(() => parsePythonResult(text, 'r.json')).toThrow(/^r\.json: .*expected a result of the Python/s);
  });

  it('says which row is wrong', () => {
    const rows = [row, { ...row, abstained: 'no' }];
    expect(() => parse({ metrics: { accuracy: metric }, evaluation_results: rows })).toThrow(
      'r.json row 2: abstained is "no"; expected true or false',
    );
  });
});
