import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { type ErrorCode, KrisisError } from '../core/errors.ts';
import { plain } from '../core/plain-text.ts';
import { counted, dateText } from '../core/wording.ts';
import { planRun } from '../engine/plan-run.ts';
import { run } from '../engine/run.ts';
import type { FileRun } from '../engine/run-options.ts';
import { selectArm } from '../engine/select-arm.ts';
import type { ScoringOptions } from '../metrics/score.ts';
import type { ApiOptions } from '../models/api/api-options.ts';
import type { Backend } from '../models/backend.ts';
import { createBackend } from '../models/create-backend.ts';
import { readText } from '../rubrics/rubric.ts';
import { hasConditions } from '../runs/conditions/verdict.ts';
import { unreachableOnEmergencies } from '../runs/gates/gate-warnings.ts';
import { RunFile } from '../store/run-file.ts';
import { excludeRecords } from '../suites/exclude-records.ts';
import type { AnySuite } from '../suites/questions/question-suite.ts';
import { shownColumnsText } from '../suites/table/roles.ts';
import { bulkOptions, refuseWithoutBulk } from './bulk-options.ts';
import type { KrisisConfig } from './config/config.ts';
import { loadConfig } from './config/load-config.ts';
import { type RunSettings, runValues } from './config/run-values.ts';
import { EXIT } from './exit-codes.ts';
import { bundleFor, type GateFlags } from './gate-options.ts';
import { gateHint, hintFor } from './hints.ts';
import { onInterrupt } from './interrupt.ts';
import { claimSource, judgeNames, resolveJudges } from './judges.ts';
import { exclusionList } from './open-result.ts';
import { appliesTo, type ConfigFlags, refuseIgnored } from './options/option.ts';
import { RUN_OPTIONS, type RunValues } from './options/run-options.ts';
import { type RunsOutcome, runsJson } from './output/runs-json.ts';
import { planText, runsText } from './output/runs-text.ts';
import { packageVersion } from './package-files.ts';
import { print, printMessage, screenLines, textWidth } from './print.ts';
import { type createAnnouncer, LiveLine, showProgress } from './progress.ts';
import { isProtected, keptTextNote } from './protected-data.ts';
import { queueTransports } from './queue-transports.ts';
import {
  armsIn,
  checkKeys,
  checkModels,
  refuseForShard,
  refuseOutOfOrder,
  stopEarlyOptions,
} from './run-checks.ts';
import { checkRuns, planRunGates, withReview } from './run-gates.ts';
import { finishRuns, runExit } from './run-outcome.ts';
import { apiOptions, callSettings, judgeApiOptions, openShared } from './run-settings.ts';
import { suiteKind } from './suite-kinds.ts';

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

