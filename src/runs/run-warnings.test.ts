import { afterAll, describe, expect, it } from 'vitest';
import { allYes, recordsOf, scriptedBackend, suiteOf, temporaryFolder } from '../../test/engine-fixture.ts';
import { run as runToFile } from '../engine/run.ts';
import type { FileRun } from '../engine/run-options.ts';
import { runWarnings } from './run-warnings.ts';

const folder = temporaryFolder();
afterAll(folder.remove);

describe('runWarnings', async () => {
  const run = await runToFile({
    suite: suiteOf(recordsOf('ab')),
    backend: scriptedBackend(allYes),
    krisisVersion: '0',
    seed: 1,
    batchSize: 2,
    maxConcurrency: 1,
    path: folder.file('run.db'),
    scoring: { resamples: 0 },
  });
  const added = (change: Partial<FileRun>) => {
    const usual = new Set(runWarnings(run).map(({ code }) => code));
    return runWarnings({ ...run, ...change }).filter(({ code }) => !usual.has(code));
  };

  it('says nothing more than the scores say when nothing is amiss', () => {
    expect(runWarnings(run).map(({ code }) => code)).toEqual(['few_rows', 'clustered', 'missing_confidence']);
  });

  it('names workers that are right more or less often than chance explains', () => {
    const workers = (...right: number[]) => {
      const rows = right.map((n_right, i) => ({
        worker: `gpu-${i + 1}`,
        n_rows: 100,
        n_labelled: 100,
        n_right,
      }));
      return added({ execution: { ...run.execution, workers: rows } });
    };
    expect(workers(80, 84)).toEqual([]);
    expect(workers(99, 97)).toEqual([]);
    expect(workers(80, 60, 82)).toMatchObject([
      { code: 'workers_differ', message: expect.stringContaining('gpu-1 80 of 100, gpu-2 60 of 100') },
    ]);
  });

  it.each<[string, Partial<FileRun>, string]>([
    ['simulated_model', { execution: { ...run.execution, simulated: true } }, 'its answers are made up'],
    [
      'cached_replies',
      {
        extras: {
          ...run.extras,
          n_cache_hits: 2,
          n_replies: 2,
          oldest_cache_hit: '2026-11-18T01:12:00.000Z',
        },
      },
      '2 of 2 replies come from the cache (oldest from 2026-11-18 01:12 UTC): a new run (--new) asks again.',
    ],
    ['incomplete', { status: 'interrupted' }, 'The run was interrupted'],
    ['stopped', { status: 'stopped', stoppedBecause: 'auth: no key' }, 'The run stopped (auth: no key)'],
    [
      'batch_coupling',
      { execution: { ...run.execution, nPromptsCaptured: 2 } },
      'publish runs with one case per call',
    ],
    [
      'origins_pooled',
      { suite: { origins: { uci: 1, synthetic: 1 } } },
      'Cases of different origin (uci, synthetic)',
    ],
  ])('%s', (code, change, words) => {
    const warnings = added(change);
    expect(warnings.map((warning) => warning.code)).toEqual([code]);
    expect(warnings[0]!.message).toContain(words);
  });

  it('speaks of prompt and parser only where there is a prompt', () => {
    const scores = run.card.scores.map((score) =>
      score.name === 'invalid_rate' ? { ...score, value: 1 } : score,
    );
    const messageOf = (nPromptsCaptured: number | null) =>
      runWarnings({
        ...run,
        card: { ...run.card, scores },
        execution: { ...run.execution, nPromptsCaptured },
      }).find(({ code }) => code === 'invalid_rate_high')!.message;
    expect(messageOf(0)).toBe('100.0 % of cases have no usable answer; they count as wrong.');
    expect(messageOf(2)).toContain('Check the prompt or the parser before blaming the model.');
    // A run of another framework does not say whether it had one.
    expect(messageOf(null)).toContain('Check the prompt');
  });

  it('says that a run goes on', () => {
    const warnings = runWarnings({ ...run, status: 'running' });
    expect(warnings[0]).toEqual({ code: 'incomplete', message: expect.stringContaining('still going on') });
  });

  it('says where a run comes from', () => {
    const imported = { format: 'python_full', source: 'old.json', sha256: '0', hasRows: true };
    const [first] = runWarnings({ ...run, imported });
    expect(first).toEqual({ code: 'imported', message: expect.stringContaining('old.json (python_full)') });
    expect(first!.message).not.toContain('without its cases');
    expect(runWarnings({ ...run, imported: { ...imported, hasRows: false } })[0]!.message).toContain(
      'without its cases',
    );
  });

  it('knows when origins were scored apart', () => {
    const gap = {
      by: 'origin',
      metric: 'accuracy',
      groups: [],
      gap: null,
      worst_group: null,
      min_n: 30,
      n_without_key: 0,
    };
    const [warning] = added({ suite: { origins: { uci: 1, synthetic: 1 } }, groups: [gap] });
    expect(warning!.message).toContain('publish the scores by origin');
  });

  it('says when failed rows leave more open than chance does', () => {
    const scores = (lower: number) => ({
      accuracy: {
        ...run.scores.accuracy!,
        interval: { ...run.scores.accuracy!.interval!, lower: 0.7, upper: 0.8 },
        bounds: { lower, upper: 0.8 },
      },
    });
    expect(added({ scores: scores(0.71) })).toEqual([]);
    const [warning] = added({ scores: scores(0.5) });
    expect(warning).toEqual({
      code: 'bounds_straddle',
      message: expect.stringContaining(
        'accuracy open from 0.500 to 0.800, more than chance does (0.700 to 0.800)',
      ),
    });
  });

  it('does not speak of batches where records were asked one by one', () => {
    expect(added({ execution: { ...run.execution, nPromptsCaptured: 2, batchSize: 1 } })).toEqual([]);
  });
});
