import { Command, type CommandUnknownOpts } from '@commander-js/extra-typings';
import { probesJson, probesText } from '../analyses/judging/probes.ts';
import { KrisisError } from '../core/errors.ts';
import { judgeRun } from '../engine/questions/judge-run.ts';
import { probeJudge } from '../engine/questions/probe-judge.ts';
import { recordAnswers } from '../engine/questions/recorded-answers.ts';
import type { ApiOptions } from '../models/api/api-options.ts';
import type { Backend } from '../models/backend.ts';
import type { Judge } from '../models/judge.ts';
import { Rubric } from '../rubrics/rubric.ts';
import { findRun } from '../store/find-run.ts';
import { RunFile } from '../store/run-file.ts';
import { findQuestionSuite } from '../suites/questions/find-question-suite.ts';
import { bulkOptions, refuseWithoutBulk } from './bulk-options.ts';
import { loadConfig } from './config/load-config.ts';
import { type RunSettings, runValues } from './config/run-values.ts';
import { usageError } from './errors.ts';
import { EXIT } from './exit-codes.ts';
import { HEADINGS } from './help.ts';
import { onInterrupt } from './interrupt.ts';
import { claimSource, judgeNames, resolveJudges } from './judges.ts';
import {
  addOptions,
  typedValues,
  wholeNumber,
  withConfigOptions,
  flags as withFlags,
} from './options/option.ts';
import {
  BULK_OPTIONS,
  GRADING_OPTIONS,
  JUDGE_OPTIONS,
  MODEL_OPTIONS,
  QUEUE_OPTIONS,
} from './options/run-options.ts';
import { runsJson } from './output/runs-json.ts';
import { runsText } from './output/runs-text.ts';
import { packageVersion } from './package-files.ts';
import { textWidth } from './print.ts';
import { createAnnouncer, LiveLine, showProgress } from './progress.ts';
import { isProtected, noteSensitivity } from './protected-data.ts';
import { queueTransports } from './queue-transports.ts';
import { withReview } from './run-gates.ts';
import { finishRuns, runExit } from './run-outcome.ts';
import { apiOptions, callSettings, judgeApiOptions, openShared } from './run-settings.ts';

const NOTES = `
Answers are lines of {"id": ..., "answer": ...}, with "question" where no file
of questions is given. No question is asked again; the same command asks again
for judgements that failed, and continues with --bulk and --queue as krisis
run does. Here, --temperature, --base-url and the like apply to the judge. Several
judges are a jury: the majority counts.

Examples:
  krisis judge latest --judge anthropic/claude-sonnet-4-5
  krisis judge open-clinical --judge openai/gpt-5 --passes 3
  krisis judge latest --judge openai/gpt-5,anthropic/claude-sonnet-4-5,google/M
  krisis judge open-clinical --judge openai/gpt-5 --rubric more.yaml
  krisis judge latest --judge openai/gpt-5 --bulk --detach
  krisis judge --probes --judge openai/gpt-5      can it be misled?
  krisis judge --answers a.jsonl --questions q.yaml --judge baseline/lexical
`;

const { judgeInstructions } = JUDGE_OPTIONS;
const SHARED_OPTIONS = {
  ...MODEL_OPTIONS,
  ...BULK_OPTIONS,
  ...QUEUE_OPTIONS,
  ...GRADING_OPTIONS,
  ...withFlags({ judgeInstructions }),
};

/** `krisis judge`: judges answers that are there already. */
export function judgeCommand(): CommandUnknownOpts {
  const command = commandWithOptions();
  return command.action(async (typed, flags) => {
    const sources = [typed, flags.answers, flags.probes].filter((source) => source !== undefined);
    if (sources.length !== 1)
      throw new KrisisError('which answers? Give a run, or --answers FILE, or --probes: one of them');
    const config = await loadConfig(flags);
    const typedSettings = typedValues(command, SHARED_OPTIONS);
    // No model is asked here: what is typed is meant for the judge. The config's settings of the model are not.
    const given = runValues(config, {
      ...typedSettings,
      ...(typedSettings.baseUrl !== undefined && { judgeBaseUrl: typedSettings.baseUrl }),
      ...(typedSettings.price !== undefined && { judgePrice: typedSettings.price }),
    });
    refuseWithoutBulk(given);
    const lanes = await queueTransports(given);
    const api = { ...judgeApiOptions(given), ...apiOptions(typedSettings) };
    const own = config.backends ?? [];
    try {
      if (flags.probes) await showProbes(flags, given, own, api);
      else await judgeAnswers(typed, flags, given, own, api, lanes);
    } finally {
      await lanes.close();
    }
  });
}