/** Runs models on one suite, a run file each. `show` gets the outcome; by default it is printed. */
export async function runModels(
  name: string | undefined,
  flags: ConfigFlags & GateFlags,
  typed: RunValues,
  context: {
    readonly find: (name: string, own: KrisisConfig['suites']) => Promise<AnySuite>;
    readonly announce: ReturnType<typeof createAnnouncer>;
    readonly show?: (...outcome: RunsOutcome) => void;
  },
): Promise<void> {
  const config = await loadConfig(flags);
  const settings = runValues(config, typed);
  const lanes = await queueTransports(settings);
  try {
    const job = await prepareJob(name, flags, typed, settings, config, context.find);
    const { skipped, attempt } = skipUnusableModels(job.models.length);
    const asked = await createModels(job, lanes, attempt);
    // Until the runs end, all that is certain is that not every model could be used.
    if (skipped.length > 0) process.exitCode = EXIT.usage;
    if (asked.backends.length === 0) return;
    await showTable(job.suite);
    if (settings.dryRun) return await printPlan(job, asked);
    if (job.isDemo && !settings.json)
      printMessage(
        `demonstration: ${DEMO.suite}, generated; ${job.models.length} models; nothing leaves this machine\n`,
      );
    const shared = openShared([...asked.backends, ...asked.judgeBackends], settings.cache !== false);
    const interrupt = onInterrupt();
    const runs: FileRun[] = [];
    for (const backend of asked.backends)
      for (const arm of job.arms) {
        if (interrupt.signal.aborted) break;
        const result = await attempt(backend.name, () =>
          runBackend(backend, arm, job, asked, { ...shared, signal: interrupt.signal }, context.announce),
        );
        if (result !== null) runs.push(withReview(result));
      }
    interrupt.stop();
    shared.close();
    const verdicts = checkRuns(job.plan, runs, ownMetrics(config));
    const nFinished = runs.filter(({ nothingAsked }) => nothingAsked).length;
    if (job.models.length * job.arms.length > 1 && nFinished > 0)
      printMessage(
        `${nFinished} of ${counted(runs.length, 'run')}: finished earlier, so nothing was asked; --new asks again\n`,
      );
    const exit = runExit(runs, settings, {
      isInterrupted: interrupt.signal.aborted,
      verdicts,
      nSkipped: skipped.length,
    });
    if (context.show !== undefined) context.show(runs, verdicts, skipped);
    else
      process.stdout.write(
        settings.json
          ? runsJson(runs, { verdicts, leftOut: skipped, exit })
          : await runsText(runs, {
              verdicts,
              width: textWidth(),
              isFull: settings.full ?? false,
              lines: screenLines(exit.code),
            }),
      );
    printMessage(gateHint(verdicts));
    finishRuns(runs, settings, exit, { isDocument: settings.json ?? false });
  } finally {
    await lanes.close();
  }
}

type Job = Awaited<ReturnType<typeof prepareJob>>;
type AskedModels = Awaited<ReturnType<typeof createModels>>;

/** Reads and checks everything that needs no model: the suite, the settings and the conditions. */
async function prepareJob(
  name: string | undefined,
  flags: GateFlags,
  typed: RunValues,
  settings: RunSettings,
  config: KrisisConfig,
  find: (name: string, own: KrisisConfig['suites']) => Promise<AnySuite>,
) {
  const isDemo = name === undefined && settings.model === undefined;
  const fullSuite = await find(name ?? DEMO.suite, config.suites);
  const exclusions = exclusionList(settings.exclude);
  const suite = exclusions === undefined ? fullSuite : excludeRecords(fullSuite, exclusions);
  refuseIgnored(typed, appliesTo(RUN_OPTIONS), suite.task.kind ?? 'labels', suite.name, RUN_OPTIONS);
  const models = isDemo ? DEMO.models : checkModels(settings, suite);
  const arms = armsIn(settings.arm);
  for (const arm of arms) selectArm(suite.task, arm);
  const conditions = { ...flags, assert: flags.assert ?? settings.assert };
  const configured = scoringOptions(settings, config);
  const bundle = bundleFor(conditions, configured.bundle);
  const scoring = bundle === undefined ? configured : { ...configured, bundle };
  const options = {
    ...(await runOptions(settings)),
    scoring: { ...scoring, ...(config.metrics && { metrics: config.metrics }) },
    ownMetrics: config.extraMetrics,
  };
  await checkKeys(settings, suite);
  refuseOutOfOrder(settings);
  refuseWithoutBulk(settings);
  refuseForShard(settings, conditions);
  const plan = await planRunGates(conditions, suite, scoring, ownMetrics(config));
  return { isDemo, suite, models, arms, options, plan, settings, own: config.backends ?? [] };
}

