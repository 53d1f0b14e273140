import { existsSync } from 'node:fs';
import { type CompareOptions, compareRuns, readTable } from '../analyses/comparison/compare-runs.ts';
import type { Comparison, PairedComparison } from '../analyses/comparison/comparison.ts';
import { comparisonDocument } from '../analyses/comparison/comparison-document.ts';
import { whyDifferentRecords } from '../analyses/comparison/comparison-warnings.ts';
import { findFlips } from '../analyses/comparison/flips.ts';
import { pairRecords } from '../analyses/comparison/pair-records.ts';
import { pairId } from '../analyses/comparison/pairs-section.ts';
import { recordSets } from '../analyses/comparison/record-sets.ts';
import { isJudged } from '../analyses/judging/judged-result.ts';
import { recordIndex } from '../analyses/record-index/record-index.ts';
import { KrisisError } from '../core/errors.ts';
import { link, list } from '../reports/document/blocks.ts';
import type { Inline } from '../reports/document/document.ts';
import { counted } from '../reports/words.ts';
import type { ReadRunOptions } from '../runs/read-options.ts';
import { readRun, storedRun } from '../runs/read-run.ts';
import type { RunResult } from '../runs/run-result.ts';
import { overlaidCharts } from '../runs/sections/confidence.ts';
import { reviewPath } from '../store/review/review-file.ts';
import { RunFile } from '../store/run-file.ts';
import type { ComparePayload, RunLine } from './api.ts';
import { buildAddress } from './build-address.ts';
import { hidesText, type OpenRun, type OpenRuns } from './open-runs.ts';
import { pairGrid } from './pair-grid.ts';
import { labelAmong, NOT_EXPORTED } from './withhold-text.ts';

/** Enough to look at; `krisis compare` draws more, for publication. */
const RESAMPLES = 500;
/** An export compares every pair of a suite: of more runs than this, the newest. */
const MAX_COMPARED = 12;

/** Runs that are compared: the first is the baseline. */
export interface ComparedRuns {
  readonly runs: readonly string[];
}

/** Runs side by side, the first as the baseline. */
export function comparePayload(
  runs: OpenRuns,
  { runs: ids, analyses }: ComparedRuns & Pick<ReadRunOptions, 'analyses'>,
): ComparePayload {
  const found = ids.map((id) => runs.find(id));
  const options = analyses?.comparison ?? {};
  return runs.cached('compare', found, () => compared(runs, found, options), JSON.stringify(options));
}

/** Runs in a comparison are called by letters; A is the baseline. */
function toLetter(place: number): string {
  return String.fromCharCode('A'.charCodeAt(0) + place);
}

/** What the runs are called: by letter and model. */
export function comparedNames(results: readonly RunResult[]): string[] {
  return results.map(({ backendName }, r) => `${toLetter(r)}: ${backendName}`);
}

/** Reads the rows of runs for all payloads of a comparison once. */
export function tableReader(runs: OpenRuns, found: readonly OpenRun[]) {
  return (result: RunResult, keep: readonly string[] = []) => {
    const run = found.find(({ path }) => path === result.path);
    const read = () => readTable(result, keep);
    return run === undefined ? read() : runs.table(run, keep.join('\n'), read);
  };
}

