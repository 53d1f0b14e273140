import { pickRows, Sample } from '../../metrics/index.ts';
import type { Pairing } from './pair-records.ts';
import type { RecordRows } from './record-rows.ts';

/**
 * Two runs made ready for resampling. Records that no built-in metric can tell apart, in either run, are one unit: a resample is then a
 * count per unit, and costs little more than the draws however many records there are.
 */
export interface PairedSample {
  readonly nUnits: number;
  /** The unit of each record, and a record that represents each unit. */
  readonly unitOf: Int32Array;
  readonly representative: Int32Array;
  /** Both runs, with every row as often as its unit counts. */
  weighted(counts: Uint32Array): { readonly baseline: Sample; readonly model: Sample; refresh(): void };
}

/** `alike` false keeps every record apart: for metrics that may read anything of a row. */
export function pairedSample(pairing: Pairing, alike: boolean): PairedSample {
  const mayJoin = alike && !pairing.hasRepeats;
  const { unitOf, representative } = mayJoin ? joined(pairing) : apart(pairing.n);
  const baseline = rowsOfUnits(pairing.baseline, representative);
  const model = rowsOfUnits(pairing.model, representative);
  return {
    nUnits: representative.length,
    unitOf,
    representative,
    weighted: (counts) => {
      const ours = weightedSide(baseline, counts);
      const theirs = weightedSide(model, counts);
      return {
        baseline: ours.sample,
        model: theirs.sample,
        refresh: () => {
          ours.refresh();
          theirs.refresh();
        },
      };
    },
  };
}

function apart(n: number) {
  const unitOf = Int32Array.from({ length: n }, (_, r) => r);
  return { unitOf, representative: unitOf };
}

function joined({ n, baseline, model }: Pairing) {
  const ours = Sample.from(baseline.columns).patterns;
  const theirs = Sample.from(model.columns).patterns;
  const width = theirs.reduce((most, pattern) => Math.max(most, pattern), 0) + 1;
  const units = new Map<number, number>();
  const representative: number[] = [];
  const unitOf = new Int32Array(n);
  for (let r = 0; r < n; r++) {
    const key = ours[baseline.rows[r]!]! * width + theirs[model.rows[r]!]!;
    let unit = units.get(key);
    if (unit === undefined) {
      unit = representative.length;
      units.set(key, unit);
      representative.push(r);
    }
    unitOf[r] = unit;
  }
  return { unitOf, representative: Int32Array.from(representative) };
}

interface Side {
  readonly plain: Sample;
  readonly unitOfRow: Int32Array;
}

function rowsOfUnits({ columns, start, rows }: RecordRows, representative: Int32Array): Side {
  const kept: number[] = [];
  const unitOfRow: number[] = [];
  representative.forEach((record, unit) => {
    for (let k = start[record]!; k < start[record + 1]!; k++) {
      kept.push(rows[k]!);
      unitOfRow.push(unit);
    }
  });
  return {
    plain: Sample.from(pickRows(columns, kept)),
    unitOfRow: Int32Array.from(unitOfRow),
  };
}

function weightedSide({ plain, unitOfRow }: Side, counts: Uint32Array) {
  const weights = new Uint32Array(unitOfRow.length);
  const sample = plain.weighted(weights);
  const refresh = () => {
    for (let j = 0; j < weights.length; j++) weights[j] = counts[unitOfRow[j]!]!;
    sample.refresh();
  };
  refresh();
  return { sample, refresh };
}
