import { describe, expect, it } from 'vitest';
import { ClusterSimulation, type Design } from '../../test/cluster-simulation.ts';
import { minutes, rounds } from '../../test/torture/rounds.ts';
import { clusterNonInferiority } from './cluster-non-inferiority.ts';
import { clusteredShare } from './clustered-share.ts';

/** `npm run torture` simulates every cell of the table in docs/intervals.md with 4,000 replicates; `npm test` a few with 400. */
const isThorough = rounds(1) > 1;
const REPLICATES = isThorough ? 4000 : 400;
const POWER_REPLICATES = isThorough ? 2000 : 400;
const TIMEOUT = minutes(1);

type Range = readonly [number, number];

/** Error rates of the ruling, simulated there with 4,000 replicates: the smallest and the largest over all cells of a design. */
const TABLE: readonly {
  readonly clusters: number;
  readonly size: number;
  readonly typeOne: Range;
  readonly power: number;
  /** The largest share of intervals above the true share, by that share. */
  readonly above: Readonly<Record<number, number>>;
  readonly below: Range;
  readonly coverage: Range;
}[] = [
  {
    clusters: 13,
    size: 4,
    typeOne: [0, 0.004],
    power: 0.08,
    above: { 0.5: 0.019, 0.9: 0, 0.97: 0 },
    below: [0.013, 0.035],
    coverage: [0.963, 0.982],
  },
  {
    clusters: 25,
    size: 4,
    typeOne: [0, 0.019],
    power: 0.42,
    above: { 0.5: 0.021, 0.9: 0, 0.97: 0 },
    below: [0.014, 0.032],
    coverage: [0.957, 0.979],
  },
  {
    clusters: 50,
    size: 8,
    typeOne: [0.004, 0.026],
    power: 0.91,
    above: { 0.5: 0.026, 0.9: 0.03, 0.97: 0.011 },
    below: [0.019, 0.034],
    coverage: [0.944, 0.967],
  },
];

/** Three standard errors of a simulated rate; the table rounds to three decimals. */
const tolerance = (rate: number, replicates: number) =>
  3 * Math.sqrt((rate * (1 - rate)) / replicates) + 0.0005;

function expectWithin(rate: number, [least, most]: Range, replicates: number): void {
  expect(rate).toBeGreaterThanOrEqual(least - tolerance(least, replicates));
  expect(rate).toBeLessThanOrEqual(most + tolerance(most, replicates));
}

/** Every cell has random numbers of its own. */
function simulate({ clusters, size, icc }: Design, ...cell: readonly number[]): ClusterSimulation {
  const numbers = [clusters, size, icc, ...cell].map((number) => Math.round(1000 * number));
  return new ClusterSimulation(numbers.reduce((seed, number) => (31 * seed + number) % 2 ** 31, 7));
}

/** How often a candidate passes whose true difference from the reference is given. */
function passRate(
  design: Design,
  { discordant, difference, margin }: { discordant: number; difference: number; margin: number },
  replicates: number,
): number {
  const simulation = simulate(design, discordant, difference, margin);
  const clusters = ClusterSimulation.clusterOf(design);
  const chances = [(discordant + difference) / 2, (discordant - difference) / 2, 1 - discordant];
  let passed = 0;
  for (let r = 0; r < replicates; r++) {
    const differences = Float64Array.from(simulation.draw(design, chances), (kind) => [1, -1, 0][kind]!);
    if (clusterNonInferiority(differences, clusters, { margin }).status === 'pass') passed += 1;
  }
  return passed / replicates;
}

/** How often an interval lies above, and below, the true share. */
function missRates(design: Design, share: number): { above: number; below: number } {
  const simulation = simulate(design, share);
  const clusters = ClusterSimulation.clusterOf(design);
  let [above, below] = [0, 0];
  for (let r = 0; r < REPLICATES; r++) {
    const [lower, upper] = clusteredShare(simulation.draw(design, [1 - share, share]), clusters).interval!;
    if (lower > share) above += 1;
    if (upper < share) below += 1;
  }
  return { above: above / REPLICATES, below: below / REPLICATES };
}

describe.each(TABLE)('$clusters clusters of $size', (row) => {
  const { clusters, size } = row;

  it(
    'the gate passes a model that is worse by the margin as rarely as the table says',
    () => {
      const rates = [0.05, 0.1, 0.2].flatMap((discordant) =>
        [0.05, 0.1].flatMap((margin) =>
          // No two models differ by more than the share of records on which they differ.
          (margin > discordant ? [] : isThorough ? [0, 0.1, 0.3] : [0.1]).map((icc) =>
            passRate({ clusters, size, icc }, { discordant, difference: -margin, margin }, REPLICATES),
          ),
        ),
      );
      for (const rate of rates) expectWithin(rate, row.typeOne, REPLICATES);
      if (isThorough) {
        const most = row.typeOne[1];
        expect(Math.abs(Math.max(...rates) - most)).toBeLessThanOrEqual(tolerance(most, REPLICATES));
      }
    },
    TIMEOUT,
  );

  it(
    'the gate passes a model that is as good as often as the table says',
    () => {
      const rate = passRate(
        { clusters, size, icc: 0.1 },
        { discordant: 0.2, difference: 0, margin: 0.1 },
        POWER_REPLICATES,
      );
      expectWithin(rate, [row.power, row.power], POWER_REPLICATES);
    },
    TIMEOUT,
  );

  it.each([0.5, 0.9, 0.97])(
    'intervals of a share of %d miss it as rarely as the table says',
    (share) => {
      // Many clusters are resampled, which takes a millisecond each.
      const iccs = isThorough ? [0, 0.1, 0.3, 0.6] : clusters < 50 ? [0.1, 0.6] : [0.3];
      const rates = iccs.map((icc) => missRates({ clusters, size, icc }, share));
      const most = row.above[share]!;
      for (const { above, below } of rates) {
        expectWithin(above, [0, most], REPLICATES);
        expectWithin(below, row.below, REPLICATES);
        const [least, covered] = [row.coverage[0], 1 - above - below];
        expect(covered).toBeGreaterThanOrEqual(least - tolerance(least, REPLICATES));
        // Covering more often is no error; the table is simulated too, so the difference has the error of both.
        const more = Math.SQRT2 * tolerance(row.coverage[1], REPLICATES);
        expect(covered).toBeLessThanOrEqual(row.coverage[1] + more);
      }
      if (isThorough) {
        const largest = Math.max(...rates.map(({ above }) => above));
        expect(Math.abs(largest - most)).toBeLessThanOrEqual(tolerance(most, REPLICATES));
      }
    },
    TIMEOUT,
  );
});
