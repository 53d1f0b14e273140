import { DatabaseSync } from 'node:sqlite';
import { afterAll, describe, expect, it } from 'vitest';
import { recordsOf, response, scriptedBackend, suiteOf, temporaryFolder } from '../../test/engine-fixture.ts';
import { forgeProof } from '../../test/forge-proof.ts';
import { KrisisError } from '../core/errors.ts';
import { run as runToFile } from '../engine/run.ts';
import type { RunOptions as RunToFileOptions } from '../engine/run-options.ts';
import { defineMetric } from '../metrics/define-metric.ts';
import { BackendError } from '../models/backend-error.ts';
import { RunFile } from '../store/run-file.ts';
import type { ReadRunOptions } from './read-options.ts';
import { readRun } from './read-run.ts';

const folder = temporaryFolder();
afterAll(folder.remove);
let made = 0;

const IDS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMN';
const suite = suiteOf(
  recordsOf(IDS).map((record, i) => ({
    ...record,
    label: i % 3 === 0 ? 'no' : 'yes',
    metadata: { should_abstain: i % 5 === 0, must_act: i === 6, sex: i % 2 === 0 ? 'f' : 'm' },
  })),
  { sensitivity: 'synthetic' },
);
/** Fails on `q`, abstains on a few. */
const backend = () =>
  scriptedBackend(({ ids }) => {
    if (ids.includes('q')) throw new BackendError('truncated', 'cut');
    return [...ids].map((id) =>
      response({
        prediction: id < 'f' ? 'no' : 'yes',
        abstained: 'fkp'.includes(id),
        confidence: 0.5 + (id.charCodeAt(0) % 5) / 10,
        rawResponse: `said ${id}`,
        prompt: [{ role: 'user', content: `Yes or no? ${ids.length > 1 ? '[BATCH]' : '[ONE]'}` }],
      }),
    );
  });

function run(more: Partial<RunToFileOptions> = {}) {
  return runToFile({
    suite,
    backend: backend(),
    krisisVersion: '1.2.3',
    seed: 9,
    batchSize: 4,
    maxConcurrency: 2,
    path: folder.file(`run-${++made}.db`),
    scoring: { resamples: 60 },
    ...more,
  });
}
/** A report of a run file, walked and closed. */
function read(path: string, options?: ReadRunOptions) {
  const report = readRun(path, options);
  try {
    return { ...report, walked: [...report.rows()] };
  } finally {
    report.close();
  }
}
/** Adds what no version would write to the manifest. */
function withManifest(path: string, values: Record<string, unknown>): string {
  RunFile.write(path).close();
  const db = new DatabaseSync(path);
  const insert = "INSERT INTO events SELECT coalesce(max(entries), 0) + 1, 0, 'manifest', ? FROM proof";
  db.prepare(insert).run(JSON.stringify(values));
  db.close();
  forgeProof(path);
  return path;
}
/** Takes out everything that was added to the manifest, or these fields. */
function withoutManifest(path: string, fields: readonly string[] | null): string {
  const db = new DatabaseSync(path);
  const paths = (fields ?? []).map((field) => `'$.${field}'`).join(', ');
  db.exec(
    fields === null
      ? "DELETE FROM events WHERE kind = 'manifest'"
      : `UPDATE events SET data = json_remove(data, ${paths}) WHERE kind = 'manifest'`,
  );
  db.exec('DELETE FROM report');
  db.close();
  forgeProof(path);
  return path;
}

