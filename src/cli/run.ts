import { relative } from 'node:path';
import { dateText, missingKeyText, plain } from '../core/index.ts';
import { type FileRun, planRun, run } from '../engine/index.ts';
import type { ScoringOptions } from '../metrics/index.ts';
import { type ApiOptions, type Backend, createBackend, isApiModel } from '../models/index.ts';
import { fitLines } from '../reports/layout/fit-lines.ts';
import { readText } from '../rubrics/index.ts';
import { hasConditions } from '../runs/conditions/gate-plan.ts';
import { unreachableOnEmergencies } from '../runs/gates/gate-warnings.ts';
import { verdictsText } from '../runs/gates/verdicts-text.ts';
import { RunFile } from '../store/index.ts';
import {
  type AnySuite,
  excludeRecords,
  isQuestionSuite,
  QUESTION_SUITES,
  shownColumnsText,
} from '../suites/index.ts';
import { createAnnouncer } from './announce.ts';
import { type AnyCommand, anyCommand } from './any-command.ts';
import { bulkOptions, refuseWithoutBulk } from './bulk-options.ts';
import type { KrisisConfig } from './config/config.ts';
import { loadConfig } from './config/load-config.ts';
import { type KeyValues, runValues } from './config/run-values.ts';
import { exclusionList } from './exclusion-list.ts';
import { exitCode } from './exit-code.ts';
import { failedRowsText } from './failed-rows.ts';
import type { GateFlags } from './gate-options.ts';
import { withGateOptions } from './gate-options.ts';
import { gateHint } from './hints.ts';
import { onInterrupt } from './interrupt.ts';
import { claimSource, judgeApiOptions, judgeNames, judgesOf } from './judges.ts';
import { type LeftOut, unlessUnusable } from './left-out.ts';
import { LiveLine } from './live-line.ts';
import { apiOptions } from './options/api-options.ts';
import { refuseIgnored } from './options/ignored.ts';
import { addOptions, appliesTo, typedValues } from './options/option.ts';
import { RUN_OPTIONS, type RunValues } from './options/run-options.ts';
import { runsJson } from './output/runs-json.ts';
import { planText, runsText } from './output/runs-text.ts';
import { print, printMessage } from './print.ts';
import { keptTextNote } from './protected-data.ts';
import { type QueueLanes, queueLanes } from './queue-lanes.ts';
import { checkRuns, planRunGates, withReview } from './run-gates.ts';
import { isGroupName, runGroup, type SuiteOutcome } from './run-group.ts';
import { callSettings, openShared } from './run-settings.ts';
import { showProgress } from './show-progress.ts';
import { refuseOutOfOrder, stopEarlyOf } from './stop-early.ts';
import { addSuiteOptions, optionalSuiteCommand, suiteOf } from './suite-options.ts';
import { textWidth } from './terminal-width.ts';
import { usageError } from './usage-error.ts';
import { packageVersion } from './version.ts';
import { watchedFolders, watchRun } from './watch.ts';

const LOCAL_CONCURRENCY = 4;
const USAGE = 2;

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
Models: openai/NAME, anthropic/NAME, ... (krisis models lists providers, keys
and prices), baseline/NAME, simulated/NAME (simulated/careful?accuracy=0.8 sets
one value), replay/FILE, or a backend of your config.

The same command continues a run that was interrupted, and asks failed rows
again. Of a finished run it asks nothing: --new starts another. Replies that
were given before may come from the cache, but not with --new, --repeat or
conditions, unless --cache is given.

Exit codes: 0 done, 1 a condition failed, 2 usage or bad input, 3 stopped,
incomplete, or a condition cannot be decided, 130 interrupted.

Examples:
  krisis run                       a demonstration: no key, no network
  krisis run ckd/staging -m openai/gpt-5-mini --limit 100 --budget 2
  krisis run ckd/staging -m openai/gpt-5-mini --dry-run
  krisis run hypertension -m simulated/careful   all tasks of a domain
  krisis run all -m simulated/careful            every suite of Krisis
  krisis run open/clinical -m ollama/llama3.2 --judge baseline/lexical
  krisis run my-table.yaml -m simulated/careful --watch
