import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { QUESTION_SUITES } from '../suites/questions/find-question-suite.ts';
import { loadConfig } from './config/load-config.ts';
import { usageError } from './errors.ts';
import { withGateOptions } from './gate-options.ts';
import { shortenHelp } from './help.ts';
import { addOptions, appliesTo, settingsHelp, typedValues } from './options/option.ts';
import { RUN_HELP, RUN_OPTIONS, type RunValues } from './options/run-options.ts';
import { createAnnouncer } from './progress.ts';
import { isGroupName, runGroup } from './run-group.ts';
import { runModels } from './run-models.ts';
import { addSuiteOptions, findTypedSuite, optionalSuiteCommand } from './suite-options.ts';
import { watchedFolders, watchRun } from './watch.ts';

const NOTES = `
Models: openai/NAME, anthropic/NAME, ... (krisis check lists providers, keys
and prices), baseline/NAME, simulated/NAME (simulated/careful?accuracy=0.8 sets
one value), replay/FILE, or a backend of your config.

The same command continues a run that was interrupted, and asks failed cases
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
export function runCommand(argv: readonly string[]): CommandUnknownOpts {
  const command = withGateOptions(optionalSuiteCommand());
  addOptions(command, RUN_OPTIONS);
  shortenHelp(command, RUN_HELP, settingsHelp(RUN_OPTIONS));
  addSuiteOptions(command, argv);
  command.addHelpText('after', NOTES);
  return command.action(async (name, flags) => {
    const typed = typedValues(command, RUN_OPTIONS);
    if (typed.watch) {
      if (typed.run !== undefined)
        throw usageError('--watch makes a run file for each change: leave --run out');
      const args = argv.filter((arg) => arg !== '--watch');
      process.exitCode = await watchRun(args, watchedFolders(name, flags.config));
      return;
    }
    const context = {
      find: (suite: string, own: Parameters<typeof findTypedSuite>[2]) =>
        findTypedSuite(command, suite, own, { isOneOfMany: name === 'all' }),
      announce: createAnnouncer(),
    };
    if (!isGroupName(name)) return runModels(name, flags, typed, context);
    refuseForGroup(name, typed, argv);
    const { run = {} } = await loadConfig(flags);
    const group = { hasJudge: (typed.judge ?? run.judge) !== undefined, isJson: typed.json ?? false };
    await runGroup(name, group, (suite, show) =>
      runModels(suite, flags, applicable(typed, suite), { ...context, show }),
    );
  });
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