describe('readRun', () => {
  it('has the very numbers of the run', async () => {
    const { path, card, extras } = await run();
    const report = read(path);
    expect(report.card).toEqual(card);
    expect(report.extras).toEqual(extras);
    expect(report).toMatchObject({
      path,
      backendName: 'scripted',
      suiteName: 'demo/yes-no',
      suiteHash: expect.stringMatching(/^[0-9a-f]{64}$/),
      task: { id: 'demo/yes-no', labels: ['yes', 'no'], positiveLabel: 'yes', ordered: false, pack: null },
      arm: 'natural',
      instructions: 'Yes or no?',
      primaryEndpoint: { metric: 'accuracy' },
      sensitivity: 'synthetic',
      status: 'complete',
      krisisVersion: '1.2.3',
      seed: 9,
      imported: null,
      repeats: 1,
    });
    expect(report.warnings.map(({ code }) => code)).toEqual(
      expect.arrayContaining(['unscored_rows', 'batch_coupling']),
    );
  });

  it.each<[string, RunToFileOptions['scoring']]>([
    ['a level and a seed', { level: 0.8, seed: 5, resamples: 40 }],
    ['groups and the extended bundle', { groupBy: ['sex'], bundle: 'extended', resamples: 20 }],
    ['strata and costs', { stratify: true, deferralCosts: { missed: 2 }, resamples: 40 }],
    ['a task of its own', { task: 'detection', positiveLabel: 'no', targetPrevalence: 0.1, resamples: 0 }],
    ['clusters', { cluster: 'sex', resamples: 40 }],
  ])('scores again with %s', async (_, scoring) => {
    const { path, card } = await run({ scoring: scoring! });
    expect(read(path).card).toEqual(card);
  });

  it('scores otherwise when asked', async () => {
    const { path } = await run();
    const { card, figures } = read(path, { resamples: 0, groupBy: ['sex'], level: 0.9, bundle: 'extended' });
    expect([card.method.resamples, card.method.level]).toEqual([0, 0.9]);
    expect(card.subgroups.every(({ by }) => by === 'sex')).toBe(true);
    expect(card.scores.some(({ name }) => name === 'log_loss')).toBe(true);
    expect(figures!.dots.some(({ by, group }) => by === 'sex' && group === 'f')).toBe(true);
  });

  it("keeps scores of metrics of one's own, which no file can compute", async () => {
    const mine = defineMetric({ name: 'mine', label: 'Mine', estimate: () => 0.25 });
    const { path, card } = await run({ scoring: { metrics: [mine], resamples: 0 } });
    expect(read(path).card.scores).toMatchObject([
      { name: 'mine', value: 0.25, family: 'custom' },
      { name: 'accuracy' },
    ]);
    expect(card.scores.map(({ name }) => name)).toEqual(['mine', 'accuracy']);
    expect(read(path, { bundle: 'default' }).card.scores.length).toBeGreaterThan(10);
  });

  it('gives rows in the order of the records, each with its redacted prompt, as often as asked', async () => {
    const { path } = await run({ repeats: 2 });
    const report = readRun(path);
    const first = [...report.rows()];
    expect(first.map(({ id }) => id).join('')).toBe(IDS + IDS);
    expect(first.map(({ repeat }) => repeat)).toEqual([...Array(40).fill(0), ...Array(40).fill(1)]);
    expect(first[0]).toMatchObject({ rawResponse: 'said a', groundTruth: 'no' });
    expect(first[0]!.prompt).toEqual([{ role: 'user', content: 'Yes or no? [BATCH]' }]);
    expect(first[IDS.indexOf('q')]).toMatchObject({
      state: 'failed',
      stateReason: 'truncated',
      prompt: null,
    });
    expect([...report.rows()]).toEqual(first);
    // Rows of one call, in all repeats, are drawn together.
    expect(report.card.method.cluster).toBe('call');
    report.close();
  });

  it('reads a run that was killed: what is finished, and says so', async () => {
    const { path } = await run();
    withManifest(path, { status: 'running' });
    const report = read(withoutManifest(path, ['extras', 'scoring', 'scores', 'ledger']));
    expect(report.status).toBe('interrupted');
    expect(report.warnings.map(({ code }) => code)).toContain('incomplete');
    expect(report.extras).toMatchObject({ batch_size: 4, elapsed_seconds: null, n_input_records: 40 });
  });

  it('says that another process is still writing', async () => {
    const { path } = await run();
    const writer = RunFile.write(path);
    try {
      expect(read(path).status).toBe('running');
    } finally {
      writer.close();
    }
  });

  it('does not break on a file that says nothing of itself', async () => {
    const { path } = await run();
    const report = read(withoutManifest(path, null));
    expect(report).toMatchObject({
      backendName: 'unknown',
      suiteName: 'unknown',
      suiteHash: null,
      task: null,
      primaryEndpoint: null,
      parameters: {},
      status: 'interrupted',
    });
    expect(report.walked).toHaveLength(40);
    expect(report.card.scores.find(({ name }) => name === 'accuracy')!.value).not.toBeNull();
  });

  it('does not break on a file that says nonsense', async () => {
    const { path } = await run();
    const file = RunFile.read(path);
    const keys = Object.keys(file.manifest());
    file.close();
    const report = read(
      withManifest(path, Object.fromEntries(keys.map((key) => [key, key === 'suite' ? [1] : 7]))),
    );
    expect([report.backendName, report.suite, report.card.n]).toEqual(['unknown', {}, 40]);
  });

  it('reads an imported run without rows', () => {
    const path = withManifest(folder.file('imported.db'), {
      model: 'api:openai/gpt',
      suite_name: 'ckd/staging',
      suite: { task: 'staging' },
      status: 'complete',
      imported: { format: 'python_metrics', source: 'old.json', sha256: 'abc', has_rows: false },
      scores: { accuracy: { value: 0.75, n_evaluated: 160, n_abstained: 30, breakdown: {}, details: {} } },
      extras: { batch_size: 8, elapsed_seconds: 24.5, prompt_modes: ['batch'], n_prompts_captured: 160 },
    });
    const report = read(path);
    expect(report).toMatchObject({
      suiteHash: null,
      figures: null,
      walked: [],
      imported: { format: 'python_metrics', hasRows: false },
      extras: { elapsed_seconds: 24.5, n_calls: null },
      card: { n: 160, scores: [{ name: 'accuracy', value: 0.75, interval: { method: 'wilson' } }] },
    });
    expect(report.warnings.map(({ code }) => code)).toEqual(['imported', 'batch_coupling', 'few_rows']);
  });

  it('says when a key to group by is not there, and leaves the file free', async () => {
    const { path } = await run();
    expect(() => readRun(path, { groupBy: ['height'] })).toThrow(
      expect.objectContaining({
        code: 'ERR_GROUP_KEY_NOT_FOUND',
        message: expect.stringContaining('no case has metadata.height'),
      }),
    );
    expect(() => RunFile.write(path).close()).not.toThrow();
  });

  it('says when there is no such run', () => {
    expect(() => readRun(folder.file('none.db'))).toThrow(KrisisError);
  });
});