function compared(runs: OpenRuns, found: readonly OpenRun[], options: CompareOptions): ComparePayload {
  const lines = found.map(({ line }) => line);
  const whyNot = whyNotCompared(lines);
  const results = found.map((run) => openResult(runs, run, RESAMPLES));
  // Verification comes before the rows: it names a file whose pages are there twice.
  for (const result of results) void result.verification;
  const names = comparedNames(results);
  const alone = { runs: lines, alerts: [], warnings: [], flips: [], ...curves(results, names) };
  if (whyNot !== null) return { ...alone, reason: whyNot };
  try {
    const comparison = compareRuns(results, {
      resamples: RESAMPLES,
      ...options,
      baseline: results[0],
      names,
      read: tableReader(runs, found),
    });
    const { alerts = [], warnings, sections } = buildDocument(comparison, results, lines);
    const reason =
      comparison.pairs.length > 0 ? null : (comparison.notPaired[0]?.message ?? 'the runs cannot be paired');
    return {
      runs: lines,
      reason,
      alerts,
      warnings,
      sections,
      ...(lines.some(hidesText) && {
        sections_without_text: buildDocument(withoutAnswers(comparison, results), results, lines).sections,
      }),
      flips: comparison.pairs.map(({ flips }) => ({
        only_a: flips.onlyBaselineRight.map(({ id }) => id),
        only_b: flips.onlyModelRight.map(({ id }) => id),
      })),
    };
  } catch (error) {
    // A damaged file is an error, not a reason why two good ones do not fit.
    if (!(error instanceof KrisisError) || error.code === 'ERR_RUN_FILE') throw error;
    return { ...alone, reason: error.message };
  }
}

/** What is left of a comparison of runs that cannot be paired. */
function curves(results: readonly RunResult[], names: readonly string[]): Pick<ComparePayload, 'sections'> {
  if (results.some(isJudged)) return { sections: [] };
  const drawn = results.map(({ figures }, r) => ({ name: names[r]!, figures }));
  return { sections: [overlaidCharts(drawn, recordSets(results))] };
}

/** The report of a comparison. Its sections of pairs lead to the records on which the two differ. */
function buildDocument(
  comparison: Comparison,
  reports: readonly RunResult[],
  [a, ...others]: readonly RunLine[],
) {
  const document = comparisonDocument(comparison, { reports });
  const sections = document.sections.flatMap((section) => {
    // The first look at a comparison has it.
    if (section.id === 'against') return [];
    if (section.id === 'order') return pairGrid(comparison, [a!, ...others]) ?? [];
    const place = comparison.pairs.findIndex((_, i) => section.id === pairId(i));
    const pair = comparison.pairs[place];
    if (pair === undefined || pair.itemFlips !== null) return section;
    return {
      ...section,
      blocks: [
        ...section.blocks,
        list(flipLinks(pair, a!, { ...others[place]!, letter: toLetter(place + 1) })),
      ],
    };
  });
  return { ...document, sections };
}

/** The lists of records that only one of two runs has right, as each of them answered. */
function flipLinks(
  { flips }: PairedComparison,
  a: RunLine,
  b: RunLine & { readonly letter: string },
): Inline[] {
  const ways = [
    { right: 'A', n: flips.onlyBaselineRight.length, inA: 'only_a', inB: 'only_b' },
    { right: b.letter, n: flips.onlyModelRight.length, inA: 'only_b', inB: 'only_a' },
  ];
  const linkToList = (here: string, there: string, side: string) =>
    `/${buildAddress('runs/:id/records', { id: here, flips: `${there}:${side}` })}`;
  return ways
    .filter(({ n }) => n > 0)
    .map(({ right, n, inA, inB }) => [
      `${counted(n, 'case')} that only ${right} has right of these two: `,
      link('as A answered', linkToList(a.id, b.id, inA)),
      ', ',
      link(`as ${b.letter} answered`, linkToList(b.id, a.id, inB)),
    ]);
}

/** A comparison without the text of answers and instructions: an instruction of a rubric may repeat the case that it is about. */
function withoutAnswers(comparison: Comparison, [first]: readonly RunResult[]): Comparison {
  const { facets = { label: [] } } = recordIndex(first!) ?? {};
  const isLabel = labelAmong((first!.task?.labels ?? []).map(String), facets);
  const masked = (key: string, value: unknown) => {
    if (key === 'instruction') return NOT_EXPORTED;
    return key === 'prediction' && value !== null && !isLabel(String(value)) ? null : value;
  };
  const pairs: Comparison['pairs'] = JSON.parse(JSON.stringify(comparison.pairs, masked));
  return { ...comparison, pairs };
}

