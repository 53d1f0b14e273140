import { KrisisError } from '../core/errors.ts';
import { drawMultinomial, type Random } from '../statistics/random.ts';
import { type CodedColumn, type Columns, pickRows } from './columns.ts';
import { NO_LABEL } from './label-table.ts';
import { Sample } from './sample.ts';

/** How a bootstrap draws: each call fills `weights` with how often each condensed row was drawn. */
export interface Plan {
  readonly unit: 'row' | 'cluster';
  /** Number of rows or clusters. */
  readonly nUnits: number;
  draw(weights: Uint32Array, rows: Pick<Condensed, 'place' | 'times'>, random: Random): void;
  /** The rows of one unit, for leaving it out. */
  listRows(unit: number): ArrayLike<number> & Iterable<number>;
  /** What identifies a unit whatever the order of the rows: the id of its record, or the value that its rows share. */
  getId(unit: number): string;
}

/** Drawing the count of one kind of row takes about as long as drawing this many single rows. */
const WORTH_COUNTING = 8;

/** Draws single rows with replacement; where many are alike, draws the count of each kind. */
export function rowPlan({ n, record }: Pick<Columns, 'n' | 'record'>): Plan {
  return {
    unit: 'row',
    nUnits: n,
    getId: (unit) => identifyRow(record, unit),
    draw(weights, { place, times }, random) {
      if (times.length * WORTH_COUNTING < n) return drawMultinomial(weights, times, n, random);
      weights.fill(0);
      for (let i = 0; i < n; i++) weights[place[random.integer(n)]!]! += 1;
    },
    listRows: (unit) => [unit],
  };
}

/** Draws single rows within each true class, so that every resample has the class counts of the design. */
function stratifiedPlan(columns: Columns): Plan {
  // Rows without a derivable truth form one stratum.
  const strata = members(columns.truth.map((code) => code - NO_LABEL));
  return {
    ...rowPlan(columns),
    draw(weights, { place }, random) {
      weights.fill(0);
      for (const rows of strata) {
        for (let i = 0; i < rows.length; i++) weights[place[rows[random.integer(rows.length)]!]!]! += 1;
      }
    },
  };
}

/** Draws whole clusters: the rows of one patient, batch or template. A row without the key is a cluster of its own. */
export function clusterPlan(column: CodedColumn): Plan {
  const clusters = members(column.codes);
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
    listRows: (unit) => clusters[unit]!,
    getId: (unit) => identifyRow(column, clusters[unit]![0]!),
  };
}

function identifyRow({ codes, values }: CodedColumn, row: number): string {
  return codes[row] === NO_LABEL ? String(row) : values[codes[row]!]!;
}

/** The plan for the options. Records with several rows (repeated runs) and rows of one call are always clusters. */
export function planFor(columns: Columns, options: { cluster?: string; stratify?: boolean }): Plan {
  const cluster = findCluster(columns, options.cluster);
  if (cluster !== null) return clusterPlan(cluster);
  return options.stratify ? stratifiedPlan(columns) : rowPlan(columns);
}

/** Rows that are drawn together, and what they share: a metadata key, `id` for the record, `call` for the prompt. */
interface Cluster extends CodedColumn {
  readonly key: string;
}

/**
 * What rows are clustered by; null where each is alone. Rows that shared a prompt are not independent, so the call is the cluster unless `wanted` is
 * something wider, that is, makes fewer clusters.
 */
export function findCluster(columns: Columns, wanted?: string): Cluster | null {
  const call = nClusters(columns.call) < columns.n ? { key: 'call', ...columns.call } : null;
  const asked = wantedCluster(columns, wanted, call);
  if (call === null || asked === null) return call ?? asked;
  return nClusters(asked) <= nClusters(call) ? asked : call;
}

function wantedCluster(columns: Columns, wanted: string | undefined, call: Cluster | null): Cluster | null {
  const record = { key: 'id', ...columns.record };
  if (wanted === 'id') return record;
  if (wanted === undefined) return nClusters(record) < columns.n ? record : null;
  const column = columns.metadata.get(wanted);
  if (column !== undefined && (columns.n === 0 || column.values.length > 0))
    return { key: wanted, ...column };
  if (wanted === 'call' && call !== null) return call;
  throw new KrisisError(`no case has metadata.${wanted}, so cases cannot be clustered by it`, {
    code: 'ERR_METADATA_KEY_MISSING',
    value: wanted,
  });
}

/** How many clusters these codes make; a row without a code is one of its own. */
export function nClusters({ codes, values }: CodedColumn): number {
  const isSeen = new Uint8Array(values.length);
  let n = 0;
  for (let i = 0; i < codes.length; i++) {
    const code = codes[i]!;
    if (code === NO_LABEL) n += 1;
    else if (isSeen[code] === 0) {
      isSeen[code] = 1;
      n += 1;
    }
  }
  return n;
}

/** The rows of each code, by first appearance; a row without a code is alone. */
export function members(codes: Int32Array): Int32Array[] {
  const groups = Map.groupBy(codes.keys(), (i) => codes[i]!);
  const alone = groups.get(NO_LABEL) ?? [];
  groups.delete(NO_LABEL);
  return [...groups.values(), ...alone.map((i) => [i])].map((rows) => Int32Array.from(rows));
}

/** Rows that no built-in metric can distinguish, as one row with a count, so that thousands of resamples work on as few rows as possible. */
export interface Condensed {
  readonly sample: Sample;
  /** The condensed row of each original row. */
  readonly place: Int32Array;
  /** How many original rows each condensed row represents. */
  readonly times: Uint32Array;
}

export function condensed(sample: Sample): Condensed {
  const { patterns: place } = sample;
  const firstRows: number[] = [];
  const times: number[] = [];
  place.forEach((pattern, row) => {
    if (pattern === firstRows.length) {
      firstRows.push(row);
      times.push(0);
    }
    times[pattern]! += 1;
  });
  return { sample: Sample.from(pickRows(sample.columns, firstRows)), place, times: Uint32Array.from(times) };
}

/** For metrics that read single rows: every row represents itself. */
export function uncondensed(sample: Sample): Condensed {
  const { n } = sample.columns;
  return {
    sample,
    place: Int32Array.from({ length: n }, (_, row) => row),
    times: new Uint32Array(n).fill(1),
  };
}
