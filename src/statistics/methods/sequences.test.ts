import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { wilsonInterval } from '../proportions.ts';
import {
  meanEValue,
  meanSequence,
  pairedSequence,
  pairedVerdict,
  proportionEValue,
  proportionSequence,
  suiteEValue,
  suiteSequence,
} from './e-values.ts';
import { curtailedValueGate, rowsNeededAllRight, sequentialAlpha } from './early-stop-plan.ts';
import {
  createSequentialGate,
  finishedPrefix,
  patientMeans,
  type SequenceState,
  sequentialGate,
} from './sequential-gate.ts';

const counts = fc
  .integer({ min: 1, max: 300 })
  .chain((n) => fc.tuple(fc.integer({ min: 0, max: n }), fc.constant(n)));
const limits = fc.double({ min: 0.01, max: 0.99, noNaN: true });
const shares = fc.array(fc.constantFrom<number>(0, 0.2, 0.25, 0.5, 0.75, 0.8, 1), {
  minLength: 1,
  maxLength: 60,
});
const finished = fc.constantFrom<SequenceState>(
  'right',
  'right',
  'right',
  'right',
  'wrong',
  'abstained',
  'failed',
);
const walks = fc.array(finished, { minLength: 1, maxLength: 150 });
const GATE = { metric: 'accuracy', limit: 0.8, nTotal: 200 } as const;

describe('the evidence on a share', () => {
  it('is 1 without rows, and (1 + m) / 2m after one right row', () => {
    fc.assert(
      fc.property(limits, (m) => {
        expect(proportionEValue(0, 0, m)).toBe(1);
        expect(proportionEValue(1, 1, m)).toBeCloseTo((1 + m) / (2 * m), 9);
      }),
    );
  });

  it('falls in the limit and rises in the successes', () => {
    fc.assert(
      fc.property(counts, limits, limits, ([s, n], a, b) => {
        const [low, high] = [Math.min(a, b), Math.max(a, b)];
        expect(proportionEValue(s, n, low)!).toBeGreaterThanOrEqual(
          proportionEValue(s, n, high)! * (1 - 1e-9),
        );
        if (s < n) expect(proportionEValue(s + 1, n, a)!).toBeGreaterThanOrEqual(proportionEValue(s, n, a)!);
      }),
    );
  });

  it('has mean 1 at the limit, at any number of rows', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 60 }),
        fc.double({ min: 0.1, max: 0.95, noNaN: true }),
        (n, m) => {
          let [chance, mean] = [(1 - m) ** n, 0];
          for (let s = 0; s <= n; s++) {
            mean += chance * proportionEValue(s, n, m)!;
            chance *= ((n - s) / (s + 1)) * (m / (1 - m));
          }
          expect(mean).toBeCloseTo(1, 9);
        },
      ),
    );
  });

  it('has an end at limits 0 and 1', () => {
    expect(proportionEValue(0, 4, 0)).toBeCloseTo(1 / 5, 12);
    expect(proportionEValue(1, 4, 0)).toBe(Number.POSITIVE_INFINITY);
    expect(proportionEValue(4, 4, 1)).toBe(1);
    expect(proportionEValue(3, 4, 1, 'below')).toBe(Number.POSITIVE_INFINITY);
  });

  it.each([
    [2, 1, 0.5],
    [-1, 3, 0.5],
    [1, 3, 1.5],
    [1, 3, Number.NaN],
    [Number.NaN, 3, 0.5],
    [0.5, 3, 0.5],
  ])('is null for %s of %s at limit %s', (s, n, m) => {
    expect(proportionEValue(s, n, m)).toBeNull();
  });
});

describe('bounds that hold at all n', () => {
  it('enclose the share, mirror, and agree with the evidence at the limit', () => {
    fc.assert(
      fc.property(counts, limits, ([s, n], m) => {
        const [lower, upper] = proportionSequence(s, n)!;
        expect(lower).toBeLessThanOrEqual(s / n);
        expect(upper).toBeGreaterThanOrEqual(s / n);
        const [other, another] = proportionSequence(n - s, n)!;
        expect(1 - another).toBeCloseTo(lower, 10);
        expect(1 - other).toBeCloseTo(upper, 10);
        if (Math.abs(lower - m) > 1e-9) expect(lower >= m).toBe(proportionEValue(s, n, m)! >= 40);
      }),
    );
  });

  it("contain Wilson's interval from 30 rows on", () => {
    for (const n of [30, 31, 57, 100, 400, 1000])
      for (let s = 0; s <= n; s++) {
        const [lower, upper] = proportionSequence(s, n)!;
        const [from, to] = wilsonInterval(s, n)!;
        expect(lower).toBeLessThanOrEqual(from + 1e-9);
        expect(upper).toBeGreaterThanOrEqual(to - 1e-9);
      }
  });

  it('of a mean enclose it, mirror, do not depend on order, and come close to those of a share on 0 and 1', () => {
    fc.assert(
      fc.property(shares, (values) => {
        const [lower, upper] = meanSequence(values)!;
        const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
        expect(lower).toBeLessThanOrEqual(mean + 1e-9);
        expect(upper).toBeGreaterThanOrEqual(mean - 1e-9);
        expect(meanSequence(values.map((value) => 1 - value))![0]).toBeCloseTo(1 - upper, 9);
        expect(meanSequence([...values].reverse())![0]).toBeCloseTo(lower, 9);
      }),
      { numRuns: 40 },
    );
    const values = Array.from({ length: 1000 }, (_, i) => (i % 16 === 0 ? 0 : 1));
    expect(meanSequence(values)![0]).toBeCloseTo(proportionSequence(937, 1000)![0], 3);
  });

  it('are null without values, and for values outside [0, 1]', () => {
    expect([proportionSequence(0, 0), meanSequence([]), pairedSequence([], [])]).toEqual([null, null, null]);
    expect(meanSequence([0.5, 1.2])).toBeNull();
    expect(meanSequence([0.5, Number.NaN])).toBeNull();
    expect(pairedSequence([1], [1, 0])).toBeNull();
    expect(pairedVerdict([], [], { margin: 0.05 })).toBeNull();
  });

  it('of pairs are those of the models exchanged, turned round', () => {
    fc.assert(
      fc.property(shares, (a) => {
        const b = [...a].reverse().map((value) => 1 - value / 2);
        const [lower, upper] = pairedSequence(a, b)!;
        const [from, to] = pairedSequence(b, a)!;
        expect(lower).toBeCloseTo(-to, 9);
        expect(upper).toBeCloseTo(-from, 9);
      }),
      { numRuns: 40 },
    );
  });
});

