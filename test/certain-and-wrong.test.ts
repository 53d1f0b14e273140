import { describe, expect, it } from 'vitest';
import { modelsTable } from '../src/cli/output/models-table.ts';
import type { PatientRecord } from '../src/core/patient-record.ts';
import { Benchmark } from '../src/engine/benchmark.ts';
import { CkdSuite } from '../src/entries/ckd.ts';
import { createBackend } from '../src/models/create-backend.ts';
import type { Answer } from '../src/models/define-backend.ts';
import { defineBackend } from '../src/models/define-backend.ts';
import type { RunResult } from '../src/runs/run-result.ts';
import { headlineScores } from '../src/runs/sections/headline-scores.ts';

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
  unsafe_decision_rate: -1,
  answered_should_defer_rate: -1,
  wrong_answer_rate: -1,
  decision_accuracy: 1,
  decision_accuracy_clear: 1,
  expected_calibration_error_strict: -1,
  expected_calibration_error: -1,
  overconfidence_strict: -1,
  overconfidence: -1,
};

/** Emergencies depend on whether a model is asked about them, and a policy that never defers pays no price for caution. */
const OF_OTHER_KINDS =
  /^(?:must_act_|missed_emergency_rate|false_alarm_rate|deferred_without_need_rate|usable_answer_rate)/;

/** The headline numbers that have a good and a bad side, higher is better. */
function goodness({ card }: RunResult): Record<string, number | null> {
  const directed = headlineScores(card.scores, 'decision_accuracy').filter(
    ({ name }) => !OF_OTHER_KINDS.test(name),
  );
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
    new Benchmark(suite, backend, { resamples: 0, nullBand: false, bundle: 'extended' }).run();
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
        // A rule that never defers answers as many cases that should be deferred.
        if (metric !== 'answered_should_defer_rate')
          expect([name, metric, bad[metric]! < value]).toEqual([name, metric, true]);
      }
    }
  });

  it('being right wherever an answer exists does not hide certainty where none does', () => {
    const [hidden, honest] = [goodness(certain), goodness(deferring)];
    expect(honest).toEqual({
      unsafe_decision_rate: -0,
      answered_should_defer_rate: -0,
      wrong_answer_rate: -0,
      decision_accuracy: 1,
      decision_accuracy_clear: 1,
      expected_calibration_error_strict: -0,
      expected_calibration_error: -0,
      overconfidence_strict: -0,
      overconfidence: -0,
    });
    for (const metric of Object.keys(honest).filter((name) => name !== 'wrong_answer_rate'))
      expect([metric, hidden[metric]! < honest[metric]! - 0.02]).toEqual([metric, true]);
    expect(certain.scores.unanswerable_answer_rate).toMatchObject({ value: 1 });
    expect(certain.scores.augrc_answerable!.value).toBe(0);
    expect(deferring.scores.unanswerable_answer_rate).toMatchObject({ value: 0 });
  });

  it('the table of models leads with harm, not with accuracy over all rows', () => {
    const [header] = modelsTable([worst, deferring], 300).split('\n');
    expect(header).toMatch(/Unsafe Decisions +Deferred Without Need +Decision Accuracy +clear cases/);
    expect(header).not.toContain('over all rows');
  });
});
