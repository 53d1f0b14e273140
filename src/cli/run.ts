import { relative } from 'node:path';
import { KrisisError } from '../core/index.ts';
import { type FileRun, planRun, type QuestionRun, type RunPlan, runToFile } from '../engine/index.ts';
import type { ScoringOptions } from '../metrics/index.ts';
import { type Backend, createBackend, isApiModel, PROVIDERS } from '../models/index.ts';
import { planText, runsJson, runsText, verdictsText } from '../reports/index.ts';
import { gateExitCode } from '../results/index.ts';
import { type AnySuite, isQuestionSuite, type QuestionSuite } from '../suites/index.ts';
import { type AnyCommand, anyCommand } from './any-command.ts';
import type { KrisisConfig } from './config/config.ts';
import { loadConfig } from './config/load-config.ts';
import { withGateOptions } from './gate-options.ts';
import { onInterrupt } from './interrupt.ts';
import { LiveLine } from './live-line.ts';
import { apiOptions } from './options/api-options.ts';
import { refuseIgnored } from './options/ignored.ts';
import { addOptions, typedValues } from './options/option.ts';
import { RUN_OPTIONS, type RunValues } from './options/run-options.ts';
import { checkRuns, planRunGates } from './run-gates.ts';
import { openShared } from './run-settings.ts';
import { addSuiteOptions, optionalSuiteCommand, suiteOf } from './suite-options.ts';
import { packageVersion } from './version.ts';

const INCOMPLETE = 3;
const INTERRUPTED = 130;
/** What `auto` means for backends that need no network: more calls at once bring nothing there. */
const LOCAL_CONCURRENCY = 4;

const DEMO = {
  suite: 'ckd/staging',
  models: [
    'baseline/majority',
    'baseline/guideline',
    'baseline/guideline-defer',
    'baseline/logistic',
    'simulated/careful',
    'simulated/overconfident',
  ],
};

const NOTES = `
Without arguments: a demonstration on a generated kidney-disease cohort, with baselines and two simulated models. No key, no network.

Models: ${PROVIDERS.join('/, ')}/ and the provider's name of the model (keys come from the environment: OPENAI_API_KEY, ANTHROPIC_API_KEY, ...);
baseline/majority|random|always-defer|guideline|guideline-defer|logistic, simulated/careful|overconfident|guesser|flaky
(simulated/careful?accuracy=0.8&malformed=0.1 changes settings), replay/FILE, or a backend of your config.

Open questions (a file of questions, open/clinical or open/bcl2) are answered in text and judged: --judge openai/MODEL, or baseline/lexical without a key.

Examples:
  krisis run ckd/staging --model openai/gpt-5-mini --limit 100 --budget 2
  krisis run ckd/staging --model ollama/llama3.2 --batch-size 1
  krisis run open/clinical --model openai/gpt-5-mini --judge anthropic/claude-sonnet-4-5
  krisis run my-table.yaml --model openai-compatible/my-model --base-url http://127.0.0.1:8000/v1

The same command continues a run that was interrupted. Exit codes: 0 done, 1 a condition (--assert, --non-inferior) failed, 2 usage or bad
input, 3 incomplete (rows failed beyond --fail-on-error) or a condition cannot be decided, 130 interrupted.`;

/** `krisis run`: a suite against one model or several, a run file each. */
export function runCommand(argv: readonly string[]): AnyCommand {
  const command = commandWithOptions();
  addSuiteOptions(command, argv);
  return anyCommand(
    command.action((name, flags) =>
      runModels(name, flags, typedValues(command, RUN_OPTIONS), (suite, own) => suiteOf(command, suite, own)),
    ),
  );
}

function commandWithOptions() {
  const command = withGateOptions(optionalSuiteCommand('run'))
    .description('run a benchmark; without arguments, a demonstration that needs no key')
    .addHelpText('after', NOTES);
  addOptions(command, RUN_OPTIONS);
  return command;
}

/** The config's settings under what was typed. */
type Given = NonNullable<KrisisConfig['run']> & RunValues;

type SuiteAndGateFlags = ReturnType<ReturnType<typeof commandWithOptions>['opts']>;

