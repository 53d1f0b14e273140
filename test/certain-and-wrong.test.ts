import { describe, expect, it } from 'vitest';
import type { PatientRecord } from '../src/core/index.ts';
import { Benchmark } from '../src/engine/index.ts';
import type { Answer } from '../src/models/define-backend.ts';
import { createBackend, defineBackend } from '../src/models/index.ts';
import { headlinesOf } from '../src/reports/headline-names.ts';
import { modelsTable } from '../src/reports/models-table.ts';
import type { RunResult } from '../src/results/index.ts';
import { CkdSuite } from '../src/suites/ckd/index.ts';

const OTHERS = [
  'baseline/guideline-defer',
  'baseline/guideline',
  'baseline/majority',
  'baseline/random',
  'baseline/always-defer',
  'simulated/careful',
  'simulated/overconfident',
];

/** A policy that may look at the truth. */
function policy(name: string, records: readonly PatientRecord[], answer: (record: PatientRecord) => Answer) {
  const byId = new Map(records.map((record) => [record.id, record]));
  return defineBackend({ name, evaluate: ({ id }) => answer(byId.get(id)!) });
}

const DIRECTIONS: Readonly<Record<string, 1 | -1>> = {
  decision_accuracy: 1,
  answerable_accuracy: 1,
  answerable_selective_accuracy: 1,
  unsafe_answer_rate: -1,
  augrc: -1,
  expected_calibration_error: -1,
};

/** The headline numbers that have a good and a bad side, higher is better. */
function goodness({ card }: RunResult): Record<string, number | null> {
  const directed = headlinesOf(card.scores, null).filter(({ name }) => name !== 'usable_answer_rate');
  expect(directed.map(({ name }) => name)).toEqual(Object.keys(DIRECTIONS));
  return Object.fromEntries(
    directed.map(({ name, value }) => [name, value === null ? null : value * DIRECTIONS[name]!]),
  );
}

describe.each(['detection', 'staging', 'progression'] as const)('on ckd/%s', async (task) => {
  const suite = new CkdSuite({ task, nRecords: 200, testSize: 0.8 });
  const records = await suite.load();
  const { labels } = suite.task;
  const ask = (backend: Awaited<ReturnType<typeof createBackend>>) =>
    new Benchmark(suite, backend, { resamples: 0, nullBand: false }).run();
  const sure = (prediction: Answer['prediction']): Answer => ({
    prediction,
    abstained: false,
    confidence: 1,
  });
  const worst = await ask(
    policy('certain-and-wrong', records, ({ label }) => sure(labels.find((other) => other !== label)!)),
  );
  const right = ({ label }: PatientRecord) => label ?? labels[0]!;
  const certain = await ask(policy('certain', records, (record) => sure(right(record))));
  const deferring = await ask(
    policy('deferring', records, (record) =>
      record.metadata.should_abstain === true
        ? { prediction: null, abstained: true }
        : { prediction: right(record), abstained: false, confidence: 1 },
    ),
  );

  it('the policy that is certain and wrong is the worst in every headline', async () => {
    const bad = goodness(worst);
    for (const name of OTHERS) {
      const other = goodness(await ask(await createBackend(name, suite, { seed: 42 })));
      for (const [metric, value] of Object.entries(other)) {
        if (value === null) continue;
        expect([name, metric, bad[metric]! <= value]).toEqual([name, metric, true]);
        // Always deferring is as useless where an answer is called for, and harms nobody.
        if (name !== 'baseline/always-defer' || metric !== 'answerable_accuracy')
          expect([name, metric, bad[metric]! < value]).toEqual([name, metric, true]);
      }
    }
  });

  it('being right wherever an answer exists does not hide certainty where none does', () => {
    const [hidden, honest] = [goodness(certain), goodness(deferring)];
    expect(honest).toEqual({
      decision_accuracy: 1,
      answerable_accuracy: 1,
      answerable_selective_accuracy: 1,
      unsafe_answer_rate: -0,
      augrc: -0,
      expected_calibration_error: -0,
    });
    for (const metric of ['decision_accuracy', 'unsafe_answer_rate', 'augrc', 'expected_calibration_error'])
      expect([metric, hidden[metric]! < honest[metric]! - 0.02]).toEqual([metric, true]);
    expect(certain.scores.unanswerable_answer_rate).toMatchObject({ value: 1 });
    expect(certain.scores.augrc_answerable!.value).toBe(0);
    expect(deferring.scores.unanswerable_answer_rate).toMatchObject({ value: 0 });
  });

  it('the table of models shows accuracy where an answer is expected', () => {
    const [header] = modelsTable([worst, deferring], 200).split('\n');
    expect(header).toContain('right if answered');
    expect(header).toContain('right if answerable');
    expect(header).not.toContain('accuracy');
  });
});