/** The models and judges that are asked, and how they are. */
async function createModels(
  { suite, models, arms, options, plan, settings, own }: Job,
  lanes: Awaited<ReturnType<typeof queueTransports>>,
  attempt: ReturnType<typeof skipUnusableModels>['attempt'],
) {
  // A plan asks nothing, so it needs no key.
  const keyRequired = !settings.dryRun;
  const allow = isProtected(suite) ? options.allowEgress : null;
  const apiFor = (model: string, api: ApiOptions) => lanes.apiFor(model, api, allow);
  const named = suiteKind(suite).judges(settings);
  const judges =
    named === undefined
      ? []
      : await resolveJudges(named, settings, {
          own,
          api: { ...judgeApiOptions(settings), keyRequired },
          apiFor,
        });
  const stopEarly = stopEarlyOptions(settings, plan, models.length * arms.length);
  const backends: Backend[] = [];
  for (const model of models) {
    const backend = await attempt(model, async () => {
      const api = await apiFor(model, { ...apiOptions(settings), keyRequired });
      return createBackend(model, suite, { own, api, seed: options.seed });
    });
    if (backend !== null) backends.push(backend);
  }
  return {
    backends,
    judges,
    judgeBackends: judges.flatMap(({ backend }) => backend ?? []),
    options: {
      ...options,
      stopEarly,
      judge: judges.length === 0 ? undefined : judges,
      passes: settings.passes,
      buckets: settings.buckets,
      claims: backends.length === 0 ? undefined : await claimSource(settings.claims),
    },
  };
}

async function printPlan({ suite, settings, arms }: Job, { backends, options }: AskedModels): Promise<void> {
  const plans = await Promise.all(arms.map((arm) => planRun(suite, backends, { ...options, arm })));
  const plan = plans.flatMap((own, i) =>
    own.map((one) => (arms.length === 1 ? one : { ...one, model: `${one.model}, arm ${arms[i]}` })),
  );
  const atMost =
    options.stopEarly === undefined
      ? ''
      : 'at most: with --stop-early the run ends once its conditions are decided; krisis plan estimates how many cases it asks\n';
  print(settings.json, 'run', { dry_run: true, suite: suite.name, plan }, `${planText(plan)}${atMost}`);
}

/** Asks one model, and shows on standard error how far it is. */
async function runBackend(
  backend: Backend,
  arm: string | undefined,
  { suite, settings, plan, models, arms }: Job,
  { judges, judgeBackends, options }: AskedModels,
  { cache, waits, signal }: Omit<ReturnType<typeof openShared>, 'close'> & { readonly signal: AbortSignal },
  announce: ReturnType<typeof createAnnouncer>,
): Promise<FileRun> {
  const nRuns = models.length * arms.length;
  const line = new LiveLine(
    judges.length > 0 ? `${backend.name}, judged by ${judgeNames(judges)}` : backend.name,
  );
  const progress = showProgress(line, settings);
  const asked = [backend, ...judgeBackends];
  try {
    return await run({
      suite,
      backend,
      krisisVersion: packageVersion(),
      ...options,
      arm,
      maxConcurrency: concurrency(options.maxConcurrency, asked),
      cache,
      readCache: settings.cache,
      hasConditions: hasConditions(plan),
      waits,
      path: settings.run,
      startNew: settings.new,
      keepFailed: settings.keepFailed,
      allowUncalibratedJudge: plan.allowUncalibratedJudge,
      bulk: bulkOptions(settings, line),
      signal,
      ...progress.callbacks,
      onSelected: ({ nMustAct }) => {
        for (const gate of plan.gates) {
          const why = unreachableOnEmergencies(gate, nMustAct, options.scoring.level);
          if (why !== null) printMessage(`warning: '${gate.text}': ${why}\n`);
        }
      },
      onStart: (path, continued, nUnfinished, finished) => {
        if (options.keepText && isProtected(suite)) printMessage(keptTextNote(path));
        if (finished !== null && continued) {
          // Of several runs one line says it, once all have been asked.
          if (nRuns === 1) printMessage(nothingAskedText(path, finished.at, settings));
          return;
        }
        if (continued) printMessage(continuedText(path, nUnfinished));
        announce(asked);
      },
    });
  } finally {
    progress.end();
  }
}

function nothingAskedText(path: string, finishedAt: string | null, { run: file }: RunSettings): string {
  const how = file === undefined ? '--new' : '--new with another --run FILE';
  const when = finishedAt === null ? 'finished earlier' : `finished on ${dateText(finishedAt)}`;
  return `${relative('.', path)}: ${when}; nothing was asked. ${how} asks again\n`;
}

