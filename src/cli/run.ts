import { relative } from 'node:path';
import { Option } from '@commander-js/extra-typings';
import { KrisisError } from '../core/index.ts';
import { type FileRun, planRun, type QuestionRun, runToFile } from '../engine/index.ts';
import type { ScoringOptions } from '../metrics/index.ts';
import { type Backend, createBackend, isApiModel, PROVIDERS } from '../models/index.ts';
import { planText, runsJson, runsText, verdictsText } from '../reports/index.ts';
import { gateExitCode } from '../results/index.ts';
import { findSuite } from '../suites/index.ts';
import { type AnyCommand, anyCommand } from './any-command.ts';
import type { KrisisConfig } from './config/config.ts';
import { loadConfig } from './config/load-config.ts';
import { refuseGates, withGateOptions } from './gate-options.ts';
import { onInterrupt } from './interrupt.ts';
import { LiveLine } from './live-line.ts';
import { apiOptions, withModelOptions } from './model-options.ts';
import { list, shareUpTo1, wholeNumber } from './option-values.ts';
import { judgeRuns, planRunGates } from './run-gates.ts';
import { concurrency, openShared } from './run-settings.ts';
import { optionalSuiteCommand, suiteOptions } from './suite-options.ts';
import { packageVersion } from './version.ts';

const INCOMPLETE = 3;
const INTERRUPTED = 130;
/** What `auto` means for backends that need no network: more calls at once bring nothing there. */
const LOCAL_CONCURRENCY = 4;

/** Names that may mean a suite of open questions; tables have files as well. */
const QUESTIONS = /^open\/|\.(ya?ml|jsonl?)$/i;

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
export function runCommand(): AnyCommand {
  return anyCommand(commandWithOptions().action(runModels));
}

function commandWithOptions() {
  return withGateOptions(withModelOptions(optionalSuiteCommand('run')))
    .description('run a benchmark; without arguments, a demonstration that needs no key')
    .option('-m, --model <names>', 'model or models, with commas between them', list)
    .option('--arm <name>', "how the question is put (default: the task's own)")
    .option('--limit <n>', 'the first n records of a seeded, stratified order', wholeNumber(1))
    .option('--repeat <r>', 'ask every record r times', wholeNumber(1))
    .option('--batch-size <n>', 'records in one call (default: 8)', wholeNumber(1))
    .option('--max-concurrency <n>', 'calls at the same time: a number, or auto (default: auto)', concurrency)
    .option('--run <file>', 'the run file (default: one under .krisis/runs, named by what is run)')
    .option('--new', 'start anew instead of continuing an earlier run')
    .option(
      '--fail-on-error <share>',
      'share of failed rows from which on the run counts as incomplete (default: 0)',
      shareUpTo1,
    )
    .option('--bootstrap <n>', 'resamples for bootstrap intervals (default: 2000)', wholeNumber(0))
    .option('--group-by <keys>', 'compare groups of a metadata key, e.g. sex or origin', list)
    .addOption(new Option('--bundle <name>', 'how many metrics').choices(['default', 'extended'] as const))
    .option('--judge <model>', 'who judges the answers to open questions: a model, or baseline/lexical')
    .option('--judge-base-url <url>', "the judge's address, where it is not the model's")
    .option('--passes <n>', 'how often the judge reads each answer (default: 1)', wholeNumber(1))
    .option('--buckets', 'also ask the judge for the four lists directly, to compare with older results')
    .option('--dry-run', 'say what would be asked, and ask nothing')
    .option('--json', 'one JSON object on standard output')
    .addHelpText('after', NOTES);
}

type Flags = ReturnType<ReturnType<typeof commandWithOptions>['opts']>;

async function runModels(name: string | undefined, flags: Flags): Promise<void> {
  const config = await loadConfig(flags.config);
  if (name !== undefined && QUESTIONS.test(name)) {
    const wasRun = await runOpenQuestions(name, flags, config);
    if (wasRun) return;
  }
  const isDemo = name === undefined && flags.model === undefined && config.run?.model === undefined;
  const suite = await findSuite(name ?? DEMO.suite, suiteOptions(flags), config.suites);
  const settings = runSettings(flags, config);
  const models = settings.models ?? (isDemo ? DEMO.models : undefined);
  if (models === undefined)
    throw new KrisisError(
      `which model? Give --model, e.g. --model simulated/careful (krisis run --help lists them)`,
    );
  if (flags.run !== undefined && models.length > 1)
    throw new KrisisError(
      '--run names one file, and several models need one each: leave --run out, or give one model',
    );
  const api = apiOptions(flags, config);
  checkBaseUrl(api.baseUrl, models);
  const seed = flags.seed ?? 42;
  const scored = { suite, scoring: scoringOptions(flags, config), ownMetrics: config.metrics ?? [] };
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
  if (flags.dryRun) {
    const planned = await planRun(suite, backends, { ...settings, repeats: settings.repeats });
    process.stdout.write(
      flags.json
        ? `${JSON.stringify({ dry_run: true, suite: suite.name, plan: planned }, null, 2)}\n`
        : planText(planned),
    );
    return;
  }
  if (isDemo && !flags.json)
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
      path: flags.run,
      anew: flags.new,
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
  const verdicts = judgeRuns(plan, runs, scored);
  process.stdout.write(
    flags.json ? runsJson(runs, verdicts) : `${runsText(runs, suite)}${verdictsText(verdicts)}`,
  );
  const code = exitCode(runs, settings.failOnError, interrupt.signal.aborted);
  const judged = gateExitCode(verdicts);
  process.exitCode = code !== INTERRUPTED && judged === 1 ? judged : code || judged;
}

