import { basename } from 'node:path';
import { z } from 'zod';
import { count, fileKey, type Shape, snakeCase } from '../../core/codec.ts';
import { connected } from '../../core/collections.ts';
import { KrisisError } from '../../core/errors.ts';
import { USUAL_ENDPOINTS, usualEndpoint } from '../../metrics/act/leading-scores.ts';
import { UNSEALED } from '../../runs/unproven-file.ts';
import { controlChart, controlLimits } from '../../statistics/methods/control-chart.ts';
import {
  comparableRuns,
  type DriftTest,
  decided,
  driftAlpha,
  driftTest,
  driftTestSchema,
  type FlipTable,
  fewestFlips,
  flipTable,
  flipTableSchema,
} from '../../statistics/methods/drift.ts';
import { signFlipTest } from '../../statistics/sign-flip.ts';
import { countLooks } from '../../store/run-looks.ts';
import { share, whole } from '../options.ts';
import { type DriftMeasure, type DriftRun, type RepeatedDecision, readDriftRun } from './drift-run.ts';

export const driftOptions = z.object({
  /** The error over all looks together. Default: 0.05. */
  alpha: share('error over all looks (default: 0.05)'),
  /** The number of the first look, counted elsewhere; nothing is written then. Default: looks are counted in a file beside the reference. */
  look: whole('number of the first look; writes no file', { min: 1 }),
});

/** How runs are compared over time. */
export interface DriftOptions extends z.infer<typeof driftOptions> {
  /** The run that the others are compared with, one of the given ones. Default: the oldest. */
  readonly reference?: string | undefined;
  /** Whether runs that cannot be compared are left out and listed, as for a folder. Default: false, they are refused. */
  readonly leaveOut?: boolean | undefined;
}

/** The same with what numbers the looks where none is stated. */
export interface DriftSettings extends DriftOptions {
  readonly countLooks: typeof countLooks;
}

const filePath = fileKey('run_file', z.string());
const range = z.tuple([z.number(), z.number()]);

const driftEntrySchema = z.object({
  path: filePath,
  runId: z.string(),
  createdAt: z.string(),
  /** The model as the provider names it; a change is a finding. */
  modelIds: z.array(z.string()),
  isModelIdChanged: z.boolean(),
  /** Paired flips; null where nothing could be paired. */
  flips: flipTableSchema.nullable(),
  /** Shares right of the paired records, then and now. */
  before: z.number().nullable(),
  now: z.number().nullable(),
  /** Records without a reply in one of the two runs. */
  nFailed: count,
  /** Records of the reference that the measure covers, and those of this run. */
  nRecords: count,
  /** Paired records, or groups of them where some shared a call: what the test counts as one. */
  nUnits: count,
  /** Null where there is no verdict. */
  look: z.number().nullable(),
  test: driftTestSchema.nullable(),
  /** Flips in one direction that would have been a signal at this look; null where there is no verdict. */
  fewestFlips: z.number().nullable(),
  /** Where the run lies on the control chart; null where there is no verdict. */
  state: z.enum(['in', 'warning', 'two_of_three', 'action']).nullable(),
  /** Its share right on the records that all charted runs have; null where there is no verdict. */
  charted: z.number().nullable(),
  noVerdict: z.enum(['too_many_failed', 'nothing_paired']).nullable(),
});
/** A later run beside the reference. */
export type DriftEntry = Shape<typeof driftEntrySchema>;

