import { basename } from 'node:path';
import { Command, type CommandUnknownOpts } from '@commander-js/extra-typings';
import { clusterKey } from '../analyses/comparison/pair-clusters.ts';
import { isJudged } from '../analyses/judging/judged-result.ts';
import { findSuite } from '../domains/find-suite.ts';
import { planRun, type RunPlan } from '../engine/plan-run.ts';
import { TASK_NAMES } from '../metrics/bundle-options.ts';
import { neededKeys } from '../metrics/define-metric.ts';
import type { Metric } from '../metrics/metric.ts';
import { extendedMetrics } from '../metrics/registry.ts';
import { createBackend } from '../models/create-backend.ts';
import { limitProblem } from '../runs/conditions/metric-range.ts';
import { listMetrics as metricsOfRun, rowsOfRun } from '../runs/gates/check-gates.ts';
import { parseGate } from '../runs/gates/parse-gate.ts';
import { planGate } from '../runs/gates/plan-gate.ts';
import { planNonInferiority } from '../runs/gates/plan-non-inferiority.ts';
import { readRun } from '../runs/read-run.ts';
import { requiredPairs } from '../statistics/power.ts';
import { findRun } from '../store/find-run.ts';
import type { AnySuite } from '../suites/questions/question-suite.ts';
import { loadConfig } from './config/load-config.ts';
import { usageError } from './errors.ts';
import { collect, parseShare } from './gate-options.ts';
import { HEADINGS } from './help.ts';
import { readNames, shareBetween0And1, withConfigOptions } from './options/option.ts';
import { type GatePlans, gatePlansObject, gatePlansText } from './output/gate-plans.ts';
import { print, textWidth } from './print.ts';
import { suiteKind } from './suite-kinds.ts';

const NOTES = `
Computes how many cases it takes to show a condition, given the value that you
expect: if all are asked, and with krisis run --stop-early. Calls no model and
needs no key. With --suite and --model it adds the cost.

Exit codes: 0 done, 2 usage or bad input.

Examples:
  krisis plan --assert 'lower(accuracy) >= 0.9' --expect 0.93
  krisis plan --assert 'upper(unsafe_decision_rate) <= 0.05' --expect 0.02
  krisis plan --assert 'lower(accuracy)>=0.8' --expect 0.9 --suite ckd/staging
  krisis plan --difference 0.03 --discordant 0.15
  krisis plan --non-inferior latest --margin 0.05
`;

const DIFFERENCES = [0.02, 0.05, 0.1];
const DISCORDANT = 0.1;

/** `krisis plan`: how many records conditions and differences need, and what they cost. */
export function planCommand(): CommandUnknownOpts {
  return withConfigOptions(new Command().optionsGroup(HEADINGS.other))
    .optionsGroup(HEADINGS.conditions)
    .option('--assert <expression>', "e.g. 'lower(accuracy) >= 0.9'; may be repeated", collect)
    .option(
      '--expect <share>',
      'expected value; once for all, or once per --assert',
      (typed: string, previous: number[] | undefined) => [...(previous ?? []), shareIn(typed)],
    )
    .option('--difference <d>', 'between two models (default: 0.02, 0.05, 0.1)', shareBetween0And1)
    .option('--non-inferior <run>', 'how many cases show that a model is not worse than this run')
    .option('--margin <x>', 'with --non-inferior: how much worse is tolerated, e.g. 0.02 or 2%', (typed) =>
      shareIn(typed, '--margin'),
    )
    .option('--on <metric>', 'metric of --non-inferior (default: the endpoint)')
    .option('--discordant <share>', 'cases only one model has right (default: 0.1)', shareBetween0And1)
    .optionsGroup(HEADINGS.model)
    .option('--suite <name>', 'suite whose size and prompts to use')
    .option('-m, --model <names>', 'model whose cost to estimate; needs --suite', readNames)
    .optionsGroup(HEADINGS.other)
    .option('--json', 'print one JSON object on standard output')
    .addHelpText('after', NOTES)
    .action(async (flags) => {
      const { assert: texts = [], expect: expected = [] } = flags;
      if ((flags.nonInferior === undefined) !== (flags.margin === undefined))
        throw usageError('--non-inferior RUN and --margin X belong together: give both');
      if (texts.length === 0 && flags.difference === undefined && flags.nonInferior === undefined)
        throw usageError(
          "nothing to plan: give --assert 'lower(accuracy) >= 0.9' --expect 0.93, or --difference 0.03, or --non-inferior RUN --margin 0.02",
        );
      if (texts.length > 0 && expected.length !== 1 && expected.length !== texts.length)
        throw usageError(
          'say what you expect of each condition: --expect 0.93, once for all or once for each --assert',
        );
      if (flags.model !== undefined && flags.suite === undefined)
        throw usageError('what a model costs depends on the prompts: add --suite NAME');
      const config = await loadConfig(flags);
      const suite = flags.suite === undefined ? null : await findSuite(flags.suite, {}, config.suites);
      const metrics = suite === null ? metricsOfAllTasks() : suiteKind(suite).metrics;
      if (metrics === null)
        throw usageError(`${suite!.name}: open questions are judged item by item; plan conditions on labels`);
      const size = suite === null ? null : await countRecords(suite);
      const plans: GatePlans = {
        gates: texts.map((text, i) => {
          const gate = parseGate(text, { names: metrics.map(({ name }) => name) });
          const problem = limitProblem(gate);
          if (problem !== null) throw usageError(`--assert '${gate.text}': ${problem}`);
          const metric = metrics.find(({ name }) => name === gate.metric);
          return planGate(gate, metric, {
            expected: expected[i] ?? expected[0]!,
            nGates: texts.length,
            nModels: flags.model?.length ?? 1,
            nRows: size === null ? null : (size.patients ?? size.records),
          });
        }),
        suite: size,
        nonInferior: planMargin(flags),
        differences: planDifferences(flags),
        costs: suite === null ? [] : await estimateCosts(suite, flags.model ?? [], config),
      };
      print(flags.json, 'plan', gatePlansObject(plans), gatePlansText(plans, textWidth()));
    });
}