async function runModels(
  name: string | undefined,
  flags: SuiteAndGateFlags,
  typed: RunValues,
  find: (name: string, own: KrisisConfig['suites']) => Promise<AnySuite>,
): Promise<void> {
  const config = await loadConfig(flags.config);
  const given: Given = { ...config.run, ...typed };
  const isDemo = name === undefined && given.model === undefined;
  const suite = await find(name ?? DEMO.suite, config.suites);
  if (isQuestionSuite(suite)) return runOpenQuestions(suite, flags, typed, config);
  refuseIgnored(typed, 'labels', name ?? DEMO.suite);
  const settings = runSettings(given, config);
  const models = settings.models ?? (isDemo ? DEMO.models : undefined);
  if (models === undefined)
    throw new KrisisError(
      `which model? Give --model, e.g. --model simulated/careful (krisis run --help lists them)`,
    );
  if (given.run !== undefined && models.length > 1)
    throw new KrisisError(
      '--run names one file, and several models need one each: leave --run out, or give one model',
    );
  const api = apiOptions(given);
  checkBaseUrl(api.baseUrl, models);
  const seed = given.seed ?? 42;
  const scored = { suite, scoring: scoringOptions(given, config), ownMetrics: config.metrics ?? [] };
  const plan = await planRunGates(flags, scored);
  const backends: Backend[] = [];
  for (const model of models)
    backends.push(
      await createBackend(model, suite, {
        seed,
        own: config.backends ?? [],
        api,
      }),
    );
  if (given.dryRun) return printPlan(suite.name, await planRun(suite, backends, settings), given.json);
  if (isDemo && !given.json)
    process.stderr.write(
      `demonstration: ${DEMO.suite} on a generated cohort, ${models.length} models, nothing leaves this machine\n`,
    );

  const shared = openShared(backends, settings.useCache);
  const interrupt = onInterrupt();
  const runs: { model: string; run: FileRun }[] = [];
  for (const backend of backends) {
    if (interrupt.signal.aborted) break;
    const line = new LiveLine(backend.name);
    const run = await runToFile({
      suite,
      backend,
      krisisVersion: packageVersion(),
      seed,
      ...settings,
      maxConcurrency:
        settings.maxConcurrency === 'auto' && backend.destination === undefined
          ? LOCAL_CONCURRENCY
          : settings.maxConcurrency,
      cache: shared.cache,
      waits: shared.waits,
      path: given.run,
      startNew: given.new,
      scoring: scored.scoring,
      ownMetrics: config.metrics,
      signal: interrupt.signal,
      onProgress: (progress) => line.update(progress),
      onStart: (path, continued) => {
        if (continued) process.stderr.write(`continuing ${relative('.', path)}\n`);
      },
    });
    line.clear();
    runs.push({ model: backend.name, run });
    if (run.status === 'stopped') break;
  }
  interrupt.stop();
  shared.close();
  const verdicts = checkRuns(plan, runs, scored.ownMetrics);
  process.stdout.write(
    given.json ? runsJson(runs, verdicts) : `${runsText(runs, suite)}${verdictsText(verdicts)}`,
  );
  const code = exitCode(runs, settings.failOnError, interrupt.signal.aborted);
  const judged = gateExitCode(verdicts);
  process.exitCode = code !== INTERRUPTED && judged === 1 ? judged : code || judged;
}