`;

/** `krisis run`: a suite against one model or several, a run file each. */
export function runCommand(argv: readonly string[]): AnyCommand {
  const command = commandWithOptions();
  addSuiteOptions(command, argv);
  command.addHelpText('after', NOTES);
  return anyCommand(
    command.action(async (name, flags) => {
      const typed = typedValues(command, RUN_OPTIONS);
      const isOneOfMany = name === 'all';
      const context: RunContext = {
        find: (suite, own) => suiteOf(command, suite, own, { isOneOfMany }),
        announce: createAnnouncer(),
      };
      if (!typed.watch && isGroupName(name)) {
        refuseForGroup(name, typed, argv);
        const { run = {} } = await loadConfig(flags);
        const group = { hasJudge: (typed.judge ?? run.judge) !== undefined, isJson: typed.json ?? false };
        return runGroup(name, group, (suite, show) =>
          runModels(suite, flags, applicable(typed, suite), { ...context, show }),
        );
      }
      if (!typed.watch) return runModels(name, flags, typed, context);
      if (typed.run !== undefined)
        throw usageError('--watch makes a run file for each change: leave --run out');
      const args = argv.filter((arg) => arg !== '--watch');
      process.exitCode = await watchRun(args, watchedFolders(name, flags.config));
    }),
  );
}

function commandWithOptions() {
  const command = withGateOptions(optionalSuiteCommand('run')).description(
    'run models on a suite; alone, a demonstration',
  );
  addOptions(command, RUN_OPTIONS);
  return command;
}

/** The config's settings under what was typed. */
type Given = NonNullable<KrisisConfig['run']> & RunValues & KeyValues;

type SuiteAndGateFlags = ReturnType<ReturnType<typeof commandWithOptions>['opts']>;

/** What the suites of one command share. */
interface RunContext {
  readonly find: (name: string, own: KrisisConfig['suites']) => Promise<AnySuite>;
  readonly announce: ReturnType<typeof createAnnouncer>;
  /** Shows what a suite came to. Default: it is printed. */
  readonly show?: (outcome: SuiteOutcome) => void;
}

async function runModels(
  name: string | undefined,
  flags: SuiteAndGateFlags,
  typed: RunValues,
  context: RunContext,
): Promise<void> {
  const config = await loadConfig(flags);
  const given: Given = runValues(config, typed);
  const lanes = await queueLanes(given);
  try {
    await runThrough(lanes, name, flags, { typed, given, config }, context);
  } finally {
    await lanes.close();
  }
}

async function runThrough(
  lanes: QueueLanes,
  name: string | undefined,
  flags: SuiteAndGateFlags,
  { typed, given, config }: { typed: RunValues; given: Given; config: KrisisConfig },
  { find, announce, show }: RunContext,
): Promise<void> {
  const isDemo = name === undefined && given.model === undefined;
  const whole = await find(name ?? DEMO.suite, config.suites);
  const exclusions = exclusionList(given.exclude);
  const suite = exclusions === undefined ? whole : excludeRecords(whole, exclusions);
  refuseIgnored(typed, appliesTo(RUN_OPTIONS), suite.task.kind ?? 'labels', suite.name);
  const models = isDemo ? DEMO.models : checkedModels(given, suite);
  const settings = { ...runSettings(given), ...(await ownPrompts(given)) };
  const scored = { suite, scoring: scoringOptions(given, config), ownMetrics: config.metrics ?? [] };
  await checkKey('--cluster', given.cluster, suite, ['id', 'call']);
  await checkKey('--stratify', given.stratify, suite, ['label']);
  for (const key of given.groupBy ?? []) await checkKey('--group-by', key, suite, []);
  refuseOutOfOrder(given);
  refuseWithoutBulk(given);
  const conditions = { ...flags, assert: flags.assert ?? given.assert };
  refuseForShard(given, conditions);
  const plan = await planRunGates(conditions, scored);
  // A plan asks nothing, so it needs no key.
  const sources = {
    own: config.backends ?? [],
    api: { ...apiOptions(given), keyRequired: !given.dryRun },
  };
  const allow = (suite.sensitivity ?? 'protected') === 'protected' ? settings.allowEgress : null;
  const apiFor = (model: string, api: ApiOptions) => lanes.apiFor(model, api, allow);
  const judges =
    given.judge !== undefined && isQuestionSuite(suite)
      ? await judgesOf(given.judge, given, {
          own: sources.own,
          api: { ...judgeApiOptions(given), keyRequired: !given.dryRun },
          apiFor,
        })
      : [];
  const stopEarly = stopEarlyOf(given, plan, models.length);
  const leftOut: LeftOut[] = [];
  const among = { nModels: models.length, leftOut };
  const backends: Backend[] = [];
  for (const model of models) {
    const backend = await unlessUnusable(model, among, async () => {
      const api = await apiFor(model, sources.api);
      return createBackend(model, suite, { ...sources, api, seed: settings.seed });
    });
    if (backend !== null) backends.push(backend);
  }
  // Until the runs end, what is known is that not all models could be used.
  if (leftOut.length > 0) process.exitCode = USAGE;
  if (backends.length === 0) return;
  const judging = {
    judge: judges.length === 0 ? undefined : judges,
    passes: given.passes,
    buckets: given.buckets,
    claims: await claimSource(given.claims),
  };
  await showTable(suite);
  if (given.dryRun) {
    const planned = await planRun(suite, backends, {
      ...settings,
      ...judging,
      stopEarly,
      scoring: scored.scoring,
      ownMetrics: scored.ownMetrics,
    });
    const most = stopEarly === undefined ? '' : AT_MOST;
    return print(
      given.json,
      { dry_run: true, suite: suite.name, plan: planned },
      `${planText(planned)}${most}`,
    );
  }
  if (isDemo && !given.json)
    printMessage(
      `demonstration: ${DEMO.suite}, generated; ${models.length} models; nothing leaves this machine\n`,
    );

  const judgeBackends = judges.flatMap(({ backend }) => backend ?? []);
  const shared = openShared([...backends, ...judgeBackends], given.cache !== false);
  const interrupt = onInterrupt();
  const runs: FileRun[] = [];
  for (const backend of backends) {
    if (interrupt.signal.aborted) break;
    const line = new LiveLine(
      judges.length > 0 ? `${backend.name}, judged by ${judgeNames(judges)}` : backend.name,
    );
    const progress = showProgress(line, given);
    const started = run({
      suite,
      backend,
      krisisVersion: packageVersion(),
      ...settings,
      ...judging,
      maxConcurrency: concurrencyOf(settings.maxConcurrency, [backend, ...judgeBackends]),
      cache: shared.cache,
      readCache: given.cache,
      hasConditions: hasConditions(plan),
      waits: shared.waits,
      path: given.run,
      startNew: given.new,
      keepFailed: given.keepFailed,
      stopEarly,
      allowUncalibratedJudge: plan.allowUncalibratedJudge,
      bulk: bulkOptions(given, line),
      scoring: scored.scoring,
      ownMetrics: config.metrics,
      signal: interrupt.signal,
      ...progress.callbacks,
      onSelected: ({ nMustAct }) => {
        for (const gate of plan.gates) {
          const why = unreachableOnEmergencies(gate, nMustAct, scored.scoring.level);
          if (why !== null) printMessage(`warning: '${gate.text}': ${why}\n`);
        }
      },
      onStart: (path, continued, nUnfinished, finished) => {
        if (settings.keepText && (suite.sensitivity ?? 'protected') === 'protected')
          printMessage(keptTextNote(path));
        const asked = [backend, ...judgeBackends];
        if (!continued) return announce(asked);
        if (finished !== null) return printMessage(nothingAskedText(path, finished.at, given));
        const again =
          nUnfinished === 0
            ? ''
            : `; ${nUnfinished === 1 ? '1 call' : `${nUnfinished} calls`} had no outcome yet and may be asked again`;
        printMessage(`continuing ${relative('.', path)}${again}\n`);
        announce(asked);
      },
    });
    const result = await unlessUnusable(backend.name, among, () => started);
    progress.end();
    if (result !== null) runs.push(withReview(result));
  }
  interrupt.stop();
  shared.close();
  const verdicts = checkRuns(plan, runs, scored.ownMetrics);
  if (show !== undefined) show({ runs, verdicts, leftOut });
  else
    process.stdout.write(
      given.json
        ? runsJson(runs, verdicts, leftOut)
        : `${await runsText(runs, textWidth())}${fitLines(verdictsText(verdicts), textWidth())}`,
    );
  printMessage(gateHint(verdicts));
  const code = exitCode(runs, {
    verdicts,
    leftOut,
    allowed: given.failOnError ?? 0,
    isInterrupted: interrupt.signal.aborted,
    isVerbose: given.verbose,
  });
  if (!interrupt.signal.aborted) printMessage(failedRowsText(runs));
  process.exitCode = code;
}

function nothingAskedText(path: string, finishedAt: string | null, { run: file }: Given): string {
  const how = file === undefined ? '--new' : '--new with another --run FILE';
  const when = finishedAt === null ? 'finished earlier' : `finished on ${dateText(finishedAt)}`;
  return `${relative('.', path)}: ${when}; nothing was asked. ${how} asks again\n`;
}

const AT_MOST =
  'at most: with --stop-early the run ends once its conditions are decided; krisis plan estimates how many records it asks\n';

/** Conditions are for the merged run. Limits of money and speed hold for each part separately; no command adds them up. */
function refuseForShard({ shard, budget, rpm, tpm }: Given, { assert, nonInferior }: GateFlags): void {
  if (shard === undefined) return;
  const gate = assert !== undefined ? '--assert' : nonInferior !== undefined ? '--non-inferior' : null;
  if (gate !== null)
    throw usageError(
      `${gate} needs the whole run, and --shard ${shard.index}/${shard.of} asks a part of it: check the merged run with krisis report RUN ${gate}`,
    );
  const limits = [
    ...(budget === undefined ? [] : [`--budget ${budget}`]),
    ...(rpm === undefined ? [] : [`--rpm ${rpm}`]),
    ...(tpm === undefined ? [] : [`--tpm ${tpm}`]),
  ];
  if (limits.length > 0)
    printMessage(
      `${limits.join(', ')}: for this part alone; all ${shard.of} parts together may use ${shard.of} times as much\n`,
    );
}

/** Options that name one file or one data source make no sense for several suites. */
function refuseForGroup(name: string, { run: file, dryRun, json }: RunValues, argv: readonly string[]): void {
  if (file !== undefined)
    throw usageError(`--run names one file, and "${name}" means several suites: leave --run out`);
  if (dryRun && json)
    throw usageError(
      `--dry-run --json prints one object, and "${name}" means several suites: name the suite`,
    );
  if (argv.some((arg) => arg === '--data' || arg.startsWith('--data=')))
    throw usageError(`--data belongs to one suite, and "${name}" means several: name the suite`);
}

/** What was typed for suites of this kind: with several suites, options of open questions are not for those with labels, and the other way round. */
function applicable(typed: RunValues, suite: string): RunValues {
  const kind = QUESTION_SUITES.some(({ name }) => name === suite) ? 'text' : 'labels';
  const kinds = appliesTo(RUN_OPTIONS);
  return Object.fromEntries(Object.entries(typed).filter(([option]) => (kinds[option] ?? kind) === kind));
}

/** The models that were asked for, or what is missing. */
function checkedModels({ model, judge, run: file, baseUrl }: Given, suite: AnySuite): readonly string[] {
  if (isQuestionSuite(suite) && (model === undefined || judge === undefined))
    throw usageError(
      'open questions need a model and a judge: --model M --judge J, e.g. --model baseline/reference --judge baseline/lexical, which need no key',
    );
  if (model === undefined)
    throw usageError(
      'which model? Give --model, e.g. --model simulated/careful (krisis run --help lists them)',
    );
  const models = typeof model === 'string' ? [model] : model;
  if (file !== undefined && models.length > 1)
    throw usageError(
      '--run names one file, and several models need one each: leave --run out, or give one model',
    );
  // A provider's key must not go to another provider's address.
  const providers = new Set(models.filter(isApiModel).map((known) => known.slice(0, known.indexOf('/'))));
  if (baseUrl !== undefined && providers.size > 1)
    throw usageError(
      `--base-url is the address of one provider, and the models are of ${[...providers].join(' and ')}: run them one after the other`,
    );
  return models;
}

/** Which columns of a table the model will see, and what is odd about the table: before anything is asked. */
async function showTable(suite: AnySuite): Promise<void> {
  if (isQuestionSuite(suite)) return;
  const { warnings, ...description } = await suite.describe();
  const columns = shownColumnsText(description);
  if (columns === null) return;
  printMessage([columns, ...warnings.map((warning) => `warning: ${warning}`), ''].map(plain).join('\n'));
}

/** `auto` for models that need no network: more calls at once bring nothing there. */
function concurrencyOf(wanted: number | 'auto', backends: readonly (Backend | null | undefined)[]) {
  const isLocal = backends.every((backend) => backend?.destination === undefined);
  return wanted === 'auto' && isLocal ? LOCAL_CONCURRENCY : wanted;
}

/** Refuses a metadata key that no record has, before the run file is created. `others` are words with a meaning of their own. */
async function checkKey(
  flag: string,
  key: string | undefined,
  suite: AnySuite,
  others: readonly string[],
): Promise<void> {
  if (key === undefined || others.includes(key)) return;
  const streams = suite.stream !== undefined && (suite.canStream?.() ?? true);
  const records = streams ? suite.stream!() : await suite.load();
  const keys = new Set<string>();
  let isShown = false;
  for (const { metadata, features } of records) {
    if (metadata[key] != null) return;
    for (const known of Object.keys(metadata)) keys.add(known);
    isShown ||= Object.hasOwn(features, key);
  }
  const how = isShown ? `. The model sees ${key}: name it under groups to group by it` : '';
  throw usageError(`${flag}: ${missingKeyText('record', key, keys)}${how}`, key);
}

/** Prompts of the user's own, from their files. */
async function ownPrompts({ systemFile, templateFile }: Given) {
  return {
    ...(systemFile !== undefined && { system: await readText(systemFile, 'a system prompt') }),
    ...(templateFile !== undefined && {
      template: await readText(templateFile, 'a template of the message'),
    }),
  };
}

/** What was typed, then the config, then the defaults. */
function runSettings(given: Given) {
  return {
    ...callSettings(given),
    seed: given.seed ?? 42,
    batchSize: given.batchSize ?? storedBatchSize(given.run) ?? 1,
    keepText: given.keepText,
    repeats: given.repeat ?? 1,
    arm: given.arm,
    // Rows of one record or call are together in any order.
    cluster: given.cluster === 'id' || given.cluster === 'call' ? undefined : given.cluster,
    limit: given.limit,
    shard: given.shard,
    stratify: given.stratify,
  };
}

/** The batch size of a run that is continued by the name of its file. */
function storedBatchSize(file: string | undefined): number | null {
  return file === undefined ? null : (RunFile.peek(file)?.identity.batchSize ?? null);
}

/** How scores are made: flags before what the config says of scoring; task and labels are the suite's own. */
function scoringOptions(given: Given, { score = {} }: KrisisConfig): ScoringOptions {
  const {
    bootstrap,
    confidencePolicy: _,
    task: _t,
    positiveLabel: _p,
    labels: _l,
    actLabels: _a,
    ...configured
  } = score;
  const resamples = given.bootstrap ?? bootstrap;
  return {
    ...configured,
    ...(resamples === undefined ? {} : { resamples }),
    ...(given.cluster && { cluster: given.cluster }),
    ...(given.groupBy && { groupBy: given.groupBy }),
    ...(given.bundle && { bundle: given.bundle }),
  };
}
