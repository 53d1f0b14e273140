import { hash } from 'node:crypto';
import type { EarlyStop, LookedGate } from '../analyses/early-stop/early-stop.ts';
import type { OrderedRecord, StopEarlyOptions } from '../analyses/early-stop/plan-early-stop.ts';
import { snakeCase } from '../core/codec.ts';
import { KrisisError } from '../core/errors.ts';
import { type EvaluationResult, evaluationResult } from '../core/evaluation-result.ts';
import type { PatientRecord } from '../core/patient-record.ts';
import type { ScoringOptions } from '../metrics/score.ts';
import type { NewRow } from '../store/rows.ts';
import type { Run } from '../store/run.ts';
import type { RunFile } from '../store/run-file.ts';
import { ASKING_ORDER, askingOrder } from '../suites/split/asking-order.ts';
import type { Suite } from '../suites/suite.ts';
import type { AnyTask } from '../suites/task.ts';
import type { Shard } from './shard.ts';

type Committed = NonNullable<Run['stopEarly']>;

/** A run that stops early, before its first call. */
export interface PlannedStop {
  /** What the run file says of it from the beginning. */
  readonly committed: Committed;
  /** Looks from the beginning at the rows that the store has. */
  watch(store: RunFile): WatchedStop;
}

/** Looks at rows as they come in. */
export interface WatchedStop {
  isDecided(): boolean;
  enter(row: NewRow): void;
  looks(): readonly LookedGate[];
  /** For the run file, with what the gates show now. */
  toStore(): Committed;
}

interface StopSettings {
  readonly suite: Suite<AnyTask>;
  readonly stopEarly: StopEarlyOptions;
  readonly task: Exclude<AnyTask, { kind: 'text' }>;
  readonly batchSize: number;
  readonly repeats: number;
  readonly seed: number;
  readonly limit?: number | undefined;
  readonly cluster?: string | undefined;
  readonly stratify?: string | undefined;
  readonly shard?: Shard | undefined;
  readonly scoring?: ScoringOptions | undefined;
}

/**
 * Fixes how a run stops early, before its file is created and before the first call.
 *
 * @throws KrisisError when the run cannot stop early, with the reason.
 */
export async function planStop(settings: StopSettings): Promise<PlannedStop> {
  const { suite, stopEarly, task, seed, repeats, scoring } = settings;
  refuse(settings);
  const { ordered, orderHash } = await orderedRecords(settings);
  const { planEarlyStop } = await import('../analyses/early-stop/plan-early-stop.ts');
  const { extendedMetrics } = await import('../metrics/registry.ts');
  const { scoringFor, tableOptionsFor } = await import('../runs/scoring-for.ts');
  const taskScoring = { ...scoringFor(task), ...scoring };
  const { terms, start } = planEarlyStop(stopEarly, {
    records: ordered,
    repeats,
    batchSize: settings.batchSize,
    labels: task.labels,
    metrics: extendedMetrics(taskScoring),
    primaryEndpoint: suite.task.primaryEndpoint?.metric ?? null,
    level: scoring?.level,
    table: tableOptionsFor(taskScoring),
  });
  const committed: Committed = {
    ...terms,
    gates: [...terms.gates],
    seed,
    generator: ASKING_ORDER,
    orderSha256: orderHash,
    verdicts: [],
  };
  return { committed, watch: (store) => watch(store, committed, start(), ordered) };
}

/** Settings under which records are not asked in one committed random order. */
function refuse({ suite, stratify, shard }: StopSettings): void {
  const because =
    'questions' in suite
      ? 'open questions are asked as the suite lists them, and early stopping needs a random order'
      : stratify !== undefined
        ? `cases chosen by strata of "${stratify}" are not a random sample, which early stopping needs`
        : shard !== undefined
          ? 'a shard asks only a part of the cases, and early stopping looks at all in their order'
          : null;
  if (because !== null)
    throw new KrisisError(because, { code: 'ERR_STOP_EARLY_SETTING', value: stratify ?? suite.name });
}