export const runDriftSchema = z.object({
  /** The suite of all runs. */
  suite: z.string(),
  /** The model of all runs, as it was asked for. */
  model: z.string(),
  /** Decision accuracy where deferral labels exist, else accuracy. */
  measure: z.enum(USUAL_ENDPOINTS),
  /** The error over all looks together. */
  alpha: z.number(),
  /** How often every record was asked in each run. */
  repeats: count,
  /** Whether records shared calls: their answers are not independent, so the test counts calls. */
  isBatched: z.boolean(),
  /** The run that the others are compared with. */
  reference: driftEntrySchema
    .pick({ path: true, runId: true, createdAt: true, modelIds: true, charted: true })
    .extend({
      /** Share of decisions that differ between the first two repeats; null without repeats. */
      ownChurn: z.number().nullable(),
    }),
  /** Records that the chart rests on: those with a reply in all charted runs. */
  nCharted: count,
  /** Limits of the control chart; null where no record is charted. */
  limits: z.object({ centre: z.number(), warning: range, action: range }).nullable(),
  /** In order of time. */
  runs: z.array(driftEntrySchema),
  /** Runs that cannot be compared, and why. */
  leftOut: z.array(z.object({ path: filePath, reason: z.string() })),
  /** Whether some run differs from the reference. */
  isAlarm: z.boolean(),
});
/** Runs of one suite and model over time. */
export type RunDrift = Shape<typeof runDriftSchema>;

/** More failed records than this share: no verdict. */
const MAX_FAILED = 0.05;
const DEFAULT_ALPHA = 0.05;

/**
 * Compares later runs of the same suite and model with a reference run, record by record, and counts the looks.
 *
 * @throws KrisisError with `ERR_DRIFT_RUNS` for runs that are not the same experiment at another time, and `ERR_LOOKS_FILE` where looks cannot be counted.
 */
export function runDrift(paths: readonly string[], options: DriftOptions = {}): RunDrift {
  return findDrift(paths.map(readDriftRun), { ...options, countLooks });
}

/** The same for runs that were read. */
export function findDrift(runsRead: readonly DriftRun[], options: DriftSettings): RunDrift {
  const { alpha = DEFAULT_ALPHA } = options;
  const all = runsRead.toSorted((a, b) =>
    a.createdAt < b.createdAt ? -1 : a.createdAt > b.createdAt ? 1 : a.path < b.path ? -1 : 1,
  );
  const reference =
    options.reference === undefined ? all[0] : all.find(({ path }) => path === options.reference);
  if (reference === undefined) throw refusal('there is no reference run to compare with');
  const problems = new Map(all.map((run, i) => [run, problemWith(run, reference, all.slice(0, i), options)]));
  const refused = all.filter((run) => problems.get(run) !== null);
  if (refused.includes(reference) || (refused.length > 0 && !options.leaveOut))
    throw refusal(refused.map((run) => `${run.path}: ${problems.get(run)}`).join('\n'));
  const later = all.filter((run) => run !== reference && problems.get(run) === null);
  if (later.length === 0)
    throw refusal(
      [
        `${reference.path}: no later run to compare with it`,
        ...refused.map((run) => `${run.path}: ${problems.get(run)}`),
      ].join('\n'),
    );
  const measure = chooseMeasure(reference);
  const paired = later.map((run) => pairing(reference, run, measure));
  const judged = later.filter((_, i) => paired[i]!.noVerdict === null);
  const looks = numberLooks(reference, judged, { ...options, alpha });
  const chart = makeChart(reference, judged, measure);
  const runs = later.map((run, i): DriftEntry => {
    const { differences, ...pair } = paired[i]!;
    const at = judged.indexOf(run);
    const look = at < 0 ? null : looks[at]!;
    return {
      path: run.path,
      runId: run.runId,
      createdAt: run.createdAt,
      modelIds: run.modelIds,
      isModelIdChanged: run.modelIds.join() !== reference.modelIds.join(),
      ...pair,
      look,
      test:
        look === null
          ? null
          : testPair(pair.flips!, differences, {
              look,
              alpha,
              isExact: run.repeats === 1 && !isBatched(reference) && !isBatched(run),
            }),
      fewestFlips: look === null ? null : fewestFlips(look, alpha),
      state: at < 0 ? null : (chart.states?.[at] ?? null),
      charted: at < 0 ? null : (chart.shares[at] ?? null),
    };
  });
  return {
    suite: reference.suite,
    model: reference.model,
    measure,
    alpha,
    repeats: reference.repeats,
    isBatched: isBatched(reference),
    reference: {
      path: reference.path,
      runId: reference.runId,
      createdAt: reference.createdAt,
      modelIds: reference.modelIds,
      charted: chart.limits?.centre ?? null,
      ownChurn: ownChurn(reference),
    },
    nCharted: chart.n,
    limits: chart.limits,
    runs,
    leftOut: refused.map((run) => ({ path: run.path, reason: problems.get(run)! })),
    isAlarm: runs.some(({ test }) => test?.signal === true),
  };
}

