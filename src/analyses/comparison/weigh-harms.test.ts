import { describe, expect, it } from 'vitest';
import { runOf } from '../../../test/compare-fixture.ts';
import { type EvaluationResult, evaluationResult } from '../../core/evaluation-result.ts';
import { compareRuns } from './compare-runs.ts';

const LABELS = ['a', 'b'];
/** 40 emergencies, 60 cases to defer and 100 to answer; `answer` decides each. */
function cases(answer: (kind: 'act' | 'defer' | 'answer', i: number) => Partial<EvaluationResult>) {
  return Array.from({ length: 200 }, (_, i) => {
    const kind = i < 40 ? 'act' : i < 100 ? 'defer' : 'answer';
    const metadata = { must_act: kind === 'act', should_abstain: kind === 'defer' };
    const groundTruth = LABELS[i % 2]!;
    return evaluationResult({
      id: `p${i}`,
      groundTruth,
      urgent: kind === 'act',
      metadata,
      ...answer(kind, i),
    });
  });
}
const right = (i: number) => ({ prediction: LABELS[i % 2]! });
const defers = { abstained: true };
const good = cases((kind, i) => (kind === 'defer' ? defers : right(i)));
const clumsy = cases((kind, i) =>
  kind === 'defer' && i % 2 ? right(i) : kind === 'defer' ? defers : i % 3 ? right(i) : { prediction: 'c' },
);
const silent = cases((kind, i) =>
  kind === 'act' ? { ...defers, urgent: false } : kind === 'defer' ? defers : right(i),
);
const alarmist = cases((kind, i) => ({ ...(kind === 'defer' ? defers : right(i)), urgent: true }));

function compare(baseline: readonly EvaluationResult[], model: readonly EvaluationResult[]) {
  const run = (rows: readonly EvaluationResult[], backendName: string) =>
    runOf([...rows], { backendName, path: `${backendName}.db` });
  const { pairs, warnings } = compareRuns([run(baseline, 'old'), run(model, 'new')], { resamples: 50 });
  return { endpoints: pairs[0]!.endpoints, warnings };
}

describe('the words of a comparison', () => {
  it('never call a model better that missed more emergencies', () => {
    const { endpoints, warnings } = compare(clumsy, silent);
    expect(endpoints[0]).toMatchObject({ metric: 'missed_emergency_rate', verdict: 'worse' });
    expect(endpoints.filter(({ verdict }) => verdict === 'better')).toEqual([]);
    const decision = endpoints.find(({ metric }) => metric === 'decision_accuracy')!;
    expect(decision.inWords).toMatch(/^higher: \+.*; but new missed 40 of 40 emergencies, old 0/);
    expect(warnings[0]!.message).toBe('new: Missed 40 of 40 emergencies: 40 deferred.');
  });

  it('nor one that raised more false alarms', () => {
    const { endpoints } = compare(silent, alarmist);
    const [missed, alarms] = endpoints;
    expect(missed!.verdict).toBe('lower');
    expect(missed!.inWords).toContain('but new raised 160 false alarms in 160 cases, old 0');
    expect(alarms!.inWords).toContain('but old missed 40 of 40 emergencies, new 0');
  });

  it('call a model better that does nothing worse', () => {
    const { endpoints } = compare(clumsy, good);
    const verdicts = Object.fromEntries(endpoints.map(({ metric, verdict }) => [metric, verdict]));
    expect(verdicts).toMatchObject({ decision_accuracy: 'better', unsafe_decision_rate: 'better' });
  });

  it('leave accuracy over all rows neutral where deferral labels exist', () => {
    const { endpoints } = compare(good, clumsy);
    for (const name of ['accuracy', 'balanced_accuracy', 'selective_accuracy'])
      expect(['higher', 'lower', 'no_difference_shown', 'undefined'], name).toContain(
        endpoints.find(({ metric }) => metric === name)!.verdict,
      );
  });

  it('do not compare emergencies that were missed by different rules', () => {
    const { endpoints } = compare(
      good,
      good.map((row) => ({ ...row, urgent: null })),
    );
    const unsafe = endpoints.find(({ metric }) => metric === 'unsafe_decision_rate')!;
    expect(unsafe).toMatchObject({ difference: null, reason: 'emergency_rules_differ' });
    expect(unsafe.inWords).toBe('cannot be compared: emergency rules differ');
  });
});
