import type { Label } from '../core/index.ts';
import { figuresOf, type RowTable, type Scorecard, scoreTable, tableOf } from '../metrics/index.ts';
import { stratumOf } from '../suites/domains/index.ts';
import { descriptionObject, type SuiteDescription, type Task } from '../suites/index.ts';
import type { RunReport } from './run-report.ts';
import type { BenchmarkResult } from './run-result.ts';
import { runWarnings } from './run-warnings.ts';

/** What a result does not say of itself. */
export interface ResultInfo {
  readonly task?: Pick<Task, 'id' | 'labels' | 'positiveLabel' | 'ordered' | 'pack' | 'stratum'>;
  readonly arm?: string;
  readonly instructions?: string;
  readonly seed?: number;
  readonly parameters?: Readonly<Record<string, unknown>>;
  readonly krisisVersion?: string;
}

/** A result in memory as a report sees it. Scores are those of the result; nothing is scored again. */
export function reportOfResult(result: BenchmarkResult, info: ResultInfo = {}): RunReport {
  const { evaluationResults: rows, extras } = result;
  const suite = aboutSuite(result.suiteDescription);
  const table = tableOf(rows, { stratum: info.task?.stratum });
  const card = cardOf(result, table, info);
  const status = card.ledger.not_run > 0 ? 'interrupted' : 'complete';
  const { task } = info;
  return {
    path: null,
    backendName: result.backendName,
    suiteName: suite.name ?? task?.id ?? 'unknown',
    suiteHash: suite.hash,
    suite: suite.object,
    task: task
      ? {
          id: task.id,
          labels: task.labels,
          positiveLabel: task.positiveLabel ?? null,
          ordered: task.ordered,
          pack: task.pack ?? null,
          stratum: stratumOf(task),
        }
      : null,
    arm: info.arm ?? null,
    instructions: info.instructions ?? null,
    primaryEndpoint: suite.primaryEndpoint,
    sensitivity: suite.sensitivity,
    status,
    stoppedBecause: null,
    createdAt: null,
    krisisVersion: info.krisisVersion ?? null,
    seed: info.seed ?? null,
    parameters: info.parameters ?? {},
    egress: null,
    imported: null,
    repeats: extras.repeats,
    card,
    extras,
    figures: figuresOf(table, { labels: task?.labels ?? suite.labels, level: card.method.level }),
    warnings: runWarnings({
      card,
      extras,
      description: suite,
      nDeferralsOnMustAct: rows.filter(
        ({ state, metadata }) => state === 'abstained' && metadata.must_act === true,
      ).length,
      status,
      stoppedBecause: null,
    }),
    rows: () => rows,
    close: () => {},
  };
}

/** The scores of the result beside what can be counted from its rows; how intervals were drawn is read from the intervals. */
function cardOf({ metricScores, ledger }: BenchmarkResult, table: RowTable, { task }: ResultInfo): Scorecard {
  const counted = scoreTable(table, { metrics: [], resamples: 0 });
  const intervals = metricScores.flatMap(({ interval }) => interval ?? []);
  const band = metricScores.find(({ details }) => details.null_band)?.details.null_band as
    | { readonly seed?: number }
    | undefined;
  return {
    ...counted,
    task: task?.pack ?? null,
    ledger,
    scores: metricScores,
    method: {
      ...counted.method,
      level: intervals[0]?.level ?? counted.method.level,
      resamples: Math.max(0, ...intervals.map(({ resamples }) => resamples ?? 0)),
      seed: band?.seed ?? counted.method.seed,
    },
  };
}

/** A suite describes itself in full, or a caller said of it what they liked. */
function aboutSuite(description: BenchmarkResult['suiteDescription']) {
  const said = (description ?? {}) as Readonly<Record<string, unknown>>;
  if (isComplete(said)) {
    const { name, hash, sensitivity, primaryEndpoint, origins } = said;
    const labels: Label[] = said.labels.map((counted) => counted.name);
    return { name, hash, sensitivity, primaryEndpoint, origins, labels, object: descriptionObject(said) };
  }
  const text = (value: unknown) => (typeof value === 'string' ? value : null);
  return {
    name: text(said.name) ?? text(said.task),
    hash: text(said.hash ?? said.suite_hash),
    sensitivity: text(said.sensitivity),
    primaryEndpoint: null,
    origins: [],
    labels: [],
    object: said,
  };
}

function isComplete(said: object): said is SuiteDescription {
  return ['name', 'hash', 'labels', 'origins', 'deferral', 'primaryEndpoint', 'settings'].every(
    (key) => key in said,
  );
}
