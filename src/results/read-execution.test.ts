import { afterAll, describe, expect, it } from 'vitest';
import { allYes, recordsOf, scriptedBackend, suiteOf, temporaryFolder } from '../../test/engine-fixture.ts';
import { runToFile } from '../engine/run-to-file.ts';
import { RunFile } from '../store/run-file.ts';
import { readExtras } from './read-execution.ts';

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

  it('is counted where nobody has ended the run, and does not know the time', () => {
    expect(read({ status: 'running' })).toEqual({
      ...extras,
      max_concurrency: null,
      elapsed_seconds: null,
      records_per_second: null,
      waited_seconds: null,
    });
  });

  it('is null where another framework says nothing, and not what it should not be', () => {
    const imported = { format: 'python_full' };
    expect(read({ imported, extras: { batch_size: 8, prompt_modes: 'batch', theirs: 1 } })).toMatchObject({
      batch_size: 8,
      prompt_modes: [],
      n_calls: null,
      simulated: false,
      theirs: 1,
    });
    expect(read({ imported, extras: 'none' })).toMatchObject({ batch_size: null, model_ids: [] });
  });
});
