import { existsSync } from 'node:fs';
import { sourceRows } from '../analyses/confidence-sources/source-rows.ts';
import { withSequences } from '../analyses/early-stop/sequence-intervals.ts';
import type { Judging } from '../analyses/judging/judging.ts';
import { analyseRun, startCollectors, withAddedScores } from '../analyses/registry.ts';
import { ownReview } from '../analyses/review/run-review.ts';
import { pick } from '../core/collections.ts';
import { KrisisError } from '../core/errors.ts';
import type { EvaluationResult } from '../core/evaluation-result.ts';
import { nScored } from '../core/ledger.ts';
import { missingKeyText } from '../core/near-names.ts';
import { getStratum } from '../core/patient-record.ts';
import { type RowTable, RowTableBuilder } from '../metrics/columns.ts';
import { DEFERRAL_REASONS } from '../metrics/deferral/decision-groups.ts';
import { buildFigures, type Figures } from '../metrics/figures.ts';
import { keysToKeep, type Scorecard, type ScoringOptions, scoreTable } from '../metrics/score.ts';
import { DEFAULT_LEVEL, defaultResamples } from '../statistics/score-options.ts';
import { reviewPath } from '../store/review/review-file.ts';
import type { Run } from '../store/run.ts';
import { RunFile } from '../store/run-file.ts';
import type { Row } from '../store/tables.ts';
import { type Exclusions, excludedVersion } from '../suites/exclusions.ts';
import { aboutRun, actLabelsError, withActLabels } from './about-run.ts';
import { type Extras, readExtras } from './execution.ts';
import { publishedFigures } from './import/published-figures.ts';
import { makeResult } from './make-result.ts';
import { answerLedger, cardWithoutRows, createCard, publishedScores } from './published-scores.ts';
import type { ReadRunOptions } from './read-options.ts';
import { readStoredReport } from './report.ts';
import type { RunResult } from './run-result.ts';
import { readScoring, scoringFor, tableOptionsFor } from './scoring-for.ts';

/**
 * Reads a run file. Its rows are scored again with the settings of its manifest, so the numbers are those of the run; `overrides` change the scoring, never the rows. Answers to open
 * questions are scored from the stored verdicts: no model is called. What a file of another framework does not say is null.
 *
 * @throws KrisisError when there is no such file, it is not a run file, no row has a key to group by, or the judge asked for has not judged it.
 *
 * @example
 * ```ts
 * const { mkdtempSync, rmSync } = process.getBuiltinModule('node:fs');
 * const { tmpdir } = process.getBuiltinModule('node:os');
 * const folder = mkdtempSync(`${tmpdir()}/krisis-`);
 * const suite = new CkdSuite({ task: 'detection', nRecords: 20, testSize: 1 });
 * const backend = await createBackend('baseline/guideline', suite, { seed: 42 });
 * await run({ suite, backend, krisisVersion: '1', seed: 42, batchSize: 8, maxConcurrency: 1, path: `${folder}/run.db` });
 * const result = readRun(`${folder}/run.db`, { resamples: 100 });
 * [result.backendName, result.status, result.n, [...result.rows()].length] // => ['baseline/guideline', 'complete', 20, 20]
 * rmSync(folder, { recursive: true });
 * ```
 */
export function readRun(path: string, overrides: ReadRunOptions = {}): RunResult {
  const { review, problem } =
    overrides.review === undefined ? ownReview(path) : { review: overrides.review, problem: null };
  return RunFile.use(
    path,
    (file) => evaluate(file, { ...overrides, review, reviewProblem: problem }).result,
    leavingOut(overrides.exclude),
  );
}

/**
 * A run for a reader: with the numbers of the report that its file keeps, or, where that does not fit, from the rows. It does not fit where other numbers are asked for, people labelled
 * the run, or entries came after the report. A decision rests on `readRun`, which never trusts the report.
 */
export function openRun(path: string, overrides: ReadRunOptions = {}): RunResult {
  const isAsStored = Object.values(overrides).every((value) => value === undefined);
  const stored = isAsStored && !existsSync(reviewPath(path)) ? RunFile.use(path, storedRun) : null;
  return stored ?? readRun(path, overrides);
}