function refusal(message: string): KrisisError {
  return new KrisisError(message, { code: 'ERR_DRIFT_RUNS' });
}

/** Why a run is not the same experiment at another time; null where it is. */
function problemWith(
  run: DriftRun,
  reference: DriftRun,
  before: readonly DriftRun[],
  { leaveOut = false }: DriftOptions,
): string | null {
  if (run.verdict === 'unverified')
    return 'is unverified, so none of its decisions can be trusted; krisis runs verify names what is wrong';
  if (run.verdict === 'unsealed') return `is unsealed: ${UNSEALED}`;
  if (run.whyNotPaired !== null) return run.whyNotPaired;
  if (run.shard !== null)
    return `is part ${run.shard.index} of ${run.shard.of} of a run; merge all parts first`;
  if (run.status === 'stopped_early')
    return 'stopped early, so which cases it has depends on its answers: a pass stops a run at a lucky moment, and the next run looks like a loss; ask all cases';
  if (run.nCacheHits > 0)
    return `${run.nCacheHits} of its replies came from the cache, and cached replies cannot drift; run it without the cache`;
  if (run === reference) return null;
  const copied = [reference, ...before].find(({ runId }) => runId === run.runId);
  if (copied !== undefined)
    return `is the same run as ${basename(copied.path)}, a copy: a run does not drift from itself`;
  if (leaveOut && run.createdAt < reference.createdAt)
    return 'older than the reference, and drift looks at later runs';
  const { differs, unknown } = comparableRuns(reference.settings, run.settings);
  const names = (fields: readonly string[]) => fields.map(snakeCase).join(', ');
  if (differs.length > 0)
    return `differs from the reference in ${names(differs)}: another experiment, not drift`;
  if (unknown.length > 0) return `${names(unknown)} is not known of either run, so they may differ in it`;
  return null;
}

function chooseMeasure({ records }: DriftRun): DriftMeasure {
  const decided = [...records.values()].flatMap((decisions) => decisions ?? []);
  return usualEndpoint((name) => decided.some(({ right }) => right[name] !== null));
}

/** The share of replies to a record that are right; null where a reply is missing, undefined where the measure does not cover the record. */
function shareRight(decisions: readonly RepeatedDecision[] | null, measure: DriftMeasure) {
  if (decisions === null) return null;
  if (decisions.some(({ right }) => right[measure] === null)) return undefined;
  return decisions.filter(({ right }) => right[measure]).length / decisions.length;
}

function isBatched({ calls }: DriftRun): boolean {
  return calls.size > 0;
}

type Pair = Pick<DriftEntry, 'flips' | 'before' | 'now' | 'nFailed' | 'nRecords' | 'nUnits' | 'noVerdict'> & {
  /** Of each unit. */
  readonly differences: readonly number[];
};

