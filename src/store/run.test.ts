import { describe, expect, it } from 'vitest';
import { decodeRun, encodeRun } from './run.ts';

describe('reading', () => {
  it('makes null of what a file does not say', () => {
    expect(decodeRun({})).toMatchObject({
      runId: null,
      status: null,
      task: null,
      kind: 'labels',
      identity: { suiteHash: null, repeats: 1, parameters: {} },
    });
  });

  it('makes null of what is malformed, and keeps the rest', () => {
    const { seed, task, suite, model } = decodeRun({
      seed: 'x',
      suite: [1],
      task: { id: 'demo', labels: 'none', ordered: 3, pack: 'staging' },
      model: 'm',
    });
    expect([seed, suite, model]).toEqual([null, null, 'm']);
    expect(task).toEqual({
      id: 'demo',
      labels: [],
      positiveLabel: null,
      ordered: false,
      pack: 'staging',
      labelFromValues: false,
      stratum: null,
      urgencyAsked: null,
      actLabels: null,
      deferralReasons: null,
    });
  });

  it('spells fields as code does, and leaves keys that are data alone', () => {
    const written = encodeRun({
      runId: null,
      rubricsOf: { q_1: ['h'] },
      identity: { suiteHash: 'x', parameters: { max_tokens: 1, eGFR: 2 } },
    });
    expect(written).toEqual({
      run_id: null,
      rubrics_of: { q_1: ['h'] },
      identity: { suite_hash: 'x', parameters: { max_tokens: 1, eGFR: 2 } },
    });
    expect(decodeRun(written)).toMatchObject({ rubricsOf: { q_1: ['h'] }, identity: { suiteHash: 'x' } });
  });
});

describe('writing', () => {
  it('takes some fields, and nested objects that leave out what does not apply', () => {
    expect(() =>
      encodeRun({ status: 'complete', identity: { repeats: 2 }, stoppedBecause: null }),
    ).not.toThrow();
  });

  it.each([
    ['an unknown field', { colour: 'red' }],
    ['a status that is none', { status: 'done' }],
    ['a nested field of another type', { task: { labels: 'yes' } }],
  ])('refuses %s', (_, values) => {
    expect(() => encodeRun(values as object)).toThrow();
  });
});
