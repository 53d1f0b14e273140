import { z } from 'zod';
import { KrisisError } from '../core/index.ts';
import { figuresOf, type Scorecard, type ScoringOptions } from '../metrics/index.ts';
import { type Manifest, RunFile } from '../store/index.ts';
import { DEFAULT_STRATUM, stratumOf } from '../suites/domains/index.ts';
import { readExtras } from './read-execution.ts';
import type { RunReport } from './run-report.ts';
import type { BenchmarkRow } from './run-result.ts';
import { runWarnings } from './run-warnings.ts';
import { scoreRunFile } from './score-run-file.ts';
import { scoringFor } from './scoring-for.ts';
import { cardWithoutRows, storedScores } from './stored-scores.ts';
import { scoringOf } from './stored-scoring.ts';

/** What may be scored otherwise than when the run was made. */
export type ReadRunOptions = Pick<ScoringOptions, 'resamples' | 'bundle' | 'groupBy' | 'level'>;

/**
 * Reads a run file for a report. Its rows are scored again with the settings of its manifest, so the numbers are those of the run; `overrides` change the scoring, never the rows. A
 * file that an older version wrote, or that holds a run of another framework, may not know everything: what it does not say is null. Close it when done.
 *
 * @throws KrisisError when there is no such file, it is not a run file, or no row has a key to group by.
 *
 * @example
 * ```ts
 * const { mkdtempSync, rmSync } = process.getBuiltinModule('node:fs');
 * const { tmpdir } = process.getBuiltinModule('node:os');
 * const folder = mkdtempSync(`${tmpdir()}/krisis-`);
 * const suite = new CkdSuite({ task: 'detection', nRecords: 20, testSize: 1 });
 * const backend = await createBackend('baseline/guideline', suite, { seed: 42 });
 * await runToFile({ suite, backend, krisisVersion: '1', seed: 42, batchSize: 8, maxConcurrency: 1, path: `${folder}/run.db` });
 * const report = readRun(`${folder}/run.db`, { resamples: 100 });
 * [report.backendName, report.status, report.card.n, [...report.rows()].length] // => ['baseline/guideline', 'complete', 20, 20]
 * report.close();
 * rmSync(folder, { recursive: true });
 * ```
 */
export function readRun(path: string, overrides: ReadRunOptions = {}): RunReport {
  const file = RunFile.read(path);
  try {
    return reportOf(file, overrides);
  } catch (error) {
    file.close();
    throw error;
  }
}

const text = z.string().nullish().catch(null);
const object = z.record(z.string(), z.unknown());
const label = z.union([z.string(), z.number(), z.boolean()]);

const manifestSchema = z.object({
  model: text,
  suite_name: text,
  suite: object.nullish().catch(null),
  identity: z
    .object({ suite_hash: text, repeats: z.int().min(1).catch(1) })
    .nullish()
    .catch(null),
  task: z
    .object({
      id: z.string().catch('unknown'),
      labels: z.array(label).catch([]),
      positive_label: label.nullish().catch(null),
      ordered: z.boolean().catch(false),
      pack: z.enum(['detection', 'staging', 'progression']).nullish().catch(null),
      stratum: z.object({ key: z.string(), label: z.string() }).nullish().catch(null),
    })
    .nullish()
    .catch(null),
  arm: text,
  instructions: text,
  primary_endpoint: z
    .object({ metric: z.string(), arm: z.string().catch(''), why: z.string().catch('') })
    .nullish()
    .catch(null),
  sensitivity: text,
  stopped_because: text,
  created_at: text,
  krisis_version: text,
  seed: z.number().nullish().catch(null),
  parameters: object.nullish().catch(null),
  egress: object.nullish().catch(null),
  imported: z
    .object({
      format: z.string().catch('unknown'),
      source: z.string().catch('unknown'),
      sha256: z.string().catch('unknown'),
      has_rows: z.boolean().nullish().catch(null),
    })
    .nullish()
    .catch(null),
});