/** Records with a reply in both runs; those without one leave the pairing on both sides, and are counted. */
function pairing(reference: DriftRun, run: DriftRun, measure: DriftMeasure): Pair {
  const flips: [RepeatedDecision, RepeatedDecision][] = [];
  const paired = new Map<string, number>();
  let [nFailed, nRecords, before, now] = [0, 0, 0, 0];
  for (const [id, theirs] of reference.records) {
    const ours = run.records.get(id) ?? null;
    const [then, after] = [shareRight(theirs, measure), shareRight(ours, measure)];
    if (then === undefined || after === undefined) continue;
    nRecords += 1;
    if (then === null || after === null) {
      nFailed += 1;
      continue;
    }
    before += then;
    now += after;
    paired.set(id, after - then);
    for (const [i, decision] of theirs!.entries()) flips.push([decision, ours![i]!]);
  }
  const counts = flipTable(
    flips.map(([then]) => ({ decision: then.decision, right: then.right[measure] === true })),
    flips.map(([, after]) => ({ decision: after.decision, right: after.right[measure] === true })),
  );
  const n = paired.size;
  const differences = sumsByCall(paired, [reference, run]);
  return {
    flips: counts,
    before: n === 0 ? null : before / n,
    now: n === 0 ? null : now / n,
    nFailed,
    nRecords,
    nUnits: differences.length,
    noVerdict: n === 0 ? 'nothing_paired' : nFailed / nRecords > MAX_FAILED ? 'too_many_failed' : null,
    differences,
  };
}

/** Answers from one call may fall together: records connected through a call of either run are one unit, with the sum of their differences. */
function sumsByCall(paired: ReadonlyMap<string, number>, runs: readonly DriftRun[]): number[] {
  const ids = [...paired.keys()];
  const links = runs.flatMap(({ calls }) => {
    const together = Map.groupBy(ids.keys(), (i) => calls.get(ids[i]!));
    together.delete(undefined);
    return [...together.values()];
  });
  const sums: number[] = [];
  for (const [i, unit] of connected(ids.length, links).entries())
    sums[unit] = (sums[unit] ?? 0) + paired.get(ids[i]!)!;
  return sums;
}

/** Exact McNemar; where a unit is more than one reply, the signs of the differences are flipped. */
function testPair(
  { lost, gained }: FlipTable,
  differences: readonly number[],
  { look, alpha, isExact }: { readonly look: number; readonly alpha: number; readonly isExact: boolean },
): DriftTest {
  if (isExact) return driftTest({ lost, gained, look }, alpha);
  const spent = driftAlpha(look, alpha);
  // Enough random patterns that p can fall well below the error of a late look.
  const { p } = signFlipTest(differences, { resamples: Math.max(10_000, Math.ceil(20 / spent)) })!;
  return decided(
    p,
    spent,
    differences.reduce((sum, difference) => sum - difference, 0),
  );
}

function numberLooks(
  reference: DriftRun,
  judged: readonly DriftRun[],
  { look, alpha, countLooks: count }: DriftSettings & { readonly alpha: number },
): readonly number[] {
  if (look !== undefined) return judged.map((_, i) => look + i);
  const at = new Date().toISOString();
  return count(
    reference,
    alpha,
    judged.map(({ runId, decisionsHash }) => ({ run_id: runId, decisions: decisionsHash, at })),
  );
}

/** One line of shares over the records that all runs have: limits need equal numbers of records. */
function makeChart(reference: DriftRun, judged: readonly DriftRun[], measure: DriftMeasure) {
  const runs = [reference, ...judged];
  const sums = runs.map(() => 0);
  let n = 0;
  for (const id of reference.records.keys()) {
    const shares = runs.map(({ records }) => shareRight(records.get(id) ?? null, measure));
    if (!shares.every((share) => typeof share === 'number')) continue;
    n += 1;
    shares.forEach((share, i) => {
      sums[i]! += share;
    });
  }
  const [first = 0, ...rest] = sums;
  return {
    n,
    limits: controlLimits(first, n),
    states: controlChart(first, n, rest),
    shares: n === 0 ? [] : rest.map((sum) => sum / n),
  };
}

/** How often the reference decides otherwise when it is asked the same again. */
function ownChurn({ records, repeats }: DriftRun): number | null {
  if (repeats < 2) return null;
  const pairs = [...records.values()].flatMap((decisions) => (decisions ? [decisions] : []));
  const changed = pairs.filter(([first, second]) => first!.decision !== second!.decision).length;
  return pairs.length === 0 ? null : changed / pairs.length;
}
