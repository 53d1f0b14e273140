import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../test/engine-fixture.ts';
import { wilsonInterval } from '../../statistics/proportions.ts';
import { RunFile } from '../../store/run-file.ts';
import { readRun } from '../read-run.ts';
import { importPythonResult } from './import-python-result.ts';

const folder = temporaryFolder();
afterAll(folder.remove);

const row = (prediction: number | null, ground_truth: number, more: object = {}) => ({
  prediction,
  ground_truth,
  abstained: false,
  confidence: 0.9,
  metadata: { ckd_stage: ground_truth, should_abstain: false },
  ...more,
});
const metric = (value: number, more: object = {}) => ({
  value,
  n_evaluated: 3,
  n_abstained: 1,
  breakdown: {},
  details: {},
  ...more,
});
const full = {
  backend_name: 'api:openai/x',
  metrics: { Accuracy: metric(1 / 3), 'Expected Calibration Error': metric(0.25) },
  evaluation_results: [row(3, 3), row(2, 5), row(null, 2, { abstained: true, confidence: 85 })],
  extras: { batch_size: 8, elapsed_seconds: 24.5, token_total: 57105 },
  suite: { domain: 'CKD', task: 'staging', seed: 42 },
};

function write(name: string, value: unknown): string {
  writeFileSync(folder.file(name), JSON.stringify(value));
  return folder.file(name);
}

