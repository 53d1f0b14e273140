import { join } from 'node:path';
import { run as runToFile } from '../src/engine/run.ts';
import type { Backend, BackendResponse, VisibleRecord } from '../src/models/backend.ts';
import type { Suite } from '../src/suites/suite.ts';
import type { Task } from '../src/suites/task.ts';
import { answers } from './fixture.ts';
import { streamedSuite } from './streamed-suite.ts';

const task: Task = {
  id: 'bench/detection',
  labels: ['present', 'absent'],
  positiveLabel: 'present',
  ordered: false,
  pack: 'detection',
  defaultArm: 'natural',
  arms: { natural: { instructions: 'Present or absent?' } },
  primaryEndpoint: { metric: 'decision_accuracy', arm: 'natural', why: 'a measurement of speed' },
};

/** Of the cases, and of the answers of the first model. */
const SEED = 1;

/**
 * Real runs, written by the engine, with confidences that never repeat, the worst case for whatever groups by them. Models answer the same cases, as often right as each other, and are wrong or defer
 * on different ones. Gives back the name of the run, which is that of its file.
 */
export async function writeViewerRun(folder: string, n: number, model = 0): Promise<string> {
  const known = new Map<string, Pick<BackendResponse, 'prediction' | 'abstained' | 'confidence'>>();
  const drawn = answers(n, 'continuous', SEED + model);
  for (const { id, ground_truth: truth } of answers(n, 'continuous', SEED)) {
    const { prediction, abstained, confidence, ground_truth: drawnTruth } = drawn.next().value!;
    const given = prediction === drawnTruth ? truth : truth === 'present' ? 'absent' : 'present';
    known.set(id, { prediction: abstained ? null : given, abstained, confidence });
  }
  const answer = ({ id }: VisibleRecord): BackendResponse => ({
    ...known.get(id)!,
    confidenceSource: 'stated',
    rawResponse: JSON.stringify({ id, ...known.get(id) }),
    prompt: [{ role: 'user', content: 'Present or absent? {{patient_data}}' }],
    promptMode: 'batch',
    inputTokens: 100,
    outputTokens: 20,
    totalTokens: 120,
  });
  const backend: Backend = {
    name: `bench/model-${model}`,
    evaluate: async (record) => answer(record),
    evaluateBatch: async (records) => records.map(answer),
  };
  const name = model === 0 ? `run-${n}` : `run-${n}-${model}`;
  await runToFile({
    suite: suiteOf(n),
    backend,
    krisisVersion: 'bench',
    seed: 42,
    batchSize: 8,
    maxConcurrency: 8,
    path: join(folder, `${name}.db`),
    scoring: { task: 'detection', groupBy: ['sex'] },
  });
  return name;
}

function suiteOf(n: number): Suite {
  function* stream() {
    let i = 0;
    for (const { id, ground_truth: label, metadata } of answers(n, 'continuous', SEED)) {
      const sex = i % 2 === 0 ? 'female' : 'male';
      const features = { 'Age (years)': 18 + (i % 70), Sex: sex, 'Serum creatinine (mg/dL)': (i % 90) / 10 };
      const reasons = metadata.should_abstain ? ['near_threshold'] : [];
      yield { id, features, label, metadata: { ...metadata, should_abstain_reasons: reasons, sex } };
      i += 1;
    }
  }
  return { ...streamedSuite(n), name: task.id, task, load: async () => [...stream()], stream };
}
