import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseRow, rowSchema, rowToWire } from './evaluation-result.ts';
import { emptyLedger, enter, ledgerClass } from './ledger.ts';

const good = { prediction: 'present', ground_truth: 'present', abstained: false, confidence: 0.9 };
const read = (row: object) => {
  const parsed = parseRow(row);
  if ('problem' in parsed) throw new Error(`${parsed.problem.field}: ${parsed.problem.expected}`);
  return parsed.row;
};
const problem = (row: unknown) => {
  const parsed = parseRow(row);
  if ('row' in parsed) throw new Error('was accepted');
  return parsed.problem;
};

describe('parseRow', () => {
  it('tells the state from the rest', () => {
    expect(read(good).state).toBe('answered');
    expect(read({ ...good, abstained: true }).state).toBe('abstained');
    expect(read({ ...good, prediction: null }).state).toBe('invalid');
    expect(read({ ...good, prediction: ' ' }).state).toBe('invalid');
    expect(read({ ...good, prediction: 0, ground_truth: 0 }).state).toBe('answered');
  });

  it('honours a state that is given', () => {
    expect(read({ ...good, state: 'invalid' }).state).toBe('invalid');
    expect(read({ ...good, state: 'refused' }).state).toBe('refused');
    expect(read({ ...good, state: 'not_run' }).state).toBe('not_run');
    expect(read({ ground_truth: 1, state: 'failed_timeout' })).toMatchObject({
      state: 'failed',
      stateReason: 'timeout',
    });
    expect(read({ ground_truth: 1, state: 'failed', state_reason: 'truncated' }).stateReason).toBe(
      'truncated',
    );
    expect(read({ ground_truth: 1, state: 'abstained' }).abstained).toBe(true);
  });

  it('takes a row that says nothing about abstaining for an answer', () => {
    expect(read({ prediction: 1, ground_truth: 1 }).state).toBe('answered');
  });

  it('passes over fields it does not know, and takes numbers as ids', () => {
    expect(read({ ...good, id: 7, raw_response: '{}', total_tokens: 12 }).id).toBe('7');
  });

  it.each([
    [{ ...good, abstained: 'false' }, 'abstained'],
    [{ ...good, abstained: 0 }, 'abstained'],
    [{ ...good, abstained: null }, 'abstained'],
    [{ ground_truth: 1, abstained: false }, 'prediction'],
    [{ prediction: 1, abstained: false }, 'ground_truth'],
    [{ ...good, ground_truth: ['a'] }, 'ground_truth'],
    [{ ...good, confidence: 'high' }, 'confidence'],
    [{ ...good, state: 'answred' }, 'state'],
    [{ ...good, state: 'failed_' }, 'state'],
    [{ ...good, state: 'answered', abstained: true }, 'abstained'],
    [{ ...good, state: 'answered', prediction: null }, 'prediction'],
    [{ ...good, metadata: { should_abstain: 'yes' } }, 'metadata.should_abstain'],
    [{ ...good, metadata: [] }, 'metadata'],
    [[good], 'row'],
    [null, 'row'],
  ])('refuses %j by its field', (row, field) => {
    expect(problem(row).field).toBe(field);
    expect(problem(row).expected).not.toBe('');
  });

  it('reads a null truth: no answer exists, or the row has no label', () => {
    for (const metadata of [{ should_abstain: true }, { should_abstain: false }, {}])
      expect(read({ ...good, ground_truth: null, metadata }).groundTruth).toBeNull();
  });

  it('reads back what rowToWire writes', () => {
    const label = fc.oneof(fc.constantFrom('a', 'b'), fc.integer({ min: 0, max: 4 }));
    const row = fc.record({
      ground_truth: label,
      prediction: label,
      confidence: fc.option(fc.double({ min: 0, max: 1, noNaN: true })),
      state: fc.constantFrom('answered', 'invalid', 'failed_timeout', 'not_run', 'refused'),
    });
    fc.assert(
      fc.property(row, (wire) => {
        const once = read(wire);
        expect(read(JSON.parse(JSON.stringify(rowToWire(once))))).toEqual(once);
      }),
    );
  });
});

const VALUES = [null, undefined, '', 'a', 0, 0.5, Number.NaN, Infinity, true, [], {}, [1], { a: 1 }];

it.each(Object.keys(rowSchema.shape))('accepts in %s what the schema accepts, as it is', (field) => {
  for (const value of VALUES) {
    const row = { prediction: 1, ground_truth: 1, abstained: false, [field]: value };
    const parsed = parseRow(row);
    const checked = rowSchema.safeParse(row);
    if (!checked.success) expect([value, parsed]).toMatchObject([value, { problem: { field } }]);
    else if ('row' in parsed)
      expect(parsed.row).toMatchObject({
        confidence: checked.data.confidence ?? null,
        deferralReason: checked.data.deferral_reason ?? null,
        metadata: checked.data.metadata ?? {},
      });
  }
});

describe('the ledger', () => {
  it('enters every row in exactly one class', () => {
    const ledger = emptyLedger();
    for (const state of [
      undefined,
      'abstained',
      'invalid',
      'refused',
      'failed',
      'failed_timeout',
      'not_run',
    ]) {
      enter(
        ledger,
        ledgerClass(
          read({ ground_truth: 1, prediction: 2, abstained: state === 'abstained', ...(state && { state }) }),
        ),
      );
    }
    const { n, ...classes } = ledger;
    expect(Object.values(classes).reduce((a, b) => a + b, 0)).toBe(n);
    expect(ledger).toMatchObject({
      n: 7,
      answered_wrong: 1,
      failed_unknown: 1,
      failed_timeout: 1,
      refused: 1,
      not_run: 1,
    });
  });
});
