import {
  type ActOptions,
  type DecisionClass,
  decisionClass,
  decisionFacts,
  emergencyRule,
} from '../../core/decision-class.ts';
import { evaluationResult } from '../../core/evaluation-result.ts';
import { ledgerClass } from '../../core/ledger.ts';
import { pace } from '../../core/wording.ts';
import type { RunDatabase } from '../open-database.ts';
import { labelCell } from '../stored-cells.ts';
import { ROWS } from '../tables.ts';

/** How far a run has come. */
export interface RowCounts {
  /** Records times repeats. */
  readonly n: number;
  readonly n_done: number;
  /** Rows by class; sums to `n`. */
  readonly ledger: Readonly<Record<string, number>>;
  /** Asked rows by decision class; null for open questions, which have none. */
  readonly decision_classes: Readonly<Partial<Record<DecisionClass, number>>> | null;
}

const KEYS = ['state', 'stateReason', 'prediction', 'urgent'] as const;

/** Counts the rows of a run by class. SQLite groups rows that agree in everything the class depends on, so a long run is not walked row by row. */
export function countRows(
  run: RunDatabase,
  { repeats, hasLabels, ...act }: ActOptions & { readonly repeats: number; readonly hasLabels: boolean },
): RowCounts {
  // As JSON: `true`, `false`, `null` or anything else; null where the record has no such key.
  const mark = (key: string) => `CASE WHEN json_valid(r.metadata) THEN r.metadata -> '$.${key}' END`;
  const groups = run
    .prepare(
      `SELECT ${ROWS.select('w', KEYS)}, r.label, ${mark('should_abstain')} AS should, ${mark('must_act')} AS mustAct, count(*) AS n FROM latest_rows w JOIN records r ON r.id = w.record_id WHERE w.repeat < ? GROUP BY 1, 2, 3, 4, 5, 6, 7`,
    )
    .all(repeats);
  const rule = emergencyRule(
    act,
    groups.some(({ urgent }) => urgent !== null),
  );
  const ledger: Record<string, number> = {};
  const classes: Partial<Record<DecisionClass, number>> = {};
  for (const group of groups) {
    const n = Number(group.n);
    const row = evaluationResult({
      ...ROWS.decode(group, KEYS),
      groundTruth: labelCell(group.label, 'a label'),
      metadata: { should_abstain: flag(group.should), must_act: flag(group.mustAct) },
    });
    // Only its judge can say whether an answer to an open question is good.
    const entry = !hasLabels && row.state === 'answered' ? 'answered' : ledgerClass(row);
    ledger[entry] = (ledger[entry] ?? 0) + n;
    const decided = decisionClass(decisionFacts(row, act.actLabels), rule);
    classes[decided] = (classes[decided] ?? 0) + n;
  }
  const n = numberIn(run, 'SELECT count(*) FROM records') * repeats;
  const nDone = Object.values(ledger).reduce((sum, rows) => sum + rows, 0);
  return {
    n,
    n_done: nDone,
    ledger: { ...ledger, ...(nDone < n && { not_run: n - nDone }) },
    decision_classes: hasLabels ? classes : null,
  };
}

function flag(json: unknown): boolean | null {
  return json === 'true' ? true : json === 'false' ? false : null;
}

/** What the calls so far cost; null if no call has a price. */
export function costOfCalls(run: RunDatabase): number | null {
  return valueIn(run, 'SELECT sum(cost_usd) FROM all_calls WHERE cached_at IS NULL');
}

/** Seconds from the first call to the last; null before the first. */
export function secondsOfCalls(run: RunDatabase): number | null {
  return valueIn(run, 'SELECT max(coalesce(finished_at, started_at)) - min(started_at) FROM all_calls');
}

/** What happens in a run that is being written, as the bar in the terminal shows it: both count records and this session alone. */
export interface LiveCalls {
  /** Records asked and not yet answered. */
  readonly in_flight: number;
  readonly rate_limits: number;
  /** Seconds until the run is done at the pace of this session; null before its first row. */
  readonly seconds_left: number | null;
}

/** Records in flight and rate limits met by a run that is being written, and how long it still takes. A call of a killed process has no outcome either; it is not counted. */
export function liveCalls(run: RunDatabase, { n, n_done }: Pick<RowCounts, 'n' | 'n_done'>): LiveCalls {
  const begun = beginOfSitting(run);
  const ofSitting = 'started_at >= ?';
  return {
    seconds_left: begun === null ? null : secondsLeft(run, n - n_done, begun),
    in_flight: numberIn(
      run,
      `SELECT coalesce(sum(n_records), 0) FROM all_calls c WHERE outcome IS NULL AND ${ofSitting} AND NOT EXISTS (SELECT 1 FROM calls l WHERE l.key = c.key AND l.seq > c.id)`,
      begun ?? 0,
    ),
    rate_limits: numberIn(
      run,
      `SELECT count(*) FROM all_calls WHERE error LIKE 'rate@_limit:%' ESCAPE '@' AND ${ofSitting}`,
      begun ?? 0,
    ),
  };
}

/** When this process began to write, in seconds; null before its first event. */
function beginOfSitting(run: RunDatabase): number | null {
  return valueIn(run, "SELECT max(time) FROM events WHERE kind IN ('started', 'continued')");
}

/** By the rows of this session, as the bar in the terminal counts them. */
function secondsLeft(run: RunDatabase, left: number, begun: number): number | null {
  const done = numberIn(
    run,
    'SELECT count(*) FROM latest_rows w JOIN calls c ON c.seq = w.call_id WHERE c.started_at >= ?',
    begun,
  );
  return pace({ left, done, seconds: Date.now() / 1000 - begun }).secondsLeft;
}

function valueIn(run: RunDatabase, sql: string, ...values: readonly number[]): number | null {
  return Object.values(run.prepare(sql).get(...values)!)[0] as number | null;
}

function numberIn(run: RunDatabase, sql: string, ...values: readonly number[]): number {
  return Number(valueIn(run, sql, ...values));
}