/** The run as the report in its file describes it; null where that does not fit. No row is read. */
export function storedRun(file: RunFile): RunResult | null {
  const report = readStoredReport(file);
  if (report === null || file.status() === 'running') return null;
  const manifest = file.manifest();
  const about = aboutRun(manifest, file);
  return makeResult({
    ...collectFacts(file, about, {}),
    ...pick(report, ['card', 'figures', 'analyses']),
    numbersFrom: 'stored_report',
    analyse: (id, options) => readRun(file.path).analyse(id, options),
    extras: readExtras(file, manifest, { repeats: about.repeats, promptModes: [] }),
  });
}

export interface EvaluateOptions extends ReadRunOptions {
  /** What the end of the run is about to write. */
  readonly end?: {
    readonly manifest: Pick<Run, 'status' | 'stoppedBecause'> & Partial<Pick<Run, 'scoring'>>;
    extras(promptModes: readonly string[]): Extras;
    readonly nothingAsked: boolean;
  };
  /** The suite's own description. Default: its file form. */
  readonly suiteDescription?: RunResult['suiteDescription'];
  /** Why the review beside the run file could not be read. Default: null. */
  readonly reviewProblem?: string | null;
}

/** Scores the rows of a store: the result, and for labels the table of its rows. A result of a file needs the path only: it opens the file for its rows. */
export function evaluate(
  file: RunFile,
  options: EvaluateOptions,
): { result: RunResult; table: RowTable | null } {
  const { end } = options;
  const manifest = { ...file.manifest(), ...end?.manifest };
  const stored = withoutExcluded(aboutRun(manifest, file), options.exclude);
  const about = withActLabels(stored, options.actLabels, file.path);
  const { repeats } = about;
  const isText = about.task?.kind === 'text';
  const {
    promptModes = ['single'],
    table = null,
    analysed = null,
    ...scored
  }: Partial<ReturnType<typeof scoreLabels>> = isText ? {} : scoreLabels(file, manifest, about, options);
  const extras = end ? end.extras(promptModes) : readExtras(file, manifest, { repeats, promptModes });
  const run = { ...about, status: manifest.status ?? file.status(), nRecords: file.records.count(), extras };
  const { results: analyses, analyse } = analyseRun(
    { run, file, failures: file.failures(repeats), ...analysed?.input },
    analysed?.collectors,
    options,
  );
  const card = scored.card ?? createAnswerCard(analyses, options);
  const result = makeResult({
    ...collectFacts(file, about, options),
    ...scored,
    card: withAddedScores(card, analyses),
    analyses,
    analyse,
    numbersFrom: 'rows',
    extras,
  });
  return { result, table };
}

/** The facts of a result that need no row. */
function collectFacts(
  file: RunFile,
  about: ReturnType<typeof aboutRun>,
  { end, exclude, ...options }: EvaluateOptions,
) {
  const path = file.isInMemory ? null : file.path;
  return {
    ...about,
    analyses: {},
    analyse: () => null,
    figures: null,
    published: null,
    reviewProblem: options.reviewProblem ?? null,
    excluded: exclude ?? null,
    confidenceSource: options.confidenceFrom ?? 'stated',
    path,
    fileIdentity: path === null || file.identity === '' ? null : file.identity,
    suiteDescription: options.suiteDescription ?? about.suite,
    status: end?.manifest.status ?? file.status(),
    nothingAsked: end?.nothingAsked ?? false,
    nRecords: file.records.count(),
    rows: () => allRows(file, about.repeats, exclude),
    scoredRows: () => allScoredRows(file, about.repeats, exclude),
    close: () => {},
  };
}

/** The scorecard of answers in text, to which the judge adds the scores. */
function createAnswerCard(analyses: RunResult['analyses'], { level, resamples }: EvaluateOptions): Scorecard {
  const { answers } = analyses.verdicts as Judging;
  const ledger = answerLedger(answers);
  const nQuestions = new Set(answers.map(({ id }) => id)).size;
  return createCard(
    { task: null, n: ledger.n, nScored: nScored(ledger), ledger, scores: [] },
    { ...(level !== undefined && { level }), resamples: resamples ?? defaultResamples(nQuestions) },
  );
}

