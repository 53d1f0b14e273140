import type { PatientRecord } from '../src/core/patient-record.ts';
import { Benchmark } from '../src/engine/benchmark.ts';
import { defineBackend } from '../src/models/define-backend.ts';
import { readExecution } from '../src/runs/execution.ts';
import type { BenchmarkResult } from '../src/runs/run-result.ts';
import { defineSuite } from '../src/suites/define-suite.ts';
import { task } from './engine-fixture.ts';

/** What a hostile model, suite or provider could call itself. */
export const HOSTILE = '=cmd|x"<b>&\u001b[31m\u0000\nforged: line';

const records: PatientRecord[] = Array.from({ length: 24 }, (_, i) => ({
  id: `r${i}`,
  features: { value: i },
  label: i % 3 === 0 ? 'no' : 'yes',
  metadata: {
    should_abstain: i % 6 === 0,
    should_abstain_reasons: i % 6 === 0 ? ['a', 'b'] : [],
    must_act: i === 7,
  },
}));

/** A result of 24 rows with right and wrong answers, abstentions and one invalid answer; the clock is taken out. */
export async function smallResult(name = 'scripted'): Promise<BenchmarkResult> {
  const suite = defineSuite({ name: 'demo/yes-no', task, load: () => records, sensitivity: 'synthetic' });
  const backend = defineBackend({
    name,
    evaluate: ({ features }) => {
      const i = Number(features.value);
      return {
        prediction: i === 5 ? null : i % 4 === 0 ? 'no' : 'yes',
        abstained: i % 7 === 0,
        confidence: i === 8 ? null : 0.5 + (i % 5) / 10,
        rawResponse: i === 1 ? HOSTILE : `answer ${i}`,
        prompt: [{ role: 'user', content: 'Yes or no? [PATIENT_DATA_REDACTED]' }],
        inputTokens: 3,
        outputTokens: 1,
        totalTokens: 4,
      };
    },
  });
  const result = await new Benchmark(suite, backend, { batchSize: 1, resamples: 50 }).run();
  const extras = {
    ...result.extras,
    elapsed_seconds: 1.25,
    records_per_second: 19.2,
    latency_p50_seconds: 0.01,
    latency_p95_seconds: 0.02,
  };
  return { ...result, extras, execution: readExecution(extras) };
}
