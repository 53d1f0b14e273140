import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { evaluationResult } from '../src/records/evaluation-result.ts';
import { RunFile } from '../src/runs/run-file.ts';
import { answers, report } from './fixture.ts';

/** `krisis compare` on two runs of a hundred thousand rows, 2,000 resamples: peak resident memory of the whole process. */
const N = 100_000;
const AT_ONCE = 10_000;
const folder = mkdtempSync(join(tmpdir(), 'krisis-bench-'));
try {
  for (const confidences of ['stated', 'continuous'] as const) {
    const files = [1, 2].map((seed) => join(folder, `${confidences}-${seed}.db`));
    for (const [i, file] of files.entries()) await write(file, confidences, i + 1);
    const start = performance.now();
    const args = ['bench/peak-memory.ts', 'compare', ...files, '--bootstrap', '2000', '--json'];
    const { stdout, stderr, status } = spawnSync(process.execPath, args, {
      encoding: 'utf8',
      maxBuffer: 1 << 28,
    });
    if (status !== 0) throw new Error(stderr);
    const seconds = (performance.now() - start) / 1000;
    const peak = Number(/peak (\d+)/.exec(stderr)![1]) / 1024;
    const [{ n_paired }] = JSON.parse(stdout).comparisons;
    console.log(`${confidences} confidences: ${n_paired} pairs in ${seconds.toFixed(1)} s`);
    report(`${confidences} confidences: peak memory / 500 MB`, peak / 500, 1);
  }
} finally {
  rmSync(folder, { recursive: true });
}

/** The records are those of seed 1; the answers are right as often as the seed's own. */
async function write(path: string, confidences: 'stated' | 'continuous', seed: number): Promise<void> {
  const file = RunFile.write(path);
  file.setManifest({
    identity: { suite_hash: 'bench', repeats: 1 },
    model: `model-${seed}`,
    suite_name: 'bench',
    status: 'complete',
  });
  file.setRecords(records(confidences), false);
  const truths = answers(N, confidences, 1);
  let rows = [];
  for (const { id, prediction, ground_truth, abstained, confidence } of answers(N, confidences, seed)) {
    const { value: record } = truths.next();
    const right = prediction === ground_truth;
    const other = record!.ground_truth === 'present' ? 'absent' : 'present';
    const answer = abstained ? null : right ? record!.ground_truth : other;
    const { state, stateReason } = evaluationResult({ prediction: answer, groundTruth: null, abstained });
    rows.push({
      recordId: id,
      repeat: 0,
      state,
      stateReason,
      prediction: answer,
      abstained,
      confidence,
      confidenceSource: 'stated' as const,
      rawResponse: null,
      prompt: null,
      promptMode: 'single' as const,
      inputTokens: null,
      outputTokens: null,
      totalTokens: null,
      tokensEstimated: false,
      repaired: false,
    });
    if (rows.length < AT_ONCE) continue;
    await file.enter(rows);
    rows = [];
  }
  await file.enter(rows);
  file.close();
}

function* records(confidences: 'stated' | 'continuous') {
  let position = 0;
  for (const { id, ground_truth, metadata } of answers(N, confidences, 1))
    yield [position++, { id, label: ground_truth, metadata, features: {} }] as const;
}