function reportOf(file: RunFile, overrides: ReadRunOptions): RunReport {
  const manifest = file.manifest();
  const known = manifestSchema.parse(manifest);
  const repeats = known.identity?.repeats ?? 1;
  const imported = known.imported ? importedFrom(known.imported, file) : null;
  const task = known.task ? taskFrom(known.task) : null;
  const scored =
    imported?.hasRows === false ? null : scoreRunFile(file, scoringWith(manifest, task, overrides), repeats);
  if (scored !== null) checkGroups(overrides.groupBy ?? [], scored.card);
  const card = scored === null ? cardWithoutRows(manifest) : withOwnMetrics(scored.card, manifest, overrides);
  const extras = readExtras(file, manifest, { repeats, promptModes: scored?.promptModes ?? [] });
  const status = file.status();
  const stoppedBecause = known.stopped_because ?? null;
  const suite = known.suite ?? {};
  return {
    path: file.path,
    backendName: known.model ?? 'unknown',
    suiteName: known.suite_name ?? 'unknown',
    suiteHash: known.identity?.suite_hash ?? null,
    suite,
    task,
    arm: known.arm ?? null,
    instructions: known.instructions ?? null,
    primaryEndpoint: known.primary_endpoint ?? null,
    sensitivity: known.sensitivity ?? null,
    status,
    stoppedBecause,
    createdAt: known.created_at ?? null,
    krisisVersion: known.krisis_version ?? null,
    seed: known.seed ?? null,
    parameters: known.parameters ?? {},
    egress: known.egress ?? null,
    imported,
    repeats,
    card,
    extras,
    figures:
      scored === null
        ? null
        : figuresOf(scored.table, {
            labels: task?.labels,
            subgroups: card.subgroups,
            level: card.method.level,
          }),
    warnings: runWarnings({
      card,
      extras,
      description: {
        origins: namesIn(suite.origins),
        primaryEndpoint: known.primary_endpoint ?? null,
      },
      nDeferralsOnMustAct: scored?.nDeferralsOnMustAct ?? 0,
      status,
      stoppedBecause,
      imported,
    }),
    rows: () => rowsOf(file, repeats),
    close: () => file.close(),
  };
}

function taskFrom(task: NonNullable<z.infer<typeof manifestSchema>['task']>) {
  const { id, labels, ordered, pack = null, positive_label = null } = task;
  return { id, labels, ordered, pack, positiveLabel: positive_label, stratum: stratumOf(task) };
}

function importedFrom(imported: NonNullable<z.infer<typeof manifestSchema>['imported']>, file: RunFile) {
  const { format, source, sha256, has_rows } = imported;
  return { format, source, sha256, hasRows: has_rows ?? file.nRecords() > 0 };
}

/** As it was scored when it was made; an older file says so only of its task. */
function scoringWith(
  manifest: Manifest,
  task: ReturnType<typeof taskFrom> | null,
  overrides: ReadRunOptions,
): ScoringOptions {
  const { positiveLabel, pack, ...rest } = task ?? {
    positiveLabel: null,
    pack: null,
    labels: [],
    ordered: false,
    stratum: DEFAULT_STRATUM,
  };
  const ofTask = scoringFor({
    ...rest,
    ...(pack && { pack }),
    ...(positiveLabel !== null && { positiveLabel }),
  });
  return { ...ofTask, ...scoringOf(manifest.scoring).scoring, ...overrides };
}

/** Metrics of one's own are functions, which no file holds: their scores are those of the run's end. */
function withOwnMetrics(card: Scorecard, manifest: Manifest, { bundle }: ReadRunOptions): Scorecard {
  const { metricNames } = scoringOf(manifest.scoring);
  if (metricNames === null || bundle !== undefined) return card;
  const scored = new Map([
    ...storedScores(manifest),
    ...card.scores.map((score) => [score.name, score] as const),
  ]);
  return { ...card, scores: metricNames.flatMap((name) => scored.get(name) ?? []) };
}

/** A key that no row has is a typing mistake, not an empty result. */
function checkGroups(keys: readonly string[], { subgroups, nScored }: Scorecard): void {
  for (const key of nScored === 0 ? [] : keys) {
    if (subgroups.every(({ by, groups }) => by !== key || groups.length === 0))
      throw new KrisisError(`--group-by: no row has metadata.${key}`, { value: key });
  }
}

function namesIn(counts: unknown): { name: string }[] {
  return typeof counts === 'object' && counts !== null ? Object.keys(counts).map((name) => ({ name })) : [];
}

function* rowsOf(file: RunFile, repeats: number): Generator<BenchmarkRow> {
  const prompts = new Map(file.templates().map(({ id, prompt }) => [id, prompt as BenchmarkRow['prompt']]));
  for (const { promptTemplate, ...row } of file.rows({ all: true, nRepeats: repeats }))
    yield { ...row, prompt: promptTemplate === null ? null : (prompts.get(promptTemplate) ?? null) };
}