/** Open questions: answered by each model, judged by one judge. */
async function runOpenQuestions(
  suite: QuestionSuite,
  flags: SuiteAndGateFlags,
  typed: RunValues,
  config: KrisisConfig,
): Promise<void> {
  refuseIgnored(typed, 'text', suite.name);
  const plan = await planRunGates(flags, { suite, scoring: {}, ownMetrics: [] });
  // Loaded on demand: runs with labels do not need it.
  const { findAnswerer, findJudge, printQuestionRuns, questionRun } = await import('./question-run.ts');
  const given: Given = { ...config.run, ...typed };
  const settings = runSettings(given, config);
  const judgeName = given.judge;
  if (settings.models === undefined || judgeName === undefined)
    throw new KrisisError(
      `open questions need a model and a judge: --model M --judge J, e.g. --model baseline/reference --judge baseline/lexical, which need no key`,
    );
  const own = config.backends ?? [];
  const api = apiOptions(given);
  checkBaseUrl(api.baseUrl, settings.models);
  const judge = await findJudge(judgeName, {
    own,
    api: { ...api, ...(given.judgeBaseUrl && { baseUrl: given.judgeBaseUrl }) },
  });
  const backends: Backend[] = [];
  for (const model of settings.models) backends.push(await findAnswerer(model, suite, { own, api }));
  if (given.dryRun) {
    const { passes, buckets } = given;
    const plan = await planRun(suite, backends, { ...settings, judge, passes, buckets });
    return printPlan(suite.name, plan, given.json);
  }
  const shared = openShared([...backends, ...(judge.backend ? [judge.backend] : [])], settings.useCache);
  const interrupt = onInterrupt();
  const runs: QuestionRun[] = [];
  for (const backend of backends) {
    if (interrupt.signal.aborted) break;
    const run = await questionRun(suite, backend, judge, {
      ...settings,
      cache: shared.cache,
      waits: shared.waits,
      passes: given.passes,
      buckets: given.buckets,
      seed: typed.seed ?? 42,
      krisisVersion: packageVersion(),
      path: given.run,
      startNew: given.new,
      signal: interrupt.signal,
    });
    runs.push(run);
    if (run.status === 'stopped') break;
  }
  interrupt.stop();
  shared.close();
  const verdicts = checkRuns(
    plan,
    runs.map((run) => ({ model: run.backendName, run })),
  );
  const isComplete = await printQuestionRuns(runs, {
    json: given.json ?? false,
    failOnError: settings.failOnError,
    verdicts,
  });
  const code = interrupt.signal.aborted ? INTERRUPTED : isComplete ? 0 : INCOMPLETE;
  const checked = gateExitCode(verdicts);
  process.exitCode = code !== INTERRUPTED && checked === 1 ? checked : code || checked;
}

/** What `--dry-run` prints. */
function printPlan(suite: string, plan: readonly RunPlan[], json: boolean | undefined): void {
  process.stdout.write(
    json ? `${JSON.stringify({ dry_run: true, suite, plan }, null, 2)}\n` : planText(plan),
  );
}

/** What was typed, then the config, then the defaults. */
function runSettings(given: Given, { allowEgress }: KrisisConfig) {
  const { model } = given;
  return {
    models: typeof model === 'string' ? [model] : model,
    batchSize: given.batchSize ?? 8,
    maxConcurrency: given.maxConcurrency ?? ('auto' as const),
    requestsPerMinute: given.rpm,
    tokensPerMinute: given.tpm,
    budgetUsd: given.budget,
    allowEgress: [...(allowEgress ?? []), ...(given.allowEgress ?? [])],
    repeats: given.repeat ?? 1,
    arm: given.arm,
    limit: given.limit,
    useCache: given.cache !== false,
    failOnError: given.failOnError ?? 0,
  };
}

/** How scores are made: flags before what the config says of scoring; task and labels are the suite's own. */
function scoringOptions(given: Given, { score = {} }: KrisisConfig): ScoringOptions {
  const { bootstrap, confidencePolicy: _, task: _t, positiveLabel: _p, labels: _l, ...configured } = score;
  const resamples = given.bootstrap ?? bootstrap;
  return {
    ...configured,
    ...(resamples === undefined ? {} : { resamples }),
    ...(given.groupBy && { groupBy: given.groupBy }),
    ...(given.bundle && { bundle: given.bundle }),
  };
}

/** One address cannot be that of two providers, and one's key must not go to the other's. */
function checkBaseUrl(baseUrl: string | undefined, models: readonly string[]): void {
  const providers = new Set(models.filter(isApiModel).map((model) => model.slice(0, model.indexOf('/'))));
  if (baseUrl !== undefined && providers.size > 1)
    throw new KrisisError(
      `--base-url is the address of one provider, and the models are of ${[...providers].join(' and ')}: run them one after the other`,
    );
}

function exitCode(runs: readonly { run: FileRun }[], allowed: number, aborted: boolean): number {
  if (aborted) return INTERRUPTED;
  const incomplete = runs.some(
    ({ run }) => run.status !== 'complete' || (run.card.n - run.card.nScored) / run.card.n > allowed,
  );
  if (!incomplete) return 0;
  for (const { run } of runs) {
    if (run.status === 'stopped') process.stderr.write(`krisis: stopped: ${run.stoppedBecause}\n`);
    const failed = run.card.n - run.card.nScored - run.card.ledger.not_run;
    if (failed > 0)
      process.stderr.write(
        `krisis: ${failed} of ${run.card.n} rows failed (--fail-on-error 0.05 would tolerate 5 %)\n`,
      );
  }
  return INCOMPLETE;
}
