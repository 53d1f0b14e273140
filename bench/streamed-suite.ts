import type { PatientRecord } from '../src/core/patient-record.ts';
import { getStratum } from '../src/core/patient-record.ts';
import { describeRecords } from '../src/suites/describe-records.ts';
import type { Suite } from '../src/suites/suite.ts';
import { suiteHash } from '../src/suites/suite-hash.ts';
import type { Task } from '../src/suites/task.ts';

const task: Task = {
  id: 'bench/number',
  labels: ['low', 'high'],
  positiveLabel: 'high',
  ordered: false,
  defaultArm: 'natural',
  arms: {
    natural: {
      instructions: 'Low or high? Abstain when the data do not support a safe answer.',
    },
  },
  primaryEndpoint: { metric: 'accuracy', arm: 'natural', why: 'a measurement of speed' },
};

/** As many small records as wanted, none of them kept: what is measured is the engine, not a suite. */
export function streamedSuite(n: number): Suite {
  function* stream(): Generator<PatientRecord> {
    for (let i = 0; i < n; i++) {
      yield {
        id: `r${i}`,
        features: { 'Age (years)': 18 + (i % 70), Number: i },
        label: i % 2 === 0 ? 'low' : 'high',
        metadata: { should_abstain: i % 10 === 0 },
      };
    }
  }
  return {
    name: task.id,
    task,
    sensitivity: 'synthetic',
    load: async () => [...stream()],
    stream,
    describe: async () => ({
      name: task.id,
      task: task.id,
      domain: 'bench',
      sensitivity: 'synthetic',
      hash: suiteHash(task, stream()),
      ...describeRecords(stream(), task.labels, getStratum(task)),
      nTraining: 0,
      arms: Object.keys(task.arms),
      primaryEndpoint: task.primaryEndpoint,
      settings: {},
      provenance: {},
      warnings: [],
    }),
  };
}
