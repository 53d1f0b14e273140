import type { EvaluationResult } from '../../core/evaluation-result.ts';
import type { SequentialStatus, SequentialVerdict } from '../../statistics/methods/sequential-gate.ts';
import type { RowValue } from './gated-rows.ts';
import type { GateLooks, TrackedGate } from './track-gate.ts';

/** What a gate of a run shows at its last look. */
export interface LookedGate extends SequentialVerdict {
  /** The gate as it was written. */
  readonly gate: string;
}

/** Looks at the gates of a run while it goes on. What it decides depends on the rows of the finished prefix alone, not on when they arrived. */
export interface EarlyStop {
  /** Enters the row of a record, by its place in the order of asking. A row that replaces a failed one counts in its place. */
  enter(index: number, repeat: number, row: EvaluationResult): void;
  /** Whether nothing more has to be asked. */
  isDecided(): boolean;
  looks(): readonly LookedGate[];
}

/** A unit is finished when all its rows are; units are looked at in the order of asking, up to the first that is not finished. */
export function createEarlyStop({
  gates,
  unitOf,
  repeats,
  endsAtFirstFailure,
}: {
  readonly gates: readonly TrackedGate[];
  /** The unit of each record, in the order of asking: 0, 0, 1, ... */
  readonly unitOf: readonly number[];
  readonly repeats: number;
  /** Whether one failed gate settles the run. */
  readonly endsAtFirstFailure: boolean;
}): EarlyStop {
  const nUnits = (unitOf.at(-1) ?? -1) + 1;
  const firstOf = new Array<number>(nUnits + 1).fill(unitOf.length);
  for (let index = unitOf.length - 1; index >= 0; index--) firstOf[unitOf[index]!] = index;
  // By record and repeat: what the row adds to each gate; empty while it is pending.
  const rows = new Array<readonly RowValue[] | undefined>(unitOf.length * repeats);
  let looks: readonly GateLooks[] = gates.map((gate) => gate.start());
  let nLooked = 0;

  const isSettled = (statuses: readonly SequentialStatus[]) => {
    const isFailed = statuses.some((status) => status.startsWith('fail'));
    return statuses.every((status) => status !== 'undecided') || (endsAtFirstFailure && isFailed);
  };
  let settled = false;

  const unitRows = (unit: number): (readonly RowValue[])[] | null => {
    const found: (readonly RowValue[])[] = [];
    for (let place = firstOf[unit]! * repeats; place < firstOf[unit + 1]! * repeats; place++) {
      const values = rows[place];
      if (values === undefined) return null;
      found.push(values);
    }
    return found;
  };
  const advance = () => {
    for (
      let found = unitRows(nLooked);
      !settled && nLooked < nUnits && found !== null;
      found = unitRows(nLooked)
    ) {
      const statuses = looks.map((look, g) => look.add(found!.map((values) => values[g]!)));
      nLooked += 1;
      settled = isSettled(statuses);
    }
  };
  return {
    enter: (index, repeat, row) => {
      if (index >= unitOf.length || repeat >= repeats || row.state === 'not_run') return;
      if (settled) return;
      const place = index * repeats + repeat;
      const isReplaced = unitOf[index]! < nLooked;
      rows[place] = gates.map((gate) => gate.rowValue(row));
      if (isReplaced) {
        looks = gates.map((gate) => gate.start());
        nLooked = 0;
      }
      advance();
    },
    isDecided: () => settled,
    looks: () => looks.map((look, g) => ({ gate: gates[g]!.text, ...look.verdict() })),
  };
}