function metricsOfAllTasks(): readonly Metric[] {
  return TASK_NAMES.flatMap((task) => extendedMetrics({ task }));
}

/** How many records a suite has, and of how many patients where some have several: those count as one. */
async function countRecords(suite: AnySuite) {
  const { nRecords: records } = await suite.describe();
  const { cluster } = suite;
  if (cluster === undefined) return { records, patients: null };
  const patients = new Set(
    (await suite.load()).map(({ id, metadata }) => metadata[cluster] ?? `record ${id}`),
  );
  return { records, patients: patients.size < records ? patients.size : null };
}

/** How many cases decide whether a model is worse than a run by more than a margin. */
function planMargin({
  nonInferior: typed,
  margin,
  on,
  discordant = DISCORDANT,
}: {
  nonInferior?: string | undefined;
  margin?: number | undefined;
  on?: string | undefined;
  discordant?: number | undefined;
}): GatePlans['nonInferior'] {
  if (typed === undefined || margin === undefined) return null;
  const path = findRun(typed);
  const result = readRun(path, { resamples: 0 });
  if (isJudged(result))
    throw usageError(`${typed}: a run of open questions; --non-inferior plans margins of runs with labels`);
  const metrics = metricsOfRun(result);
  const cluster = clusterKey(result.method);
  const keep = neededKeys(metrics, cluster === undefined ? {} : { cluster });
  const planned = planNonInferiority(
    { margin, metric: on ?? result.primaryEndpoint?.metric ?? null },
    rowsOfRun(path, keep),
    metrics,
    { cluster, level: result.method.level, discordant },
  );
  if (planned === null)
    throw usageError(
      `${on ?? 'the endpoint'}: no share over the same cases, so its margin cannot be planned; choose another with --on`,
    );
  return { ...planned, reference: basename(path), discordant };
}

function planDifferences({
  difference,
  discordant = DISCORDANT,
}: {
  difference?: number | undefined;
  discordant?: number | undefined;
}) {
  return (difference === undefined ? DIFFERENCES : [difference]).flatMap((d) =>
    [0.8, 0.9].map((power) => ({
      difference: d,
      discordant,
      power,
      records: requiredPairs({ difference: d, discordantProportion: discordant, power }),
    })),
  );
}

async function estimateCosts(
  suite: AnySuite,
  models: readonly string[],
  { backends: own = [], metrics, extraMetrics }: Awaited<ReturnType<typeof loadConfig>>,
): Promise<RunPlan[]> {
  const backends = [];
  for (const model of models)
    backends.push(await createBackend(model, suite, { own, api: { keyRequired: false }, seed: 42 }));
  return planRun(suite, backends, {
    batchSize: 1,
    ...(metrics && { scoring: { metrics } }),
    ownMetrics: extraMetrics,
  });
}

function shareIn(typed: string, flag = '--expect'): number {
  const value = parseShare(typed);
  if (!(value >= 0 && value <= 1))
    throw usageError(`${flag} ${typed}: expected a share, such as 0.93 or 93%`);
  return value;
}
