import { z } from 'zod';
import { KrisisError } from '../../core/index.ts';
import type { HumanLabel } from '../../rubrics/index.ts';
import { DEFAULT_LEVEL, DEFAULT_SEED, defaultResamples } from '../../statistics/index.ts';
import { RunFile, storedRubrics } from '../../store/index.ts';
import { readExtras } from '../read-execution.ts';
import { abstentionScores } from './abstention-scores.ts';
import { judgeReport } from './judge-report.ts';
import { judgedAnswers } from './judged-answers.ts';
import { listLevel } from './list-level.ts';
import type { QuestionReport } from './question-report.ts';
import { questionTraits } from './question-traits.ts';
import { questionWarnings } from './question-warnings.ts';
import { rowLedger } from './row-ledger.ts';
import { SCORED_PASS, storedJudgements } from './stored-judgements.ts';
import { summariseMetricTraits } from './summarise-metric-traits.ts';
import { summariseOtherTraits } from './summarise-other-traits.ts';

export interface ReadQuestionRunOptions {
  /** Whose verdicts to score; the latest judge of the run unless told. */
  readonly judge?: string | undefined;
  /** What people say of the same items: calibrates the judge. They speak of the first answer to a question. */
  readonly labels?: readonly HumanLabel[] | undefined;
  /** Bootstrap resamples; 0 leaves bootstrap intervals out. Unset: 2,000. */
  readonly resamples?: number | undefined;
  readonly level?: number | undefined;
}

/**
 * Reads a run of open questions for a report, scored from the stored verdicts: no model is called. The first pass of the judge is scored; further passes tell how far it agrees with
 * itself.
 *
 * @throws KrisisError when there is no such file, when it holds no open questions, or when the judge asked for has not judged it.
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
 * report.metricTraits[0].metrics.recall.pooled.value // => 0.5
 * report.judge.calibrationReason // => 'no_labels'
 * rmSync(folder, { recursive: true });
 * ```
 */
export function readQuestionRun(path: string, options: ReadQuestionRunOptions = {}): QuestionReport {
  const file = RunFile.read(path);
  try {
    return reportOf(file, options);
  } finally {
    file.close();
  }
}

const text = z.string().nullish().catch(null);
const object = z.record(z.string(), z.unknown()).nullish().catch(null);

const manifestSchema = z.object({
  model: text,
  suite_name: text,
  suite: object,
  identity: z
    .object({ suite_hash: text, repeats: z.int().min(1).catch(1) })
    .nullish()
    .catch(null),
  sensitivity: text,
  stopped_because: text,
  created_at: text,
  krisis_version: text,
  seed: z.number().nullish().catch(null),
  parameters: object,
  egress: object,
  judge_egress: object,
  recorded: object,
  judge: z.object({ judge: z.string() }).nullish().catch(null),
});

function reportOf(file: RunFile, options: ReadQuestionRunOptions): QuestionReport {
  const manifest = file.manifest();
  if (manifest.kind !== 'text')
    throw new KrisisError(`${file.path}: holds labels, not answers to open questions`, { value: file.path });
  const known = manifestSchema.parse(manifest);
  const repeats = known.identity?.repeats ?? 1;
  const { level = DEFAULT_LEVEL, labels, resamples } = options;
  const statistics = { level, seed: DEFAULT_SEED, ...(resamples === undefined ? {} : { resamples }) };
  const judgements = storedJudgements(file, {
    wanted: options.judge ?? null,
    named: known.judge?.judge ?? null,
  });
  checkJudge(options.judge, judgements.judges, file.path);
  const rubricsOf = storedRubrics(manifest);
  const traits = new Map([...file.records()].map(({ id }) => [id, questionTraits(rubricsOf(id))]));
  const traitsOf = (id: string) => traits.get(id) ?? [];
  const hashesOf = (id: string) => rubricsOf(id).map(({ hash }) => hash);
  const names = new Set(
    [...traits.keys()].flatMap(hashesOf).flatMap((hash) => judgements.judgeOf(hash) ?? []),
  );
  const answers = judgedAnswers(file, { judgements, traitsOf, rubricsOf: hashesOf, repeats, level });
  const report: Omit<QuestionReport, 'warnings'> = {
    path: file.path,
    backendName: known.model ?? 'unknown',
    suiteName: known.suite_name ?? 'unknown',
    suiteHash: known.identity?.suite_hash ?? null,
    suite: known.suite ?? {},
    sensitivity: known.sensitivity ?? null,
    status: file.status(),
    stoppedBecause: known.stopped_because ?? null,
    createdAt: known.created_at ?? null,
    krisisVersion: known.krisis_version ?? null,
    seed: known.seed ?? null,
    parameters: known.parameters ?? {},
    egress: known.egress ?? null,
    judgeEgress: known.judge_egress ?? null,
    recorded: known.recorded ?? null,
    repeats,
    nQuestions: traits.size,
    extras: readExtras(file, manifest, { repeats, promptModes: ['single'] }),
    ledger: rowLedger(answers),
    judge: judgeReport({
      names: [...names].sort(),
      answers,
      judgements,
      traitsOf,
      labels: labels ?? null,
      level,
    }),
    metricTraits: summariseMetricTraits(answers, statistics),
    otherTraits: summariseOtherTraits(answers, statistics),
    listLevel: listLevel(file, rubricsOf, statistics),
    abstention: abstentionScores(answers, statistics),
    answers,
    method: {
      level,
      resamples: resamples ?? defaultResamples(traits.size),
      seed: DEFAULT_SEED,
      generator: 'xoroshiro128plus',
      unit: 'question',
      scoredPass: SCORED_PASS,
    },
  };
  return { ...report, warnings: questionWarnings(report, labels?.length ?? null) };
}

function checkJudge(
  wanted: string | undefined,
  judges: readonly { readonly name: string }[],
  path: string,
): void {
  if (wanted === undefined || judges.some(({ name }) => name === wanted)) return;
  const there = judges.map(({ name }) => name).join(', ') || 'nobody';
  throw new KrisisError(
    `${path}: ${wanted} has not judged this run; ${there} has: krisis judge adds a judge`,
    {
      value: wanted,
    },
  );
}
