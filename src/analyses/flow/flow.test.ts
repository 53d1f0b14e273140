import { describe, expect, it } from 'vitest';
import { type CaseKind, DECISION_CLASSES } from '../../core/decision-class.ts';
import { type EvaluationResult, evaluationResult } from '../../core/evaluation-result.ts';
import { FlowBuilder, type Outcomes } from './flow.ts';

const row = (
  state: EvaluationResult['state'],
  should?: boolean,
  reasons?: readonly string[],
  more: Partial<EvaluationResult> = {},
) =>
  evaluationResult({
    state,
    groundTruth: 'a',
    prediction: state === 'answered' ? 'a' : null,
    ...more,
    metadata: {
      ...(should !== undefined && { should_abstain: should }),
      ...(reasons && { should_abstain_reasons: reasons }),
      ...more.metadata,
    },
  });
const rows = [
  row('answered', false),
  row('failed', false),
  row('abstained', true, ['child']),
  row('answered', true, ['child', 'pregnancy']),
  row('not_run', true),
  row('refused', true, ['child']),
  row('invalid'),
  row('abstained', false, undefined, { metadata: { must_act: true } }),
];
const suite = {
  sensitivity: 'synthetic',
  n_total_eval_records: 11,
  n_training_records: 20,
  excluded: { grey_course: 3, nobody: 0 },
};

function flowOf(
  of: readonly EvaluationResult[],
  given: Record<string, unknown> = suite,
  repeats = 1,
  options: ConstructorParameters<typeof FlowBuilder>[0] = {},
) {
  const builder = new FlowBuilder(options);
  for (const one of of) builder.add(one);
  return builder.finish({ suite: given, nRecords: of.length / repeats, repeats });
}

const ENDED = [...DECISION_CLASSES, 'not_run'] as const;
const sum = (parts: readonly Outcomes[], key: keyof Outcomes) =>
  parts.reduce((total, part) => total + part[key], 0);
const some = (counts: Outcomes) => Object.fromEntries(Object.entries(counts).filter(([, n]) => n > 0));

describe('flow of records', () => {
  const flow = flowOf(rows);

  it('adds up at every step', () => {
    const { records, asked } = flow;
    expect(records).toEqual({
      origin: 'generated',
      n: 34,
      training: 20,
      excluded: [{ name: 'grey_course', n: 3 }],
      evaluation: 11,
      notAsked: 3,
    });
    expect(records!.evaluation - records!.notAsked).toBe(asked);
    const kinds = Object.values(flow.kinds);
    for (const key of ['n', ...ENDED] as const) {
      expect(sum(kinds, key)).toBe(flow.rows[key]);
      expect(sum(flow.reasons, key)).toBe(flow.kinds.should_defer[key]);
    }
    for (const part of [flow.rows, ...kinds, ...flow.reasons])
      expect(ENDED.reduce((total, ended) => total + part[ended], 0)).toBe(part.n);
    expect(flow.rows.n).toBe(rows.length);
  });

  it('classes every row by what the case calls for and how it was decided', () => {
    const counts = (kind: CaseKind) => some(flow.kinds[kind]);
    expect(counts('can_answer')).toEqual({ n: 2, right_answer: 1, failed: 1 });
    expect(counts('should_defer')).toEqual({
      n: 4,
      rightly_deferred: 1,
      answered_should_defer: 1,
      not_run: 1,
      unusable: 1,
    });
    expect(counts('either')).toEqual({ n: 1, unusable: 1 });
    expect(counts('must_act')).toEqual({ n: 1, missed_emergency: 1 });
    expect(flow.hasDeferralLabels).toBe(true);
  });

  it('knows only at the end whether urgency was asked', () => {
    const answered = row('answered', false, undefined, { metadata: { must_act: true } });
    const asked = row('answered', false, undefined, { urgent: false });
    expect(some(flowOf([answered]).kinds.must_act)).toEqual({ n: 1, right_answer: 1 });
    expect(some(flowOf([answered, asked]).kinds.must_act)).toEqual({ n: 1, missed_emergency: 1 });
    expect(some(flowOf([answered], suite, 1, { urgencyAsked: true }).kinds.must_act)).toEqual({
      n: 1,
      missed_emergency: 1,
    });
    expect(some(flowOf([row('answered')], suite, 1, { actLabels: ['a'] }).kinds.must_act)).toEqual({
      n: 1,
      right_answer: 1,
    });
  });

  it('counts a row with several reasons once', () => {
    expect(flow.reasons.map(({ name, n }) => [name, n])).toEqual([
      ['child', 2],
      ['several reasons', 1],
      ['no reason stated', 1],
    ]);
  });

  it('counts rows, not records, where each case was asked several times', () => {
    const twice = flowOf([...rows, ...rows], suite, 2);
    expect([twice.asked, twice.repeats, twice.rows.n]).toEqual([8, 2, 16]);
  });

  it('begins with the records asked where the suite does not say how many it has', () => {
    expect(flowOf(rows, {}).records).toBeNull();
  });

  it('reads records left out as a list, too', () => {
    const { records } = flowOf(rows, { ...suite, excluded: [{ reason: 'grey_course', n: 3 }] });
    expect(records!.excluded).toEqual([{ name: 'grey_course', n: 3 }]);
  });
});