/** Open questions: answered by each model, judged by one judge. False where the name means another kind of suite. */
async function runOpenQuestions(name: string, flags: Flags, config: KrisisConfig): Promise<boolean> {
  // Loaded only where it may be needed: it is a program of its own.
  const open = await import('./question-run.ts');
  if (!(await open.isQuestionSuite(name))) return false;
  refuseGates(flags, 'a run on open questions');
  const { findAnswerer, findJudge, findQuestionSuite, printQuestionRuns, questionRun } = open;
  const suite = await findQuestionSuite(name);
  const settings = runSettings(flags, config);
  const judgeName = flags.judge ?? config.run?.judge;
  if (settings.models === undefined || judgeName === undefined)
    throw new KrisisError(
      `open questions need a model and a judge: --model M --judge J, e.g. --model baseline/reference --judge baseline/lexical, which need no key`,
    );
  const own = config.backends ?? [];
  const api = apiOptions(flags, config);
  checkBaseUrl(api.baseUrl, settings.models);
  const judge = await findJudge(judgeName, {
    own,
    api: { ...api, ...(flags.judgeBaseUrl && { baseUrl: flags.judgeBaseUrl }) },
  });
  const backends: Backend[] = [];
  for (const model of settings.models) backends.push(await findAnswerer(model, suite, { own, api }));
  const shared = openShared([...backends, ...(judge.backend ? [judge.backend] : [])], settings.useCache);
  const interrupt = onInterrupt();
  const runs: QuestionRun[] = [];
  for (const backend of backends) {
    if (interrupt.signal.aborted) break;
    const run = await questionRun(suite, backend, judge, {
      ...settings,
      cache: shared.cache,
      waits: shared.waits,
      passes: flags.passes,
      buckets: flags.buckets,
      seed: flags.seed ?? 42,
      krisisVersion: packageVersion(),
      path: flags.run,
      anew: flags.new,
      signal: interrupt.signal,
    });
    runs.push(run);
    if (run.status === 'stopped') break;
  }
  interrupt.stop();
  shared.close();
  const isComplete = printQuestionRuns(runs, {
    json: flags.json ?? false,
    failOnError: settings.failOnError,
  });
  process.exitCode = interrupt.signal.aborted ? INTERRUPTED : isComplete ? 0 : INCOMPLETE;
  return true;
}

/** Flags before the config, and the config before what is usual. */
function runSettings(flags: Flags, { run = {}, allowEgress }: KrisisConfig) {
  const model = flags.model ?? run.model;
  return {
    models: typeof model === 'string' ? [model] : model,
    batchSize: flags.batchSize ?? run.batchSize ?? 8,
    maxConcurrency: flags.maxConcurrency ?? run.maxConcurrency ?? ('auto' as const),
    requestsPerMinute: flags.rpm ?? run.rpm,
    tokensPerMinute: flags.tpm ?? run.tpm,
    budgetUsd: flags.budget ?? run.budget,
    allowEgress: [...(allowEgress ?? []), ...(flags.allowEgress ?? [])],
    repeats: flags.repeat ?? run.repeat ?? 1,
    arm: flags.arm ?? run.arm,
    limit: flags.limit ?? run.limit,
    useCache: flags.cache && run.cache !== false,
    failOnError: flags.failOnError ?? run.failOnError ?? 0,
  };
}

/** How scores are made: flags before what the config says of scoring; task and labels are the suite's own. */
function scoringOptions(flags: Flags, { score = {} }: KrisisConfig): ScoringOptions {
  const { bootstrap, confidencePolicy: _, task: _t, positiveLabel: _p, labels: _l, ...configured } = score;
  const resamples = flags.bootstrap ?? bootstrap;
  return {
    ...configured,
    ...(resamples === undefined ? {} : { resamples }),
    ...(flags.groupBy && { groupBy: flags.groupBy }),
    ...(flags.bundle && { bundle: flags.bundle }),
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