/** Why runs of a kind have no records that only one of them has right. */
const WHY_NO_FLIPS: Readonly<Record<RunLine['kind'], string | null>> = {
  labels: null,
  questions: 'answers to open questions have no label',
};

/** The records that only one of the two has right. */
export function flipIds(
  runs: OpenRuns,
  here: OpenRun,
  there: OpenRun,
): { only_a: Set<string>; only_b: Set<string> } {
  const whyNot = WHY_NO_FLIPS[here.line.kind] ?? whyNotCompared([here.line, there.line]);
  if (whyNot !== null) throw new KrisisError(`flips: ${whyNot}`, { code: 'ERR_RUNS_NOT_COMPARABLE' });
  const results = [here, there].map((run) => openResult(runs, run, 0));
  const [ours, theirs] = results.map((result) => readTable(result));
  const flips = findFlips(pairRecords(ours!, theirs!), results[0]!.primaryEndpoint?.metric ?? null);
  return {
    only_a: new Set(flips.onlyBaselineRight.map(({ id }) => id)),
    only_b: new Set(flips.onlyModelRight.map(({ id }) => id)),
  };
}

/** Why runs cannot be paired record by record; null if they can. */
export function whyNotCompared(
  runs: readonly RunLine[],
  { allowDifferentSuites = false }: Pick<CompareOptions, 'allowDifferentSuites'> = {},
): string | null {
  if (new Set(runs.map(({ kind }) => kind)).size > 1)
    return 'runs of open questions and runs with labels cannot be compared';
  if (runs.some(({ suite_hash }) => suite_hash === null))
    return 'a run has no suite hash, so it is unknown whether all have the same cases';
  if (!allowDifferentSuites && new Set(runs.map(({ suite_hash }) => suite_hash)).size > 1)
    return `${whyDifferentRecords(runs.map(({ suite, suite_hash }) => ({ suiteName: suite, suiteHash: suite_hash })))}; run the models on the same version of the suite, with the same limits and seed`;
  return null;
}

/** A run from the report that its file keeps, or, where that does not fit, from its rows. The same result as before while the file has not changed, so that the file is verified once however many others the run is compared with. */
export function openResult(runs: OpenRuns, run: OpenRun, resamples: number): RunResult {
  const { path } = run;
  const stored = runs.cached('stored result', [run], () =>
    isReviewed(path) ? null : RunFile.use(path, storedRun),
  );
  return stored ?? runs.cached('result', [run], () => readRun(path, { resamples }), String(resamples));
}

/** People's labels change scores after the report was stored. */
function isReviewed(path: string): boolean {
  return existsSync(reviewPath(path));
}

/** The runs that can be compared, by suite, newest first. */
function comparableRuns(runs: readonly RunLine[]): readonly (readonly RunLine[])[] {
  const candidates = runs.filter(({ suite_hash }) => suite_hash !== null);
  return [...Map.groupBy(candidates, ({ kind, suite_hash }) => `${kind} ${suite_hash}`).values()];
}

/** The pairs that an export compares, each once: the page shows them in this order, the older run as the baseline. */
export function pairsToCompare(runs: readonly RunLine[]): ComparedRuns[] {
  return comparableRuns(runs).flatMap((ofSuite) => {
    const compared = ofSuite.slice(0, MAX_COMPARED).toSorted(olderFirst);
    return compared.flatMap((a, i) => compared.slice(i + 1).map((b) => ({ runs: [a.id, b.id] })));
  });
}

function olderFirst(a: RunLine, b: RunLine): number {
  return Number(a.created_at > b.created_at) - Number(a.created_at < b.created_at);
}

/** What an export says of runs that it does not compare. */
export function notComparedNotes(runs: readonly RunLine[]): string[] {
  return comparableRuns(runs)
    .filter(({ length }) => length > MAX_COMPARED)
    .map(
      (ofSuite) =>
        `${ofSuite[0]!.suite}: only the newest ${MAX_COMPARED} of ${ofSuite.length} runs are compared.`,
    );
}