/** The records in the order in which they are asked, and the hash of the whole order. */
async function orderedRecords({ suite, seed, limit, cluster = suite.cluster }: StopSettings) {
  const streams = suite.stream !== undefined && (suite.canStream?.() ?? true);
  const records: OrderedRecord[] = [];
  for (const { id, label, metadata } of streams ? suite.stream!() : await suite.load())
    records.push({ id, groundTruth: label, metadata, cluster: clusterIn(metadata, cluster) });
  const order = askingOrder(records, seed);
  const ids = order.map((position) => records[position]!.id);
  return {
    ordered: order.slice(0, limit).map((position) => records[position]!),
    orderHash: hash('sha256', JSON.stringify(ids)),
  };
}

function clusterIn(metadata: PatientRecord['metadata'], key: string | undefined): string | null {
  const value = key === undefined ? null : metadata[key];
  return value === undefined || value === null ? null : String(value);
}

function watch(
  store: RunFile,
  committed: Committed,
  stop: EarlyStop,
  ordered: readonly OrderedRecord[],
): WatchedStop {
  const indexById = new Map(ordered.map(({ id }, index) => [id, index]));
  const enter = (recordId: string, repeat: number, row: Partial<EvaluationResult>) => {
    const index = indexById.get(recordId);
    if (index === undefined) return;
    const { id, groundTruth, metadata } = ordered[index]!;
    stop.enter(index, repeat, evaluationResult({ ...row, id, groundTruth, metadata }));
  };
  for (const row of store.rows.readScored(store.manifest().identity.repeats)) enter(row.id, row.repeat, row);
  const looks = () => stop.looks();
  return {
    isDecided: stop.isDecided,
    enter: (row) => enter(row.id, row.repeat, row as Partial<EvaluationResult>),
    looks,
    toStore: () => ({
      ...committed,
      verdicts: looks().map(({ gate, status, rowsLookedAt, n, nFailed, value, lower, upper }) => ({
        gate,
        status,
        lookedAt: rowsLookedAt,
        n,
        nFailed,
        value,
        lower,
        upper,
      })),
    }),
  };
}

/** Terms that a run may not change once it has begun. How many records it has may grow, unless the claim is about exactly these. */
const FIXED = [
  'gates',
  'nonInferior',
  'level',
  'alpha',
  'nModels',
  'alphaSide',
  'minN',
  'claim',
  'unit',
  'seed',
  'orderSha256',
] as const;

/** Refuses to continue a run on other terms: choosing them after a look spends the error twice. */
export function checkTerms(path: string, found: Run, wanted: Committed | null): void {
  const stored = found.stopEarly;
  const fail = (why: string) => {
    throw new KrisisError(`${path}: ${why}; start a new run in another file`, {
      code: 'ERR_STOP_EARLY_TERMS',
      value: path,
    });
  };
  if (stored === null && wanted === null) return;
  if (stored === null) fail('was begun without early stopping, so looking at it early is not covered');
  else if (wanted === null)
    fail('was begun with early stopping, and can only be continued with it, on the same conditions');
  else {
    const isOtherSize =
      wanted.nTotal < stored.nTotal || (stored.claim === 'suite' && wanted.nTotal > stored.nTotal);
    const other = [
      ...FIXED.filter((key) => JSON.stringify(stored[key]) !== JSON.stringify(wanted[key])),
      ...(isOtherSize ? (['nTotal'] as const) : []),
    ];
    const list = other.map(
      (key) =>
        `  ${snakeCase(key)}: ${JSON.stringify(stored[key])} there, ${JSON.stringify(wanted[key])} now`,
    );
    if (other.length > 0)
      fail(
        `was begun to stop early on other terms:\n${list.join('\n')}\nThey are fixed before the first call`,
      );
  }
}
