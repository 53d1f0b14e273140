import { describe, expect, it } from 'vitest';
import { checkManifest, readManifest } from './manifest.ts';

describe('reading', () => {
  it('makes null of what an older file does not say', () => {
    expect(readManifest({})).toMatchObject({
      run_id: null,
      status: null,
      task: null,
      kind: 'labels',
      identity: { suite_hash: null, repeats: 1, parameters: {} },
    });
  });

  it('makes null of what is malformed, and keeps the rest', () => {
    const { seed, task, suite, model } = readManifest({
      seed: 'x',
      suite: [1],
      task: { id: 'demo', labels: 'none', ordered: 3, pack: 'staging' },
      model: 'm',
    });
    expect([seed, suite, model]).toEqual([null, null, 'm']);
    expect(task).toEqual({
      id: 'demo',
      labels: [],
      positive_label: null,
      ordered: false,
      pack: 'staging',
      label_from_values: false,
      stratum: null,
      urgency_asked: null,
      act_labels: null,
      deferral_reasons: null,
    });
  });

  it('knows the kind that version 0.1 wrote for open questions', () => {
    expect(readManifest({ kind: 'questions' }).kind).toBe('text');
  });
});

describe('writing', () => {
  it('takes some fields, and nested objects that leave out what does not apply', () => {
    expect(() =>
      checkManifest({ status: 'complete', identity: { repeats: 2 }, stopped_because: null }),
    ).not.toThrow();
  });

  it.each([
    ['an unknown field', { colour: 'red' }],
    ['a status that is none', { status: 'done' }],
    ['a nested field of another type', { task: { labels: 'yes' } }],
  ])('refuses %s', (_, values) => {
    expect(() => checkManifest(values as object)).toThrow();
  });
});