describe('importPythonResult', () => {
  it('writes a run with rows, scored here as well, and tells where the file differs', async () => {
    const imported = await importPythonResult(write('full.json', full), { run: folder.file('full.db') });
    expect(imported).toMatchObject({ model: 'api:openai/x', format: 'python_full', nRows: 3, nPublished: 3 });
    // Confidence 0.9, one right and one wrong: the gap is 0.4.
    expect(imported.differences).toEqual([
      { metric: 'expected_calibration_error', published: 0.25, ours: expect.closeTo(0.4, 12) },
    ]);
    const report = readRun(imported.path);
    expect(report).toMatchObject({
      backendName: 'api:openai/x',
      suiteHash: null,
      suiteName: 'CKD, staging',
      seed: 42,
      imported: { format: 'python_full', source: 'full.json', hasRows: true },
      extras: { elapsed_seconds: 24.5, token_total: 57105, n_calls: null },
      card: { n: 3, ledger: { answered_correct: 1, answered_wrong: 1, abstained: 1 } },
    });
    const score = (name: string) => report.card.scores.find((found) => found.name === name)!;
    expect(score('accuracy')).toMatchObject({ value: 1 / 3, interval: { method: 'wilson' } });
    expect(score('mae_stages').value).toBe(1.5);
    expect([...report.rows()].map(({ id }) => id)).toEqual(['row_1', 'row_2', 'row_3']);
    report.close();
    const file = RunFile.read(imported.path);
    expect(file.manifest()).toMatchObject({
      scoresAsPublished: { accuracy: { published_name: 'Accuracy', value: 1 / 3 } },
      scoreDifferences: [{ metric: 'expected_calibration_error', published: 0.25 }],
      imported: { sha256: imported.sha256, hasRows: true },
    });
    file.close();
  });

  it('writes a run without rows, whose numbers are as published, with intervals from the published counts', async () => {
    const { evaluation_results: _, extras, ...rest } = full;
    const metrics = {
      ...rest.metrics,
      Accuracy: metric(1 / 3, { details: { n_correct: 1 } }),
      'Abstention Rate': metric(1 / 3),
    };
    const file = write('metrics.json', { metrics, execution: extras });
    const imported = await importPythonResult(file, { run: folder.file('metrics.db'), name: 'published' });
    expect(imported).toMatchObject({ model: 'published', nRows: 0, nMetrics: 3, differences: [] });
    const report = readRun(imported.path);
    expect(report).toMatchObject({
      imported: { hasRows: false },
      figures: null,
      card: { n: 3, ledger: { n: 3, answered_correct: 1, answered_wrong: 1, abstained: 1 } },
    });
    const [lower, upper] = wilsonInterval(1, 3)!;
    const wilson = { lower, upper, level: 0.95, method: 'wilson', resamples: null, unit: 'row' };
    expect(
      report.card.scores.map(({ name, value, interval, intervalReason }) => [
        name,
        value,
        interval,
        intervalReason,
      ]),
    ).toEqual([
      ['accuracy', 1 / 3, wilson, null],
      ['expected_calibration_error', 0.25, null, 'imported_without_rows'],
      ['abstention_rate', 1 / 3, wilson, null],
    ]);
    expect([...report.rows()]).toEqual([]);
    report.close();
  });

  it('knows the task that is stated, and that 0 means present', async () => {
    const metrics = { accuracy: metric(1) };
    const stated = await importPythonResult(write('d.json', { metrics }), {
      run: folder.file('d.db'),
      task: 'detection',
    });
    expect(readRun(stated.path).task).toMatchObject({ id: 'detection', labels: [0, 1], positiveLabel: 0 });
    const rows = [row(0, 0), row(1, 0), row(1, 1)];
    const detection = { ...full, metrics, evaluation_results: rows, suite: { task: 'detection' } };
    const own = await importPythonResult(write('rows.json', detection), { run: folder.file('rows.db') });
    // One of two patients with the disease (0) was found.
    expect(readRun(own.path).scores.sensitivity).toMatchObject({ value: 0.5, nEvaluated: 2 });
    const other = await importPythonResult(write('rows.json', detection), {
      run: folder.file('other.db'),
      positiveLabel: 1,
    });
    expect(readRun(other.path).scores.sensitivity).toMatchObject({ value: 1, nEvaluated: 1 });
    await expect(importPythonResult(write('s.json', full), { task: 'detection' })).rejects.toMatchObject({
      code: 'ERR_IMPORT',
      message: expect.stringContaining('its task is staging, not detection'),
    });
  });

  it('draws bins, deferral table and stages of the published sample', async () => {
    const { path } = await importPythonResult('test/fixtures/answers/python-metrics.json', {
      run: folder.file('sample.db'),
    });
    const { published, figures } = readRun(path);
    expect(figures).toBeNull();
    const bins = published!.reliability.filter(({ count }) => count > 0);
    expect(bins.map(({ count }) => count)).toEqual([1, 5, 15, 109]);
    const [lower, upper] = wilsonInterval(104, 109)!;
    expect(bins.at(-1)).toMatchObject({ lower, upper, accuracy: 104 / 109 });
    expect(published!.deferral).toEqual({
      defer_when_needed: 30,
      answer_when_safe: 130,
      answer_when_should_defer: 0,
      abstain_when_should_answer: 0,
    });
    const accuracy = published!.dots.filter((dot) => dot.metric === 'accuracy');
    expect(accuracy.map(({ group, n_successes, n }) => [group, n_successes, n])).toEqual([
      ['1', 43, 46],
      ['2', 18, 32],
      ['3', 26, 33],
      ['4', 14, 22],
      ['5', 22, 27],
    ]);
    const [low, high] = wilsonInterval(43, 46)!;
    expect(accuracy[0]).toMatchObject({ lower: low, upper: high });
  });

  it('names the model after the file by default', async () => {
    const file = write('gpt-9.json', { metrics: { accuracy: metric(1) } });
    expect((await importPythonResult(file, { run: folder.file('named.db') })).model).toBe('gpt-9');
  });

  it('overwrites nothing unless forced, and leaves nothing behind', async () => {
    const target = folder.file('mine.db');
    writeFileSync(target, 'mine');
    const file = write('again.json', full);
    await expect(importPythonResult(file, { run: target })).rejects.toThrow('already exists');
    expect(readFileSync(target, 'utf8')).toBe('mine');
    const bad = write('bad.json', { ...full, evaluation_results: [{}] });
    await expect(importPythonResult(bad, { run: folder.file('never.db') })).rejects.toThrow('bad.json row 1');
    expect(existsSync(folder.file('never.db'))).toBe(false);
    await importPythonResult(file, { run: target, force: true });
    expect(readRun(target).card.n).toBe(3);
    expect(readdirSync(folder.path).filter((name) => name.includes('.tmp'))).toEqual([]);
  });

  it('says what is wrong with a file that cannot be read', async () => {
    await expect(importPythonResult(folder.file('gone.json'))).rejects.toThrow('no such file');
    await expect(importPythonResult(folder.path)).rejects.toThrow('is a folder');
  });
});
