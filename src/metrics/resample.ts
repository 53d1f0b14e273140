import { KrisisError } from '../core/index.ts';
import { drawMultinomial, type Random } from '../statistics/index.ts';
import type { Columns } from './columns.ts';
import type { Condensed } from './condensed.ts';
import { NO_LABEL } from './label-table.ts';

/** How a bootstrap draws: each call fills `weights` with how often each condensed row was drawn. */
export interface Plan {
  readonly unit: 'row' | 'cluster';
  /** Number of rows or clusters. */
  readonly nUnits: number;
  draw(weights: Uint32Array, rows: Pick<Condensed, 'place' | 'times'>, random: Random): void;
  /** The rows of one unit, for leaving it out. */
  rowsOf(unit: number): ArrayLike<number>;
}

/** Drawing the count of one kind of row takes about as long as drawing this many single rows. */
const WORTH_COUNTING = 8;

/** Draws single rows with replacement; where many are alike, draws the count of each kind. */
export function rowPlan(n: number): Plan {
  return {
    unit: 'row',
    nUnits: n,
    draw(weights, { place, times }, random) {
      if (times.length * WORTH_COUNTING < n) return drawMultinomial(weights, times, n, random);
      weights.fill(0);
      for (let i = 0; i < n; i++) weights[place[random.integer(n)]!]! += 1;
    },
    rowsOf: (unit) => [unit],
  };
}

/** Draws single rows within each true class, so that every resample has the class counts of the design. */
function stratifiedPlan(columns: Columns): Plan {
  // Rows without a derivable truth form one stratum.
  const strata = members(columns.truth.map((code) => code - NO_LABEL));
  return {
    ...rowPlan(columns.n),
    draw(weights, { place }, random) {
      weights.fill(0);
      for (const rows of strata) {
        for (let i = 0; i < rows.length; i++) weights[place[rows[random.integer(rows.length)]!]!]! += 1;
      }
    },
  };
}

/** Draws whole clusters: the rows of one patient, batch or template. A row without the key is a cluster of its own. */
export function clusterPlan(codes: Int32Array): Plan {
  const clusters = members(codes);
  return {
    unit: 'cluster',
    nUnits: clusters.length,
    draw(weights, { place }, random) {
      weights.fill(0);
      for (let g = 0; g < clusters.length; g++) {
        const rows = clusters[random.integer(clusters.length)]!;
        for (let i = 0; i < rows.length; i++) weights[place[rows[i]!]!]! += 1;
      }
    },
    rowsOf: (unit) => clusters[unit]!,
  };
}

/** The plan for the options. Records with several rows (repeated runs) are always clusters. */
export function planFor(columns: Columns, options: { cluster?: string; stratify?: boolean }): Plan {
  if (options.cluster !== undefined && options.cluster !== 'id') {
    const column = columns.metadata.get(options.cluster);
    if (column === undefined || (columns.n > 0 && column.values.length === 0)) {
      throw new KrisisError(`no row has metadata.${options.cluster}, so rows cannot be clustered by it`, {
        code: 'ERR_METADATA_KEY_MISSING',
        value: options.cluster,
      });
    }
    return clusterPlan(column.codes);
  }
  if (options.cluster === 'id' || hasRepeats(columns)) return clusterPlan(columns.record.codes);
  return options.stratify ? stratifiedPlan(columns) : rowPlan(columns.n);
}

/** Whether some record has several rows. */
export function hasRepeats(columns: Columns): boolean {
  const { codes, values } = columns.record;
  let withId = 0;
  for (let i = 0; i < codes.length; i++) if (codes[i] !== NO_LABEL) withId++;
  return values.length < withId;
}

/** The rows of each code, by first appearance; a row without a code is alone. */
export function members(codes: Int32Array): Int32Array[] {
  const groups = Map.groupBy(codes.keys(), (i) => codes[i]!);
  const alone = groups.get(NO_LABEL) ?? [];
  groups.delete(NO_LABEL);
  return [...groups.values(), ...alone.map((i) => [i])].map((rows) => Int32Array.from(rows));
}