function continuedText(path: string, nUnfinished: number): string {
  const again =
    nUnfinished === 0 ? '' : `; ${counted(nUnfinished, 'call')} had no outcome yet and may be asked again`;
  return `continuing ${relative('.', path)}${again}\n`;
}

/** Errors that would end the other models as well. */
const FATAL_CODES: ReadonlySet<ErrorCode> = new Set([
  'ERR_INTERNAL',
  'ERR_RUN_FILE_GONE',
  'ERR_RUN_FILE_WRITE',
]);

/** Where one of several models cannot be used (no key, no training rows, not allowed), reports it and lets the others go on; a model that is alone ends the command. */
function skipUnusableModels(nModels: number) {
  const skipped: { model: string; code: ErrorCode; message: string }[] = [];
  const attempt = async <T>(model: string, work: () => Promise<T>): Promise<T | null> => {
    try {
      return await work();
    } catch (error) {
      if (nModels === 1 || !(error instanceof KrisisError) || FATAL_CODES.has(error.code)) throw error;
      const { code, message } = error;
      skipped.push({ model, code, message });
      const hint = hintFor(error);
      const text = `${model} is left out: ${message}${hint === null ? '' : `\n${hint}`}`;
      printMessage(`krisis: ${stripVTControlCharacters(text)}\n`);
      return null;
    }
  };
  return { skipped, attempt };
}

/** Which columns of a table the model will see, and what is odd about the table: before anything is asked. */
async function showTable(suite: AnySuite): Promise<void> {
  const { warnings, ...description } = await suite.describe();
  const columns = shownColumnsText(description);
  if (columns === null) return;
  printMessage([columns, ...warnings.map((warning) => `warning: ${warning}`), ''].map(plain).join('\n'));
}

/** `auto` for models that need no network: more calls at once bring nothing there. */
function concurrency(wanted: number | 'auto', backends: readonly Backend[]) {
  const isLocal = backends.every(({ destination }) => destination === undefined);
  return wanted === 'auto' && isLocal ? LOCAL_CONCURRENCY : wanted;
}

/** What was typed, then the config, then the defaults. */
async function runOptions(settings: RunSettings) {
  const { run: file, systemFile, templateFile, cluster } = settings;
  const storedBatchSize = file === undefined ? undefined : RunFile.peek(file)?.identity.batchSize;
  return {
    ...callSettings(settings),
    seed: settings.seed ?? 42,
    batchSize: settings.batchSize ?? storedBatchSize ?? 1,
    keepText: settings.keepText,
    repeats: settings.repeat ?? 1,
    // Rows of one record or call are together in any order.
    cluster: cluster === 'id' || cluster === 'call' ? undefined : cluster,
    limit: settings.limit,
    shard: settings.shard,
    stratify: settings.stratify,
    ...(systemFile !== undefined && { system: await readText(systemFile, 'a system prompt') }),
    ...(templateFile !== undefined && {
      template: await readText(templateFile, 'a template of the message'),
    }),
  };
}

/** The metrics of the config, whether they stand in place of the bundle or beside it. */
function ownMetrics({ metrics = [], extraMetrics = [] }: KrisisConfig) {
  return [...metrics, ...extraMetrics];
}

/** How scores are made: flags before what the config says of scoring; task and labels are the suite's own. */
function scoringOptions(settings: RunSettings, { score = {} }: KrisisConfig): ScoringOptions {
  const { bootstrap, task, positiveLabel, labels, actLabels, ...configured } = score;
  const resamples = settings.bootstrap ?? bootstrap;
  return {
    ...configured,
    ...(resamples === undefined ? {} : { resamples }),
    ...(settings.cluster && { cluster: settings.cluster }),
    ...(settings.groupBy && { groupBy: settings.groupBy }),
    ...(settings.bundle && { bundle: settings.bundle }),
  };
}
