import { describe, expect, it } from 'vitest';
import type { RowState } from '../core/row-state.ts';
import { FlowBuilder, type Outcomes } from './flow.ts';

const row = (state: RowState, should?: boolean, reasons?: readonly string[]) => ({
  state,
  metadata: {
    ...(should !== undefined && { should_abstain: should }),
    ...(reasons && { should_abstain_reasons: reasons }),
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
];
const suite = {
  sensitivity: 'synthetic',
  n_total_eval_records: 10,
  n_training_records: 20,
  excluded: { grey_course: 3, nobody: 0 },
};

function flowOf(of: readonly ReturnType<typeof row>[], given: Record<string, unknown> = suite, repeats = 1) {
  const builder = new FlowBuilder();
  for (const one of of) builder.add(one);
  return builder.finish({ suite: given, nRecords: of.length / repeats, repeats });
}

const STATES = ['answered', 'abstained', 'invalid', 'refused', 'failed', 'not_run'] as const;
const sum = (parts: readonly Outcomes[], key: keyof Outcomes) =>
  parts.reduce((total, part) => total + part[key], 0);

describe('flow of records', () => {
  const flow = flowOf(rows);

  it('adds up at every step', () => {
    const { records, asked } = flow;
    expect(records).toEqual({
      origin: 'generated',
      n: 33,
      training: 20,
      excluded: [{ name: 'grey_course', n: 3 }],
      evaluation: 10,
      notAsked: 3,
    });
    expect(records!.evaluation - records!.notAsked).toBe(asked);
    for (const key of ['n', ...STATES] as const) {
      expect(sum([flow.mustAnswer, flow.grey, flow.mustDefer], key)).toBe(flow.rows[key]);
      expect(sum(flow.reasons, key)).toBe(flow.mustDefer[key]);
    }
    for (const part of [flow.rows, flow.mustAnswer, flow.grey, flow.mustDefer, ...flow.reasons])
      expect(STATES.reduce((total, state) => total + part[state], 0)).toBe(part.n);
    expect(flow.rows.n).toBe(rows.length);
  });

  it('counts a row with several reasons once', () => {
    expect(flow.reasons.map(({ name, n }) => [name, n])).toEqual([
      ['child', 2],
      ['several reasons', 1],
      ['no reason stated', 1],
    ]);
  });

  it('counts rows, not records, where each record was asked several times', () => {
    const twice = flowOf([...rows, ...rows], suite, 2);
    expect([twice.asked, twice.repeats, twice.rows.n]).toEqual([7, 2, 14]);
  });

  it('begins with the records asked where the suite does not say how many it has', () => {
    expect(flowOf(rows, {}).records).toBeNull();
  });

  it('reads records left out as a list, too', () => {
    const { records } = flowOf(rows, { ...suite, excluded: [{ reason: 'grey_course', n: 3 }] });
    expect(records!.excluded).toEqual([{ name: 'grey_course', n: 3 }]);
  });
});
