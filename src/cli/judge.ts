import { Command } from '@commander-js/extra-typings';
import { probesJson, probesText } from '../analyses/judging/probes.ts';
import { KrisisError } from '../core/index.ts';
import { judgeRun, probeJudge, recordAnswers } from '../engine/index.ts';
import type { ApiOptions, Judge } from '../models/index.ts';
import { Rubric } from '../rubrics/index.ts';
import { findRun, RunFile } from '../store/index.ts';
import { findQuestionSuite } from '../suites/index.ts';
import { createAnnouncer } from './announce.ts';
import { type AnyCommand, anyCommand } from './any-command.ts';
import { bulkOptions, refuseWithoutBulk } from './bulk-options.ts';
import type { KrisisConfig } from './config/config.ts';
import { loadConfig } from './config/load-config.ts';
import { type KeyValues, runValues } from './config/run-values.ts';
import { exitCode } from './exit-code.ts';
import { failedRowsText } from './failed-rows.ts';
import { onInterrupt } from './interrupt.ts';
import { claimSource, judgeApiOptions, judgeNames, judgesOf } from './judges.ts';
import { LiveLine } from './live-line.ts';
import { wholeNumber } from './option-values.ts';
import { apiOptions } from './options/api-options.ts';
import { withConfigOptions } from './options/config-options.ts';
import { HEADINGS } from './options/headings.ts';
import { addOptions, typedValues, type ValuesOf } from './options/option.ts';
import { QUEUE_OPTIONS } from './options/queue-options.ts';
import { BULK_OPTIONS, JUDGE_OPTIONS, MODEL_OPTIONS } from './options/run-options.ts';
import { runsJson } from './output/runs-json.ts';
import { runsText } from './output/runs-text.ts';
import { printMessage } from './print.ts';
import { noteSensitivity } from './protected-data.ts';
import { type QueueLanes, queueLanes } from './queue-lanes.ts';
import { withReview } from './run-gates.ts';
import { callSettings, openShared } from './run-settings.ts';
import { showProgress } from './show-progress.ts';
import { textWidth } from './terminal-width.ts';
import { usageError } from './usage-error.ts';
import { packageVersion } from './version.ts';

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

const SHARED_OPTIONS = { ...MODEL_OPTIONS, ...BULK_OPTIONS, ...QUEUE_OPTIONS };

/** `krisis judge`: judges answers that are there already. */
export function judgeCommand(): AnyCommand {
  const command = commandWithOptions();
  return anyCommand(
    command.action(async (typed, flags) => {
      const sources = [typed, flags.answers, flags.probes].filter((source) => source !== undefined);
      if (sources.length !== 1)
        throw new KrisisError('which answers? Give a run, or --answers FILE, or --probes: one of them');
      const config = await loadConfig(flags);
      const own = typedValues(command, { ...SHARED_OPTIONS, ...JUDGE_OPTIONS });
      // No model is asked here: what is typed is meant for the judge. The config's settings of the model are not.
      const given = runValues(config, {
        ...own,
        ...(own.baseUrl !== undefined && { judgeBaseUrl: own.baseUrl }),
        ...(own.price !== undefined && { judgePrice: own.price }),
      });
      refuseWithoutBulk(given);
      const lanes = await queueLanes(given);
      const api = { ...judgeApiOptions(given), ...apiOptions(own) };
      try {
        if (flags.probes) await showProbes(flags, { given, config, api });
        else await judgeThrough(lanes, typed, flags, { given, config, api });
      } finally {
        await lanes.close();
      }
    }),
  );
}

function commandWithOptions() {
  const command = withConfigOptions(new Command('judge').optionsGroup(HEADINGS.other))
    .optionsGroup(HEADINGS.model)
    .requiredOption('--judge <models>', 'model that judges; several are a jury');
  addOptions(command, { ...SHARED_OPTIONS, judgeInstructions: JUDGE_OPTIONS.judgeInstructions });
  return command
    .argument('[run]', 'run of open questions: file, part of its name, or latest')
    .description('judge stored answers to open questions')
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
    .option('--json', 'print one JSON object on standard output')
    .addHelpText('after', NOTES);
}

type Flags = ReturnType<ReturnType<typeof commandWithOptions>['opts']>;

interface Settings {
  /** The config's settings under what was typed. */
  readonly given: NonNullable<KrisisConfig['run']> &
    ValuesOf<typeof SHARED_OPTIONS & typeof JUDGE_OPTIONS> &
    KeyValues;
  readonly config: KrisisConfig;
  /** How the judges are asked. */
  readonly api: ApiOptions;
}

async function judgeThrough(
  lanes: QueueLanes,
  typed: string | undefined,
  flags: Flags,
  { given, config, api }: Settings,
): Promise<void> {
  const settings = callSettings(given);
  const rubric = flags.rubric === undefined ? undefined : await Rubric.fromFile(flags.rubric);
  const questions = flags.questions === undefined ? undefined : await findQuestionSuite(flags.questions);
  if (questions !== undefined) noteSensitivity(questions);
  const stored = typed === undefined ? null : findRun(typed);
  const { sensitivity } =
    stored === null ? (questions ?? {}) : RunFile.use(stored, (file) => file.manifest());
  const allow = (sensitivity ?? 'protected') === 'protected' ? settings.allowEgress : null;
  const judges = await judgesOf(flags.judge, given, {
    own: config.backends ?? [],
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
  process.stdout.write(flags.json ? runsJson([run]) : await runsText([run], textWidth()));
  process.exitCode = exitCode([run], {
    allowed: given.failOnError ?? 0,
    isInterrupted: interrupt.signal.aborted,
    isVerbose: given.verbose,
  });
  if (!interrupt.signal.aborted) printMessage(failedRowsText([run]));
}

/** The probes, case by case, with what the judge got wrong; exit code 1 where it was misled. */
async function showProbes(flags: Flags, { given, config, api }: Settings): Promise<void> {
  if (given.bulk || given.queue !== undefined)
    throw usageError('--probes are a few calls, made from here: leave --bulk and --queue out');
  const judges = await judgesOf(flags.judge, given, { own: config.backends ?? [], api });
  const [judge] = judges as [Judge, ...Judge[]];
  if (judge.grader !== undefined)
    throw usageError('--probes test verdicts with quotes, which a grader does not give: leave --grader out');
  if (judges.length > 1) throw usageError('--probes test one judge: name one');
  const shared = openShared(judge.backend ? [judge.backend] : [], false);
  if (judge.backend) createAnnouncer()([judge.backend]);
  const score = await probeJudge(judge, { waits: shared.waits });
  shared.close();
  process.stdout.write(
    flags.json ? probesJson(judge.name, score) : probesText(judge.name, score, textWidth()),
  );
  if (!score.passed) process.exitCode = 1;
}
