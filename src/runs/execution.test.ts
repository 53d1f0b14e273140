import { afterAll, describe, expect, it } from 'vitest';
import { allYes, recordsOf, scriptedBackend, suiteOf, temporaryFolder } from '../../test/engine-fixture.ts';
import { run as runToFile } from '../engine/run.ts';
import type { CallTotals } from '../store/call-sums.ts';
import { decodeRun } from '../store/run.ts';
import { RunFile } from '../store/run-file.ts';
import { collectExtras, readExecution, readExtras } from './execution.ts';

const extras = (
  totals: Partial<CallTotals>,
  more: Partial<Parameters<typeof collectExtras>[1]> = {},
  templates: { id: number; mode: string; prompt: unknown; n: number }[] = [],
  manifest: object = {},
) => {
  const file = RunFile.inMemory();
  const none = file.calls.totals();
  file.records.count = () => 10;
  file.calls.totals = () => ({ ...none, ...totals });
  file.rows.templates = () => templates;
  file.manifest = () => decodeRun({ ...manifest });
  const given = collectExtras(file, {
    batchSize: 8,
    maxConcurrency: 'auto',
    repeats: 2,
    elapsedSeconds: 4,
    promptModes: [],
    waitedSeconds: 1.5,
    simulated: false,
    ...more,
  });
  file.close();
  return given;
};

describe('extrasOf', () => {
  it('says how fast it went, counting every repeat', () => {
    expect(extras({})).toMatchObject({ elapsed_seconds: 4, records_per_second: 5, max_concurrency: 'auto' });
    expect(extras({}, { elapsedSeconds: 0 }).records_per_second).toBeNull();
  });

  it.each([
    [null, null, null],
    [10, null, 10],
    [null, 3, 3],
    [0, 0, 0],
    [10, 3, 13],
  ])('adds %s and %s tokens to %s', (inputTokens, outputTokens, total) => {
    expect(extras({ inputTokens, outputTokens }).token_total).toBe(total);
  });

  it('gives the middle and the slow end of the latencies', () => {
    // Of 0, 1, ..., 20 seconds, in any order: the 11th is 10, the 20th is 19.
    const latencies = Array.from({ length: 21 }, (_, i) => (i * 8) % 21);
    expect(extras({ latencies })).toMatchObject({ latency_p50_seconds: 10, latency_p95_seconds: 19 });
    expect(extras({})).toMatchObject({ latency_p50_seconds: null, latency_p95_seconds: null });
  });

  it('counts templates, and the rows that used them', () => {
    const templates = [
      { id: 1, mode: 'batch', prompt: 'a', n: 7 },
      { id: 2, mode: 'single', prompt: 'b', n: 2 },
    ];
    expect(extras({}, {}, templates)).toMatchObject({
      n_prompts_captured: 9,
      prompt_templates_count: 2,
      prompt_templates: [
        { prompt_mode: 'batch', prompt: 'a' },
        { prompt_mode: 'single', prompt: 'b' },
      ],
    });
  });

  it('says whether stored prompts are templates', () => {
    const policy = (content: unknown, manifest: object) =>
      extras({}, {}, [{ id: 1, mode: 'single', prompt: [{ role: 'user', content }], n: 1 }], manifest)
        .prompt_data_policy;
    const isPublic = { sensitivity: 'public' };
    const declared = { ...isPublic, prompt_template: [{ role: 'user', content: 'Age: {age}' }] };
    expect(extras({}, {}, [], isPublic).prompt_data_policy).toBe('patient_data_redacted');
    expect(policy('<case>\n{{patient_data}}\n</case>', isPublic)).toBe('patient_data_redacted');
    expect(policy('Age: {age}', declared)).toBe('patient_data_redacted');
    expect(policy('Age: 61', declared)).toBe('patient_data_stored');
    expect(policy('Age: 61', { sensitivity: 'synthetic' })).toBe('patient_data_stored');
    expect(policy(7, isPublic)).toBe('patient_data_stored');
    expect(policy('any', { sensitivity: 'protected' })).toBe('patient_data_redacted');
    expect(policy('any', { ...isPublic, kind: 'text' })).toBe('patient_data_redacted');
  });

  it('is strict JSON', () => {
    const given = extras({ modelIds: ['m'], rateLimits: 3 });
    expect(JSON.parse(JSON.stringify(given))).toEqual(given);
    expect(given).toMatchObject({ n_rate_limits: 3, waited_seconds: 1.5, model_ids: ['m'] });
  });
});

describe('executionOf', () => {
  it('has every field of the extras under its camelCase name', () => {
    const given = extras({ modelIds: ['m'] });
    const execution = readExecution(given);
    expect(execution).toMatchObject({
      batchSize: 8,
      nApiBatches: 4,
      latencyP50Seconds: null,
      modelIds: ['m'],
    });
    expect(Object.values(execution)).toEqual(Object.values(given));
  });
});

const folder = temporaryFolder();
afterAll(folder.remove);

describe('readExtras', async () => {
  const { path, extras } = await runToFile({
    suite: suiteOf(recordsOf('abcd')),
    backend: scriptedBackend(allYes),
    krisisVersion: '0',
    seed: 1,
    batchSize: 2,
    maxConcurrency: 1,
    path: folder.file('run.db'),
    scoring: { resamples: 0 },
  });
  const read = (change: Record<string, unknown>) => {
    const file = RunFile.read(path);
    try {
      return readExtras(file, { ...file.manifest(), ...change }, { repeats: 1, promptModes: ['batch'] });
    } finally {
      file.close();
    }
  };

  it('is what the manifest says of a run that has ended', () => {
    expect(read({})).toEqual(extras);
  });

  it('counts from calls and rows while the run has not ended, without the time', () => {
    expect(read({ status: 'running' })).toEqual({
      ...extras,
      max_concurrency: null,
      elapsed_seconds: null,
      records_per_second: null,
      waited_seconds: null,
    });
  });

  it('is null where another framework says nothing or something of the wrong type', () => {
    const imported = { format: 'python_full' };
    expect(read({ imported, extras: { batch_size: 8, prompt_modes: 'batch', theirs: 1 } })).toMatchObject({
      batch_size: 8,
      prompt_modes: [],
      n_calls: null,
      simulated: false,
      theirs: 1,
    });
    expect(read({ imported, extras: null })).toMatchObject({ batch_size: null, model_ids: [] });
  });
});
