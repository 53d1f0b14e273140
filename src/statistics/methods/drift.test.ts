import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRandom } from '../random.ts';
import { controlChart, controlLimits } from './control-chart.ts';
import { comparableRuns, driftAlpha, driftTest, fewestFlips, flipTable } from './drift.ts';

it('spends alpha over all looks together', () => {
  let spent = 0;
  for (let look = 1; look <= 100_000; look++) spent += driftAlpha(look);
  expect(spent).toBeLessThanOrEqual(0.05);
  expect(spent).toBeCloseTo(0.05, 5);
  expect(() => driftAlpha(0)).toThrow(expect.objectContaining({ code: 'ERR_ARGUMENT' }));
});

describe('driftTest', () => {
  it('is symmetric up to the direction', () => {
    const count = fc.nat({ max: 60 });
    fc.assert(
      fc.property(count, count, fc.integer({ min: 1, max: 30 }), (lost, gained, look) => {
        const one = driftTest({ lost, gained, look });
        const other = driftTest({ lost: gained, gained: lost, look });
        expect(other.p).toBe(one.p);
        expect(other.signal).toBe(one.signal);
        if (one.signal) expect(other.direction).not.toBe(one.direction);
      }),
    );
  });

  it('signals exactly from the fewest flips on', () => {
    for (let look = 1; look <= 40; look++) {
      const flips = fewestFlips(look);
      expect(driftTest({ lost: flips, gained: 0, look }).signal).toBe(true);
      expect(driftTest({ lost: flips - 1, gained: 0, look }).signal).toBe(false);
    }
  });
});

it('raises a false alarm within twelve looks less often than stated', () => {
  // Nothing changes: every record keeps its own chance of a right answer, and the reference is as noisy as later runs.
  const random = createRandom(11);
  let [alarms, careless] = [0, 0];
  for (let series = 0; series < 300; series++) {
    const chances = Array.from({ length: 200 }, () => 0.5 + random.float() / 2);
    const answers = () => chances.map((chance) => random.float() < chance);
    const reference = answers();
    let [isAlarm, isCareless] = [false, false];
    for (let look = 1; look <= 12; look++) {
      const later = answers();
      const lost = reference.filter((right, i) => right && !later[i]).length;
      const gained = later.filter((right, i) => right && !reference[i]).length;
      const { p, signal } = driftTest({ lost, gained, look });
      isAlarm ||= signal;
      isCareless ||= p <= 0.05;
    }
    alarms += Number(isAlarm);
    careless += Number(isCareless);
  }
  expect(alarms / 300).toBeLessThanOrEqual(0.05);
  expect(careless / 300).toBeGreaterThan(0.1);
});

it('leaves a record that failed in one run out of the pairing', () => {
  const right = { decision: 'a', right: true };
  const wrong = { decision: 'b', right: false };
  expect(flipTable([right, null, right], [wrong, right, right])).toEqual({
    n: 2,
    lost: 1,
    gained: 0,
    changed: 1,
    churn: 0.5,
  });
  expect(flipTable([null], [right])).toBeNull();
});

describe('a control chart', () => {
  it('has action limits outside the warning limits, around the reference', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 2000 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (n, share) => {
          const { centre, warning, action } = controlLimits(Math.round(n * share), n)!;
          expect(action[0]).toBeLessThanOrEqual(warning[0]);
          expect(warning[0]).toBeLessThanOrEqual(centre);
          expect(centre).toBeLessThanOrEqual(warning[1]);
          expect(warning[1]).toBeLessThanOrEqual(action[1]);
        },
      ),
    );
  });

  it('counts two of three on the same side only', () => {
    expect(controlChart(452, 500, [427, 470, 427, 452, 452, 427])).toEqual([
      'warning',
      'warning',
      'two_of_three',
      'in',
      'in',
      'warning',
    ]);
    expect(controlLimits(0, 0)).toBeNull();
    expect(controlChart(0, 0, [])).toBeNull();
  });
});

it('names what differs and what neither run knows', () => {
  const known = {
    suiteHash: 'a',
    arm: 'natural',
    model: 'm',
    promptHash: 'p',
    schemaHash: 's',
    sampling: { temperature: 0, topP: null },
    batchSize: 1,
    repeats: 1,
    tools: [],
    parserVersion: '3',
  };
  expect(comparableRuns(known, { ...known, sampling: { topP: null, temperature: 0 } }).comparable).toBe(true);
  expect(comparableRuns({ ...known, arm: null }, { ...known, arm: undefined, batchSize: 8 })).toEqual({
    comparable: false,
    differs: ['batchSize'],
    unknown: ['arm'],
  });
  expect(comparableRuns({ ...known, promptHash: null }, known).differs).toEqual(['promptHash']);
});