describe('the evidence on a mean', () => {
  it('is infinite at limit 0 once a value is positive, and 1 before', () => {
    expect([meanEValue([0, 0], 0), meanEValue([0, 0.1], 0)]).toEqual([1, Number.POSITIVE_INFINITY]);
  });

  it('is what the evidence on a suite tends to as the suite grows', () => {
    fc.assert(
      fc.property(shares, fc.double({ min: 0.05, max: 0.95, noNaN: true }), (values, m) => {
        const whole = suiteEValue(values, m, 100_000_000)!;
        expect(Math.abs(Math.log(whole / meanEValue(values, m)!))).toBeLessThan(1e-3);
      }),
      { numRuns: 40 },
    );
  });

  it('on a suite knows what the rows left cannot change', () => {
    expect(suiteEValue([1, 1, 1], 0.5, 4)).toBe(Number.POSITIVE_INFINITY);
    expect(suiteEValue([0, 0, 0], 0.5, 4)).toBeLessThan(1);
    expect(suiteSequence([1, 1, 0, 1], 4)!.map((bound) => bound.toFixed(6))).toEqual([
      '0.750000',
      '0.750000',
    ]);
    expect(suiteEValue([1, 1], 0.5, 1)).toBeNull();
  });
});

describe('a gate that is looked at after every row', () => {
  it('passes a model at the limit in at most 2.5 % of runs, over all paths', () => {
    for (const limit of [0.8, 0.9, 0.95]) {
      // chance[s]: the chance of s right rows without a pass so far
      let chance = [1];
      let passed = 0;
      for (let n = 1; n <= 400; n++) {
        const next = Array.from({ length: n + 1 }, (_, s) => {
          return (chance[s] ?? 0) * (1 - limit) + (chance[s - 1] ?? 0) * limit;
        });
        for (let s = n; s >= 0 && n >= 30 && proportionEValue(s, n, limit)! >= 40; s--) {
          passed += next[s]!;
          next[s] = 0;
        }
        chance = next;
      }
      expect(passed).toBeGreaterThan(0.008);
      expect(passed).toBeLessThanOrEqual(0.025);
    }
  });

  it('keeps its verdict when rows are appended', () => {
    fc.assert(
      fc.property(walks, walks, (states, more) => {
        const before = sequentialGate(states, GATE)!;
        if (before.status === 'undecided') return;
        expect(sequentialGate([...states, ...more], GATE)).toEqual(before);
        expect(sequentialGate([...states, 'pending', ...more], GATE)).toEqual(before);
      }),
    );
  });

  it('never turns a pass into a failure, or back, when failed rows are answered', () => {
    fc.assert(
      fc.property(walks, fc.constantFrom('right', 'wrong'), (states, answer) => {
        const verdicts = [states, states.map((state) => (state === 'failed' ? answer : state))].map(
          (given) => sequentialGate(given as SequenceState[], GATE)!.status,
        );
        expect(verdicts).not.toEqual(['pass', 'fail_shown']);
        expect(verdicts).not.toEqual(['fail_shown', 'pass']);
      }),
    );
  });

  it('gives up as soon as the rows left cannot repair it, as a full run would', () => {
    fc.assert(
      fc.property(fc.array(fc.boolean(), { minLength: 60, maxLength: 60 }), (rights) => {
        const states = rights.map((isRight) => (isRight ? 'right' : 'wrong'));
        const { status, rowsLookedAt } = sequentialGate(states, { ...GATE, nTotal: 60 })!;
        if (status !== 'fail_unreachable') return;
        const best = states.map((state, i) => (i < rowsLookedAt ? state : 'right'));
        expect(sequentialGate(best, { ...GATE, nTotal: 60 })!.status).toBe('fail_unreachable');
        expect(proportionEValue(best.filter((state) => state === 'right').length, 60, 0.8)!).toBeLessThan(40);
      }),
    );
  });

  it('is undecided at the end when failed rows decide', () => {
    const states: SequenceState[] = Array.from({ length: 60 }, (_, i) => (i < 4 ? 'failed' : 'right'));
    const options = { metric: 'accuracy', limit: 0.9, nTotal: 60 } as const;
    expect(sequentialGate(states, options)).toMatchObject({
      status: 'undecided',
      rowsLookedAt: 60,
      nFailed: 4,
    });
    const wrong = states.map((state) => (state === 'failed' ? 'wrong' : state));
    expect(sequentialGate(wrong, options)!.status).toBe('fail_unreachable');
  });

  it('decides nothing before min_n, and nothing without rows', () => {
    const right: SequenceState[] = Array.from({ length: 40 }, () => 'right');
    expect(sequentialGate(right, { ...GATE, limit: 0.5 })!.rowsLookedAt).toBe(30);
    expect(sequentialGate(right, { ...GATE, limit: 0.5, minN: 1 })!.rowsLookedAt).toBe(8);
    expect(sequentialGate([], GATE)).toMatchObject({ status: 'undecided', rowsLookedAt: 0, lower: null });
    expect(sequentialGate(right, { ...GATE, metric: 'kappa' as never })).toBeNull();
  });

  it('takes means of patients, and a suite as a whole', () => {
    const means = createSequentialGate({ limit: 0.7, nTotal: 100, evidence: 'mean' });
    for (let i = 0; i < 100; i++) means.add({ low: i % 2 ? 1 : 0.8, high: i % 2 ? 1 : 0.8 });
    expect(means.verdict()).toMatchObject({ status: 'pass', rowsLookedAt: 30 });
    const whole = createSequentialGate({ limit: 0.9, nTotal: 40, evidence: 'suite' });
    for (let i = 0; i < 40; i++) whole.add({ low: i % 10 ? 1 : 0, high: i % 10 ? 1 : 0 });
    expect(whole.verdict()).toMatchObject({ status: 'pass', rowsLookedAt: 40, value: 0.9 });
    const lost = createSequentialGate({ limit: 0.9, nTotal: 40, evidence: 'suite' });
    for (let i = 0; i < 5; i++) lost.add({ low: 0, high: 0 });
    expect(lost.verdict()).toMatchObject({ status: 'fail_unreachable', rowsLookedAt: 5 });
  });

  it('looks at 100,000 rows in seconds', () => {
    const gate = createSequentialGate({ limit: 0.9, nTotal: 100_000 });
    const start = performance.now();
    for (let i = 0; i < 100_000; i++) gate.add({ low: i % 10 ? 1 : 0, high: i % 10 ? 1 : 0 });
    expect(gate.verdict().status).toBe('fail_unreachable');
    expect(performance.now() - start).toBeLessThan(20_000);
  });
});

