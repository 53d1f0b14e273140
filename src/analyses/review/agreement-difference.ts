import { z } from 'zod';
import { count, type Shape } from '../../core/codec.ts';
import { percentileInterval } from '../../statistics/bootstrap.ts';
import { createRandom } from '../../statistics/random.ts';

/** Two people and the judge on one item. */
export interface TripleRated {
  readonly people: readonly [string, string];
  readonly judge: string;
  readonly question: string;
}

const sideBySideSchema = z.object({
  people: z.number().nullable(),
  /** The mean of the judge against the one and against the other. */
  judge: z.number().nullable(),
  /** Judge minus people. */
  difference: z.number().nullable(),
  /** By a bootstrap over questions that draws the same questions for both; null where resamples do not vary or are undefined. */
  lower: z.number().nullable(),
  upper: z.number().nullable(),
});
export const agreementDifferenceSchema = z.object({
  n: count,
  nQuestions: count,
  kappa: sideBySideSchema,
  ac1: sideBySideSchema,
  resamples: z.number(),
});
const RESAMPLES = 2000;

/**
 * How far the judge agrees with people beside how far people agree with each other. The judge is compared with each rater alone, as they are with each other: against labels that both
 * agree on, or that were ruled on, it would look better than any person can. Null without items.
 */
export function agreementDifference(
  items: readonly TripleRated[],
  { categories, level, seed }: { categories: readonly string[]; level: number; seed: number },
): Shape<typeof agreementDifferenceSchema> | null {
  if (items.length === 0) return null;
  const names = [...new Set([...categories, ...items.flatMap(({ people, judge }) => [...people, judge])])];
  const groups = [...Map.groupBy(items, ({ question }) => question).values()];
  const tables = groups.map((group) => countTables(group, names));
  const random = createRandom(seed, 'judgeAgreement');
  const drawn = Array.from({ length: RESAMPLES }, () =>
    computeValues(addTables(tables.map(() => tables[random.integer(tables.length)]!)), names.length),
  );
  const whole = computeValues(addTables(tables), names.length);
  const sideBySide = (name: 'kappa' | 'ac1'): Shape<typeof sideBySideSchema> => {
    const interval = percentileInterval(
      drawn.map((resample) => resample[name].difference),
      level,
    );
    const isPoint = interval === null || interval[0] === interval[1];
    return { ...whole[name], lower: isPoint ? null : interval[0], upper: isPoint ? null : interval[1] };
  };
  return {
    n: items.length,
    nQuestions: groups.length,
    kappa: sideBySide('kappa'),
    ac1: sideBySide('ac1'),
    resamples: RESAMPLES,
  };
}

function computeValues(tables: Float64Array, size: number) {
  const found = [0, 1, 2].map((t) => coefficients(tables, t * size * size, size));
  const of = (name: 'kappa' | 'ac1') => {
    const [people, one, other] = found.map((values) => values[name]) as [
      number | null,
      number | null,
      number | null,
    ];
    const judge = one === null || other === null ? null : (one + other) / 2;
    return { people, judge, difference: judge === null || people === null ? null : judge - people };
  };
  return { kappa: of('kappa'), ac1: of('ac1') };
}

/** Cohen's kappa and Gwet's AC1 of a table, without the intervals that a resample has no use for. */
function coefficients(tables: Float64Array, start: number, size: number) {
  const rows = new Float64Array(size);
  const columns = new Float64Array(size);
  let [n, agreeing] = [0, 0];
  for (let i = 0; i < size; i++)
    for (let j = 0; j < size; j++) {
      const count = tables[start + i * size + j]!;
      rows[i]! += count;
      columns[j]! += count;
      n += count;
      if (i === j) agreeing += count;
    }
  let [byKappa, byAc1] = [0, 0];
  for (let k = 0; k < size; k++) {
    const [p, q] = [rows[k]! / n, columns[k]! / n];
    byKappa += p * q;
    byAc1 += (((p + q) / 2) * (1 - (p + q) / 2)) / (size - 1);
  }
  const beyond = (expected: number) =>
    1 - expected < 1e-12 ? null : (agreeing / n - expected) / (1 - expected);
  return { kappa: beyond(byKappa), ac1: beyond(byAc1) };
}

function countTables(items: readonly TripleRated[], names: readonly string[]): Float64Array {
  const size = names.length;
  const tables = new Float64Array(3 * size * size);
  for (const { people, judge } of items) {
    const [a, b, j] = [names.indexOf(people[0]), names.indexOf(people[1]), names.indexOf(judge)];
    tables[a * size + b]! += 1;
    tables[size * size + j * size + a]! += 1;
    tables[2 * size * size + j * size + b]! += 1;
  }
  return tables;
}

function addTables(all: readonly Float64Array[]): Float64Array {
  const sum = new Float64Array(all[0]!.length);
  for (const tables of all) for (let c = 0; c < sum.length; c++) sum[c]! += tables[c]!;
  return sum;
}
