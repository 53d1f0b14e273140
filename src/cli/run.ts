import { relative } from 'node:path';
import { Option } from '@commander-js/extra-typings';
import pc from 'picocolors';
import type { Backend } from '../backends/backend.ts';
import { createBackend } from '../backends/create-backend.ts';
import { plannedBatches } from '../benchmark/execute.ts';
import { type FileRun, runToFile } from '../benchmark/run-to-file.ts';
import { runWarnings } from '../benchmark/run-warnings.ts';
import { loadConfig } from '../config/load-config.ts';
import { scorecardObject } from '../metrics/scorecard-object.ts';
import { featureText } from '../records/feature-text.ts';
import { KrisisError } from '../records/krisis-error.ts';
import { modelsTable } from '../reports/models-table.ts';
import { scorecardText } from '../reports/scorecard-text.ts';
import { descriptionObject } from '../suites/description-json.ts';
import { findSuite } from '../suites/registry.ts';
import type { Suite } from '../suites/suite.ts';
import { onInterrupt } from './interrupt.ts';
import { LiveLine } from './live-line.ts';
import { list, shareUpTo1, wholeNumber } from './option-values.ts';
import { optionalSuiteCommand, suiteOptions } from './suite-options.ts';
import { packageVersion } from './version.ts';

const INCOMPLETE = 3;
const INTERRUPTED = 130;
/** What `auto` means for backends that need no network. */
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

Models: baseline/majority|random|always-defer|guideline|guideline-defer|logistic, simulated/careful|overconfident|guesser|flaky
(simulated/careful?accuracy=0.8&malformed=0.1 changes settings), replay/FILE, or a backend of your config.