it('counts the rows before a pending one, and means of patients in their order', () => {
  expect(finishedPrefix([])).toBe(0);
  expect(finishedPrefix(['pending', 'right'])).toBe(0);
  expect(patientMeans([], [])).toEqual([]);
  expect(patientMeans(['a', 'b', 'a'], [null, 0, 1])).toEqual([1, 0]);
});

it('knows the fewest rows of a pass', () => {
  expect([0.8, 0.85, 0.9, 0.95, 0.98, 0.99].map((limit) => rowsNeededAllRight(limit))).toEqual([
    24, 33, 51, 105, 266, 535,
  ]);
  expect([rowsNeededAllRight(0), rowsNeededAllRight(1)]).toEqual([1, null]);
  fc.assert(
    fc.property(limits, (m) => {
      const n = rowsNeededAllRight(m)!;
      expect(proportionEValue(n, n, m)!).toBeGreaterThanOrEqual(40 * (1 - 1e-9));
      expect(proportionEValue(n - 1, n - 1, m)!).toBeLessThan(40 * (1 + 1e-9));
    }),
  );
});

it('divides the error over models and gates', () => {
  expect(sequentialAlpha({ nModels: 2, nGates: 2 })).toBeCloseTo(0.00625, 12);
  expect(sequentialAlpha({ nModels: 2, nGates: 2 }, { claim: 'release' })).toBeCloseTo(0.0125, 12);
  expect(sequentialAlpha({ nModels: 0, nGates: 2 })).toBeNull();
});

it('decides a plain value only when the rows left cannot change it', () => {
  expect(curtailedValueGate({ right: 0, wrong: 0, rest: 0, limit: 0.5 })).toBeNull();
  fc.assert(
    fc.property(fc.nat(50), fc.nat(50), fc.nat(50), limits, (right, wrong, rest, limit) => {
      const verdict = curtailedValueGate({ right, wrong, rest, limit });
      if (verdict === null) return;
      for (let more = 0; more <= rest; more++) {
        const value = (right + more) / (right + wrong + rest);
        expect(value >= limit - 1e-9).toBe(verdict === 'pass');
      }
    }),
  );
});