/** The charts of a run that stopped early: an interval for a fixed number of rows would not hold, so none is drawn. */
function withoutIntervals(figures: Figures): Figures {
  const none = { lower: null, upper: null } as const;
  return {
    ...figures,
    reliability: figures.reliability.map((bin) => ({ ...bin, ...none })),
    dots: figures.dots.map((dot) => ({ ...dot, ...none })),
  };
}

function scoreLabels(
  file: RunFile,
  manifest: Run,
  about: ReturnType<typeof aboutRun>,
  options: EvaluateOptions,
) {
  const { resamples, bundle, groupBy, cluster, level, metrics } = options;
  const { confidenceFrom = 'stated' } = options;
  const { task, imported } = about;
  // Decided by vote, a record is one row.
  const repeats = confidenceFrom === 'repeats' ? 1 : about.repeats;
  if (imported?.hasRows === false) {
    const published = publishedFigures(publishedScores(manifest), level ?? DEFAULT_LEVEL);
    return {
      card: cardWithoutRows(manifest, level),
      published,
      promptModes: [],
      table: null,
      analysed: null,
    };
  }
  // As the run was scored when it was made; an imported run may say only what its task is.
  const scoring: ScoringOptions = {
    ...scoringFor(task ?? { labels: [], ordered: false, stratum: getStratum(null) }),
    ...(manifest.cluster !== null && { cluster: manifest.cluster }),
    ...readScoring(manifest.scoring).scoring,
    ...definedOnly({ resamples, bundle, groupBy, cluster, level, metrics }),
  };
  const collectors = startCollectors(scoring, task);
  const isStopped = manifest.status === 'stopped_early';
  const stopEarly = isStopped ? about.stopEarly : null;
  const isStated = options.actLabels !== undefined && task?.actLabels === options.actLabels;
  const rows: EvaluationResult[] = [];
  const { table, ...scoredRows } = scoreRows(
    sourceRows(file, confidenceFrom, { ...about, labels: task?.labels ?? [] }),
    scoring,
    { suiteCluster: manifest.cluster, countNotRun: !isStopped },
    (row) => {
      for (const collector of collectors.values()) collector.add(row);
      if (row.urgent !== null && isStated)
        throw actLabelsError(file.path, 'its rows say whether each case is urgent', options.actLabels!);
      if (stopEarly !== null) rows.push(row);
    },
  );
  const scored =
    stopEarly === null
      ? scoredRows
      : {
          ...scoredRows,
          card: withSequences(scoredRows.card, rows, {
            stopEarly,
            repeats,
            cluster: manifest.cluster,
            batchSize: manifest.identity.batchSize ?? 1,
            labels: task?.labels ?? [],
            scoring,
          }),
        };
  checkGroups(groupBy ?? [], scored.card, () => metadataKeys(file, about.repeats));
  // Stored scores are of the stated confidence, and of all records.
  const isAsStored = !bundle && !metrics && !options.exclude && confidenceFrom === 'stated';
  const card = isAsStored ? withOwnMetrics(scored.card, manifest, file) : scored.card;
  const figures = buildFigures(table, {
    labels: task?.labels,
    subgroups: card.subgroups,
    level: card.method.level,
    positiveLabel: task?.positiveLabel,
  });
  return {
    ...scored,
    card,
    figures: stopEarly === null ? figures : withoutIntervals(figures),
    table,
    analysed: {
      input: { table, card, scoring, repeats, rows: () => allRows(file, about.repeats, options.exclude) },
      collectors,
    },
  };
}

