import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { evaluationResult } from '../src/core/evaluation-result.ts';
import { RunFile } from '../src/store/run-file.ts';
import { answers, report } from './fixture.ts';
import { BIN, type Measured, measured, measuredCount, NODE_FLAGS } from './measured-process.ts';

/** `krisis report --format html` and `krisis compare` (2,000 resamples) on runs of a hundred thousand rows: time beside reading the rows once, and peak memory. */
const N = 100_000;
const AT_ONCE = 10_000;
const MAX_MEGABYTES = 500;
const folder = mkdtempSync(join(tmpdir(), 'krisis-bench-'));
const root = resolve(import.meta.dirname, '..');
try {
  for (const confidences of ['stated', 'continuous'] as const) {
    const files = [1, 2].map((seed) => join(folder, `${confidences}-${seed}.db`));
    for (const [i, file] of files.entries()) write(file, confidences, i + 1);
    const read = await measuredCount(['bench/read-rows.ts', files[0]!], root, N);
    const page = join(folder, `${confidences}.html`);
    const html = await krisis('report', files[0]!, '--format', 'html', '-o', page);
    const compare = await krisis('compare', ...files, '--bootstrap', '2000', '--json');
    const [{ n_paired }] = JSON.parse(compare.stdout).comparisons;
    const name = `${confidences} confidences`;
    console.log(
      `${name}: reading ${N} rows ${read.seconds.toFixed(1)} s; HTML ${(statSync(page).size / 1e6).toFixed(2)} MB; ${n_paired} pairs`,
    );
    console.log(`${name}: HTML report / reading the rows: ${(html.seconds / read.seconds).toFixed(1)}`);
    console.log(`${name}: compare / reading the rows: ${(compare.seconds / read.seconds).toFixed(1)}`);
    report(`${name}: peak memory of the HTML report / 500 MB`, html.megabytes / MAX_MEGABYTES, 1);
    report(`${name}: peak memory of compare / 500 MB`, compare.megabytes / MAX_MEGABYTES, 1);
    report(`${name}: HTML report / 2 MB`, statSync(page).size / 2e6, 1);
  }
} finally {
  rmSync(folder, { recursive: true });
}

function krisis(...args: readonly string[]): Promise<Measured> {
  return measured([...NODE_FLAGS, BIN, ...args], root);
}

/** The records are those of seed 1; the answers are right as often as the seed's own. */
function write(path: string, confidences: 'stated' | 'continuous', seed: number): void {
  const file = RunFile.write(path);
  file.setManifest({
    identity: { suiteHash: 'bench', repeats: 1 },
    model: `model-${seed}`,
    suiteName: 'bench',
    status: 'complete',
  });
  file.records.enter(records(confidences), false);
  const truths = answers(N, confidences, 1);
  let rows = [];
  for (const { id, prediction, ground_truth, abstained, confidence } of answers(N, confidences, seed)) {
    const { value: record } = truths.next();
    const right = prediction === ground_truth;
    const other = record!.ground_truth === 'present' ? 'absent' : 'present';
    const answer = abstained ? null : right ? record!.ground_truth : other;
    const { state, stateReason } = evaluationResult({ prediction: answer, groundTruth: null, abstained });
    rows.push({ id, repeat: 0, state, stateReason, prediction: answer, abstained, confidence });
    if (rows.length < AT_ONCE) continue;
    file.rows.enter(rows);
    rows = [];
  }
  file.rows.enter(rows);
  file.close();
}

function* records(confidences: 'stated' | 'continuous') {
  let position = 0;
  for (const { id, ground_truth, metadata } of answers(N, confidences, 1))
    yield [position++, { id, label: ground_truth, metadata, features: {} }] as const;
}