function commandWithOptions() {
  const command = withConfigOptions(new Command().optionsGroup(HEADINGS.other))
    .optionsGroup(HEADINGS.model)
    .requiredOption('--judge <models>', 'model that judges; several are a jury');
  addOptions(command, SHARED_OPTIONS);
  return command
    .argument('[run]', 'run of open questions: file, part of its name, or latest')
    .optionsGroup(HEADINGS.records)
    .option('--answers <file>', 'recorded answers (JSONL), in place of a run')
    .option('--questions <file>', 'questions of --answers and of protected runs')
    .option('--rubric <file>', 'judge by this rubric, and add its traits')
    .option('--probes', 'test the judge with misleading answers')
    .option('--name <model>', 'model behind --answers')
    .option('--seed <n>', 'seed of the order of items (default: 42)', wholeNumber(0))
    .option('--keep-failed', 'do not ask for failed judgements again')
    .optionsGroup(HEADINGS.output)
    .option('--run <file>', 'run file of --answers (default: in .krisis/runs)')
    .option('--full', 'print every number')
    .option('--json', 'print one JSON object on standard output')
    .addHelpText('after', NOTES);
}

async function judgeAnswers(
  typed: string | undefined,
  flags: ReturnType<ReturnType<typeof commandWithOptions>['opts']>,
  given: RunSettings,
  own: readonly Backend[],
  api: ApiOptions,
  lanes: Awaited<ReturnType<typeof queueTransports>>,
): Promise<void> {
  const settings = callSettings(given);
  const { rubric: rubricFile } = flags;
  const rubric = rubricFile === undefined ? undefined : await Rubric.fromFile(rubricFile);
  const questions = flags.questions === undefined ? undefined : await findQuestionSuite(flags.questions);
  if (questions !== undefined) noteSensitivity(questions);
  const stored = typed === undefined ? null : findRun(typed);
  const source = stored === null ? (questions ?? {}) : RunFile.use(stored, (file) => file.manifest());
  const allow = isProtected(source) ? settings.allowEgress : null;
  const judges = await resolveJudges(flags.judge, given, {
    own,
    api,
    apiFor: (name, settings) => lanes.apiFor(name, settings, allow),
  });
  const { path, answers } =
    flags.answers === undefined
      ? { path: stored!, answers: undefined }
      : await recordAnswers({
          answersPath: flags.answers,
          questions,
          rubric,
          model: flags.name,
          krisisVersion: packageVersion(),
          path: flags.run,
          signKey: settings.signKey,
          keepText: given.keepText,
        });
  noteSensitivity(RunFile.use(path, (file) => file.manifest()));
  const backends = judges.flatMap(({ backend }) => backend ?? []);
  const shared = openShared(backends, given.cache !== false);
  const interrupt = onInterrupt();
  const line = new LiveLine(`judging by ${judgeNames(judges)}`);
  const progress = showProgress(line, given);
  createAnnouncer()(backends);
  const judged = await judgeRun({
    ...settings,
    path,
    judge: judges,
    rubric,
    questions,
    answers,
    passes: given.passes ?? 1,
    buckets: given.buckets,
    claims: await claimSource(given.claims),
    seed: flags.seed ?? 42,
    bulk: bulkOptions(given, line),
    keepFailed: flags.keepFailed,
    cache: shared.cache,
    readCache: given.cache,
    waits: shared.waits,
    krisisVersion: packageVersion(),
    signal: interrupt.signal,
    ...progress.callbacks,
  });
  progress.end();
  interrupt.stop();
  shared.close();
  const run = withReview(judged);
  const exit = runExit([run], given, { isInterrupted: interrupt.signal.aborted });
  const { json = false, full: isFull = false } = flags;
  process.stdout.write(
    json ? runsJson([run], { exit }) : await runsText([run], { width: textWidth(), isFull }),
  );
  finishRuns([run], given, exit, { isDocument: json });
}

/** The probes, case by case, with what the judge got wrong; exit code 1 where it was misled. */
async function showProbes(
  { judge: names, json }: { readonly judge: string; readonly json?: true },
  given: RunSettings,
  own: readonly Backend[],
  api: ApiOptions,
): Promise<void> {
  if (given.bulk || given.queue !== undefined)
    throw usageError('--probes are a few calls, made from here: leave --bulk and --queue out');
  const judges = await resolveJudges(names, given, { own, api });
  const [judge] = judges as [Judge, ...Judge[]];
  if (judge.grader !== undefined)
    throw usageError('--probes test verdicts with quotes, which a grader does not give: leave --grader out');
  if (judges.length > 1) throw usageError('--probes test one judge: name one');
  const shared = openShared(judge.backend ? [judge.backend] : [], false);
  if (judge.backend) createAnnouncer()([judge.backend]);
  const score = await probeJudge(judge, { waits: shared.waits });
  shared.close();
  process.stdout.write(json ? probesJson(judge.name, score) : probesText(judge.name, score, textWidth()));
  if (!score.passed) process.exitCode = EXIT.found;
}
