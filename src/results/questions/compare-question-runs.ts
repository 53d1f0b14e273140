import { basename } from 'node:path';
import { KrisisError } from '../../core/index.ts';
import { assertLevel, DEFAULT_LEVEL, DEFAULT_SEED, holmAdjust } from '../../statistics/index.ts';
import { POWER } from '../compare/compare-endpoint.ts';
import { judgeEndpoint } from '../compare/judge-endpoint.ts';
import { modelNames } from '../compare/model-names.ts';
import { compareScore } from './compare-score.ts';
import { itemFlips } from './item-flips.ts';
import type { ComparedQuestionRun, ComparedScore, QuestionComparison } from './question-comparison.ts';
import { questionComparisonWarnings } from './question-comparison-warnings.ts';
import { comparableScores } from './question-scores.ts';
import type { QuestionReport } from './read-question-run.ts';

export interface CompareQuestionOptions {
  /** The place of the run that the others are compared with; the first unless told. */
  readonly baseline?: number | undefined;
  readonly resamples?: number | undefined;
  readonly seed?: number | undefined;
  readonly level?: number | undefined;
}

/**
 * Puts runs of open questions side by side, and compares each with the baseline question by question: every score of the rubrics with its difference, a bootstrap interval over
 * questions, a sign-flip test with Holm's adjustment over all scores and models, and the items on which the two part.
 *
 * @throws KrisisError for fewer than two runs, and for runs of different suites: their questions are not the same.
 *
 * @example
 * ```ts
 * const { mkdtempSync, rmSync } = process.getBuiltinModule('node:fs');
 * const { tmpdir } = process.getBuiltinModule('node:os');
 * const folder = mkdtempSync(`${tmpdir()}/krisis-`);
 * const suite = await findQuestionSuite('open/bcl2');
 * const backend = {
 *   ...defineBackend({ name: 'mine', evaluate: () => ({ prediction: null, abstained: true }) }),
 *   generate: async () => ({ text: 'BCL2 is on chromosome 18.', inputTokens: null, outputTokens: null }),
 * };
 * const settings = { krisisVersion: '1', seed: 42, maxConcurrency: 1, path: `${folder}/run.db` };
 * await runQuestions({ suite, backend, judge: LEXICAL_JUDGE, ...settings });
 * const report = readQuestionRun(`${folder}/run.db`);
 * const { pairs } = compareQuestionRuns([report, report]);
 * pairs[0].scores[0].difference // => 0
 * rmSync(folder, { recursive: true });
 * ```
 */
export function compareQuestionRuns(
  reports: readonly QuestionReport[],
  options: CompareQuestionOptions = {},
): QuestionComparison {
  const { resamples = 2000, seed = DEFAULT_SEED, level = DEFAULT_LEVEL, baseline: first = 0 } = options;
  if (reports.length < 2)
    throw new KrisisError(`a comparison needs two runs or more; ${reports.length} given`);
  assertLevel(level);
  const baseline = reports[first];
  if (baseline === undefined) throw new KrisisError('the baseline is not among the runs to compare');
  const suiteHash = checkSameQuestions(baseline, reports);
  const names = modelNames(reports);
  // By place, since the same run may be given twice.
  const others = reports.flatMap((_, r) => (r === first ? [] : [r]));
  const scores = comparableScores(baseline);
  const findings = others.map((r) =>
    scores.map((score) => compareScore(score, baseline, reports[r]!, { resamples, seed, level })),
  );
  const adjusted = holmAdjust(findings.flat().map(({ p }) => p));
  const pairs = others.map((r, m) => ({
    model: names[r]!,
    baseline: names[first]!,
    scores: findings[m]!.map((finding, s): ComparedScore => {
      const pHolm = adjusted[m * scores.length + s]!;
      const {
        kind: _k,
        mcnemar: _m,
        mcnemarReason: _r,
        isShare: _s,
        ...judged
      } = judgeEndpoint(finding, pHolm, { level, nModels: adjusted.length, unit: 'question' });
      return { trait: scores[s]!.trait, ...judged };
    }),
    flips: itemFlips(baseline, reports[r]!),
  }));
  return {
    suiteName: baseline.suiteName,
    suiteHash,
    models: reports.map((report, r) => comparedRun(report, names[r]!)),
    baseline: names[first]!,
    pairs,
    warnings: questionComparisonWarnings(reports, names),
    method: {
      level,
      resamples,
      seed,
      generator: 'xoroshiro128plus',
      interval: 'percentile',
      unit: 'question',
      test: 'sign_flip',
      adjustment: 'holm',
      nTests: adjusted.filter((p) => p !== null).length,
      power: POWER,
    },
  };
}

function checkSameQuestions(baseline: QuestionReport, reports: readonly QuestionReport[]): string {
  const name = ({ backendName, path }: QuestionReport) => `${backendName} (${basename(path)})`;
  const other = reports.find(({ suiteHash }) => suiteHash === null || suiteHash !== baseline.suiteHash);
  if (other === undefined) return baseline.suiteHash!;
  throw new KrisisError(
    `the runs are of different suites, so their questions or rubrics are not the same:\n  ${baseline.suiteHash}  ${name(baseline)}\n  ${other.suiteHash}  ${name(other)}\nRun both on the same file of questions`,
    { value: [baseline.suiteHash, other.suiteHash] },
  );
}

function comparedRun(report: QuestionReport, name: string): ComparedQuestionRun {
  const { extras, judge } = report;
  return {
    name,
    backendName: report.backendName,
    runFile: report.path,
    status: report.status,
    simulated: extras.simulated,
    repeats: report.repeats,
    nQuestions: report.nQuestions,
    ledger: report.ledger,
    metricTraits: report.metricTraits,
    otherTraits: report.otherTraits,
    abstention: report.abstention,
    judges: judge.names,
    isCalibrated: judge.calibration !== null,
    elapsedSeconds: extras.elapsed_seconds,
    tokens: extras.token_total,
    costUsd: extras.cost_usd,
  };
}