/** The rows of a run, scored. Rows are read one by one into columns; nothing else of them is kept. `onRow` is shown each on the way. */
function scoreRows(
  rows: ReturnType<typeof sourceRows>,
  scoring: ScoringOptions,
  { suiteCluster, countNotRun }: { readonly suiteCluster: string | null; readonly countNotRun: boolean },
  onRow: (row: EvaluationResult) => void,
) {
  const builder = new RowTableBuilder({
    keep: [...keysToKeep(scoring), DEFERRAL_REASONS],
    ...tableOptionsFor(scoring),
    countNotRun,
  });
  const promptModes = new Set<string>();
  for (const row of rows) {
    builder.add(row);
    onRow(row);
    if (row.state !== 'not_run') promptModes.add(row.promptMode);
  }
  const table = builder.finish();
  return {
    table,
    card: scoreTable(table, scoring.cluster === suiteCluster ? withKnownCluster(scoring, table) : scoring),
    promptModes: [...promptModes].sort(),
  };
}

/** A suite may name a key that none of the rows so far has. */
function withKnownCluster({ cluster, ...scoring }: ScoringOptions, { scored }: RowTable): ScoringOptions {
  const isKnown = cluster !== undefined && (scored.metadata.get(cluster)?.values.length ?? 0) > 0;
  return isKnown ? { ...scoring, cluster } : scoring;
}

function definedOnly<T extends object>(values: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const defined = Object.entries(values).filter(([, value]) => value !== undefined);
  return Object.fromEntries(defined) as { [K in keyof T]?: Exclude<T[K], undefined> };
}

/** A file cannot hold metrics of the user's own, which are functions: their scores are those of the run's end. */
function withOwnMetrics(card: Scorecard, manifest: Run, file: RunFile): Scorecard {
  const { metricNames } = readScoring(manifest.scoring);
  if (metricNames === null) return card;
  const stored = readStoredReport(file)?.card.scores ?? [];
  const scored = new Map([...stored, ...card.scores].map((score) => [score.name, score]));
  return { ...card, scores: metricNames.flatMap((name) => scored.get(name) ?? []) };
}

/** A key that no row has is a typing mistake, not an empty result. */
function checkGroups(
  keys: readonly string[],
  { subgroups, nScored }: Scorecard,
  known: () => Iterable<string>,
): void {
  for (const key of nScored === 0 ? [] : keys) {
    if (subgroups.every(({ by, groups }) => by !== key || groups.length === 0))
      throw new KrisisError(
        `cannot group by ${key}: ${missingKeyText('case', key, known())} (runs of protected suites keep the groups that the suite declares)`,
        {
          value: key,
          code: 'ERR_GROUP_KEY_NOT_FOUND',
        },
      );
  }
}

function metadataKeys(file: RunFile, repeats: number): Set<string> {
  const keys = new Set<string>();
  for (const { metadata } of file.rows.readScored(repeats))
    for (const key of Object.keys(metadata)) keys.add(key);
  return keys;
}

function leavingOut(exclude: Exclusions | undefined): { leftOut?: readonly string[] } {
  return exclude === undefined ? {} : { leftOut: exclude.records.map(({ id }) => id) };
}

/** What is said of the run without some records: it is of another version of the suite, and what the baselines scored on all records is not said. */
function withoutExcluded(
  about: ReturnType<typeof aboutRun>,
  exclude: Exclusions | undefined,
): ReturnType<typeof aboutRun> {
  if (exclude === undefined) return about;
  return { ...about, suiteHash: excludedVersion(about.suiteHash, exclude), baselines: [] };
}

/** All rows, for one walk: a result outlives the file that it was read from, so that the file is opened again. */
function* allRows(file: RunFile, repeats: number, exclude: Exclusions | undefined): Generator<Row> {
  yield* reopened(file, exclude, ({ rows }) => rows.read({ all: true, nRepeats: repeats }));
}

function* allScoredRows(
  file: RunFile,
  repeats: number,
  exclude: Exclusions | undefined,
): Generator<EvaluationResult> {
  yield* reopened(file, exclude, ({ rows }) => rows.readScored(repeats));
}

function* reopened<T>(
  file: RunFile,
  exclude: Exclusions | undefined,
  read: (file: RunFile) => Iterable<T>,
): Generator<T> {
  const own = file.isInMemory ? file : RunFile.read(file.path, leavingOut(exclude));
  try {
    yield* read(own);
  } finally {
    if (own !== file) own.close();
  }
}
