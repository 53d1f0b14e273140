import type { EvaluationResult } from '../../core/evaluation-result.ts';
import { type Gate, holds } from '../../runs/conditions/expression.ts';
import type { EvidenceKind } from '../../statistics/methods/e-values.ts';
import {
  createSequentialGate,
  mirrored,
  type SequentialStatus,
  type SequentialVerdict,
} from '../../statistics/methods/sequential-gate.ts';
import { averageRows, type RowValue } from './gated-rows.ts';

/** A gate that is looked at after every unit: a record with its repeats, a patient, or a batch. */
export interface TrackedGate {
  /** As it was written. */
  readonly text: string;
  /** What a row adds. */
  rowValue(row: EvaluationResult): RowValue;
  /** Looks from the beginning. */
  start(): GateLooks;
}

/** The looks at one gate so far. */
export interface GateLooks {
  /** Looks after the rows of the next unit. */
  add(rows: readonly RowValue[]): SequentialStatus;
  verdict(): SequentialVerdict;
}

/** How a gate is looked at. */
export interface LookOptions {
  /** Error of one side, after division. */
  readonly alphaSide: number;
  readonly minN: number;
  /** Units of the run. */
  readonly nUnits: number;
  /** Rows of the run. */
  readonly nRows: number;
  readonly evidence: EvidenceKind;
  /** Units that can be in the denominator, whatever the model answers; for the claim about exactly this suite those that are. */
  readonly suiteSize: number;
}

/** Looks at a bound of a share: a unit counts with the mean of its counted rows. */
export function boundLooks(limit: number, isMirrored: boolean, options: LookOptions): GateLooks {
  const { alphaSide, minN, nUnits: nTotal, evidence, suiteSize } = options;
  const gate = createSequentialGate({
    limit: isMirrored ? 1 - limit : limit,
    nTotal,
    alphaSide,
    minN,
    evidence,
    suiteSize,
  });
  const turned = (value: number | null) => (value === null || !isMirrored ? value : 1 - value);
  return {
    add: (rows) => {
      const { low, high } = averageRows(rows);
      return gate.add(isMirrored ? { low: turned(high), high: turned(low) } : { low, high });
    },
    verdict: () => (isMirrored ? mirrored(gate.verdict()) : gate.verdict()),
  };
}

/** Looks at a plain value over rows: it is decided when the rows left cannot change the verdict of the full run. */
export function valueLooks(gate: Gate, { nRows }: Pick<LookOptions, 'nRows'>): GateLooks {
  let status: SequentialStatus = 'undecided';
  let [looked, rowsSeen, n, successes, nFailed] = [0, 0, 0, 0, 0];
  const look = (): SequentialStatus => {
    const open = nRows - rowsSeen + nFailed;
    const most = n + open;
    if (most === 0) return 'fail_not_shown';
    const ends = [successes / most, (successes + open) / most].map((value) => holds(value, gate));
    if (ends.every(Boolean)) return 'pass';
    if (ends.some(Boolean)) return 'undecided';
    return rowsSeen < nRows ? 'fail_unreachable' : 'fail_shown';
  };
  return {
    add: (rows) => {
      if (status !== 'undecided') return status;
      looked += 1;
      rowsSeen += rows.length;
      for (const { low, high } of rows) {
        if (low === null || high === null) continue;
        if (low !== high) nFailed += 1;
        else {
          n += 1;
          successes += low;
        }
      }
      status = look();
      return status;
    },
    verdict: () => ({
      status,
      rowsLookedAt: looked,
      n: n + nFailed,
      nFailed,
      value: n === 0 ? null : successes / n,
      lower: null,
      upper: null,
    }),
  };
}

/**
 * Looks at a difference to a baseline, on the scale of {@link pairedValue}; what is shown is model minus baseline, also where less is better. With all records asked and neither side shown, it
 * cannot be decided, as in a run of a fixed size.
 */
export function differenceLooks(margin: number, isLowerBetter: boolean, options: LookOptions): GateLooks {
  const looks = boundLooks((1 - margin) / 2, false, options);
  const back = (value: number | null) =>
    value === null ? null : isLowerBetter ? 1 - 2 * value : 2 * value - 1;
  const decided = (status: SequentialStatus) => (status === 'fail_not_shown' ? 'undecided' : status);
  return {
    add: (rows) => decided(looks.add(rows)),
    verdict: () => {
      const verdict = looks.verdict();
      const [lower, upper] = [back(verdict.lower), back(verdict.upper)];
      return {
        ...verdict,
        status: decided(verdict.status),
        value: back(verdict.value),
        lower: isLowerBetter ? upper : lower,
        upper: isLowerBetter ? lower : upper,
      };
    },
  };
}

/** The difference of a model's row to the baseline's, moved from [-1, 1] to [0, 1]. Where a row failed, the difference is the worst and the best there is. */
export function pairedValue(model: RowValue, baseline: RowValue, isLowerBetter: boolean): RowValue {
  if (model.low === null || baseline.low === null) return { low: null, high: null };
  if (model.low !== model.high || baseline.low !== baseline.high) return { low: 0, high: 1 };
  const difference = isLowerBetter ? baseline.low - model.low : model.low - baseline.low;
  return { low: (1 + difference) / 2, high: (1 + difference) / 2 };
}