The same command continues a run that was interrupted. Exit codes: 0 done, 2 usage or bad input, 3 incomplete (rows failed beyond
--fail-on-error), 130 interrupted.`;

/** `krisis run`: a suite against one model or several, a run file each. */
export function runCommand() {
  return optionalSuiteCommand('run')
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
    .option('--dry-run', 'say what would be asked, and ask nothing')
    .option('--json', 'one JSON object on standard output')
    .addHelpText('after', NOTES)
    .action(async (name, flags) => {
      const config = await loadConfig(flags.config);
      const isDemo = name === undefined && flags.model === undefined;
      const suite = await findSuite(name ?? DEMO.suite, suiteOptions(flags), config.suites);
      const models = flags.model ?? (isDemo ? DEMO.models : undefined);
      if (models === undefined)
        throw new KrisisError(
          `which model? Give --model, e.g. --model simulated/careful (krisis run --help lists them)`,
        );
      if (flags.run !== undefined && models.length > 1)
        throw new KrisisError(
          '--run names one file, and several models need one each: leave --run out, or give one model',
        );
      const seed = flags.seed ?? 42;
      const backends: Backend[] = [];
      for (const model of models)
        backends.push(await createBackend(model, suite, { seed, own: config.backends ?? [] }));
      if (flags.dryRun) return void (await dryRun(suite, backends, flags));
      if (isDemo && !flags.json)
        process.stderr.write(
          `demonstration: ${DEMO.suite} on a generated cohort, ${models.length} models, nothing leaves this machine\n`,
        );

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
          batchSize: flags.batchSize ?? 8,
          maxConcurrency:
            flags.maxConcurrency === undefined || flags.maxConcurrency === 'auto'
              ? LOCAL_CONCURRENCY
              : flags.maxConcurrency,
          concurrencyLabel: flags.maxConcurrency ?? 'auto',
          repeats: flags.repeat ?? 1,
          arm: flags.arm,
          limit: flags.limit,
          path: flags.run,
          anew: flags.new,
          scoring: {
            ...(flags.bootstrap === undefined ? {} : { resamples: flags.bootstrap }),
            ...(flags.groupBy && { groupBy: flags.groupBy }),
            ...(flags.bundle && { bundle: flags.bundle }),
          },
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
      if (flags.json) printJson(runs);
      else printText(runs, suite);
      process.exitCode = exitCode(runs, flags.failOnError ?? 0, interrupt.signal.aborted);
    });
}

function concurrency(text: string): number | 'auto' {
  return text === 'auto' ? 'auto' : wholeNumber(1)(text);
}

function printJson(runs: readonly { model: string; run: FileRun }[]): void {
  const objects = runs.map(({ model, run }) => {
    const { ledger, metrics, subgroups, method } = scorecardObject(run.card);
    return {
      run_file: relative('.', run.path),
      status: run.status,
      suite: descriptionObject(run.description),
      model,
      ledger,
      metrics,
      subgroups,
      execution: run.extras,
      warnings: runWarnings(run),
      method,
    };
  });
  process.stdout.write(`${JSON.stringify(objects.length === 1 ? objects[0] : { runs: objects }, null, 2)}\n`);
}

function printText(runs: readonly { model: string; run: FileRun }[], suite: Suite): void {
  const [only] = runs;
  const out: string[] = [];
  if (runs.length === 1 && only !== undefined) {
    out.push(
      scorecardText(only.run.card, {
        source: `${suite.name}, ${only.model}`,
        positiveLabel: suite.task.positiveLabel,
        warnings: runWarnings(only.run),
      }),
    );
    out.push(executionText(only.run));
  } else {
    out.push(
      `${pc.bold(`${suite.name}: ${runs.length} models on the same records`)} (primary endpoint: ${suite.task.primaryEndpoint.metric}; 95 % intervals)\n`,
    );
    out.push(
      modelsTable(runs.map(({ model, run }) => ({ model, n: run.card.nScored, scores: run.card.scores }))),
    );
    const shared = new Map<string, string[]>();
    for (const { model, run } of runs) {
      for (const { code, message } of runWarnings(run)) {
        const key = `${code}|${message}`;
        shared.set(key, [...(shared.get(key) ?? []), model]);
      }
    }
    for (const [key, models] of shared) {
      const message = key.slice(key.indexOf('|') + 1);
      out.push(
        `${pc.yellow('!')} ${models.length === runs.length ? '' : `${models.join(', ')}: `}${message}`,
      );
    }
    out.push('');
  }
  for (const { run } of runs) out.push(`run file: ${relative('.', run.path)}`);
  const unfinished = runs.filter(({ run }) => run.status !== 'complete');
  if (unfinished.length > 0)
    out.push(`${pc.yellow('not finished')}: the same command continues where it stopped`);
  out.push('next: krisis list');
  process.stdout.write(`${out.join('\n')}\n`);
}

function executionText({ extras }: FileRun): string {
  const tokens =
    extras.token_total === null ? 'not reported' : `${extras.token_total} (${extras.wasted_tokens} wasted)`;
  return [
    `calls ${extras.n_calls} (planned ${extras.n_api_batches}, retries ${extras.n_retries}, splits ${extras.n_splits}, single ${extras.n_single_fallbacks}) · ${extras.elapsed_seconds.toFixed(1)} s · tokens ${tokens}`,
  ].join('\n');
}

function exitCode(runs: readonly { run: FileRun }[], allowed: number, aborted: boolean): number {
  if (aborted) return INTERRUPTED;
  const incomplete = runs.some(
    ({ run }) => run.status !== 'complete' || (run.card.n - run.card.nScored) / run.card.n > allowed,
  );
  if (!incomplete) return 0;
  for (const { run } of runs) {
    if (run.status === 'stopped') process.stderr.write(`krisis: stopped: ${run.stoppedBecause}\n`);
    const failed = run.card.n - run.card.nScored;
    if (failed > 0)
      process.stderr.write(
        `krisis: ${failed} of ${run.card.n} rows failed (--fail-on-error 0.05 would tolerate 5 %)\n`,
      );
  }
  return INCOMPLETE;
}

async function dryRun(
  suite: Suite,
  backends: readonly Backend[],
  flags: { limit?: number; batchSize?: number; repeat?: number; arm?: string; json?: true },
): Promise<void> {
  const records = await suite.load();
  const n = Math.min(records.length, flags.limit ?? records.length);
  const batchSize = flags.batchSize ?? 8;
  const repeats = flags.repeat ?? 1;
  const arm = suite.task.arms[flags.arm ?? suite.task.defaultArm];
  if (arm === undefined)
    throw new KrisisError(
      `task ${suite.task.id} has no arm "${flags.arm}"; there are: ${Object.keys(suite.task.arms).join(', ')}`,
    );
  const calls = plannedBatches(n, batchSize, repeats);
  // About four characters a token, in English text and numbers alike.
  const characters =
    records.slice(0, n).reduce((sum, { features }) => sum + featureText(features).length, 0) * repeats +
    calls * arm.instructions.length;
  const plan = backends.map(({ name }) => ({
    model: name,
    records: n,
    calls,
    estimated_input_tokens: Math.round(characters / 4),
    estimated_cost_usd: null,
  }));
  if (flags.json)
    process.stdout.write(`${JSON.stringify({ dry_run: true, suite: suite.name, plan }, null, 2)}\n`);
  else
    for (const { model, calls, estimated_input_tokens: tokens } of plan)
      process.stdout.write(
        `${model}: ${n} records in ${calls} calls, about ${tokens} input tokens; nothing was asked\n`,
      );
}
