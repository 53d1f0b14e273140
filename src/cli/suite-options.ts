import { Command, Option } from '@commander-js/extra-typings';
import type { SuiteOptions } from '../suites/domains/index.ts';
import { shareUpTo1, wholeNumber } from './option-values.ts';

/** A command that takes a suite and the options that shape it. */
export function suiteCommand(name: string) {
  return withSuiteOptions(new Command(name).argument('<suite>', SUITE));
}

/** The same, for a command that has a suite of its own when none is given. */
export function optionalSuiteCommand(name: string) {
  return withSuiteOptions(new Command(name).argument('[suite]', SUITE));
}

const SUITE = 'ckd/detection, ckd/staging, ckd/progression, a suite of your config, or a table suite (.yaml)';

function withSuiteOptions<Args extends unknown[]>(command: Command<Args>) {
  return command
    .option('--data <file>', 'a CSV or ARFF copy of the UCI CKD data (without it: the generated cohort)')
    .addOption(new Option('--source <name>', 'where patients come from').choices(['cohort', 'uci'] as const))
    .addOption(
      new Option('--features <set>', 'which measurements are shown').choices(['full', 'reduced'] as const),
    )
    .addOption(
      new Option(
        '--missing <what>',
        'keep: "not measured"; impute: filled from the training part, and marked',
      ).choices(['keep', 'impute'] as const),
    )
    .addOption(
      new Option('--missingness <kind>', 'whether gaps of the cohort tell of the diagnosis').choices([
        'independent',
        'informative',
      ] as const),
    )
    .option('--n-records <n>', 'evaluation records of the cohort (default: 1000)', wholeNumber(1))
    .option(
      '--n-synthetic <n>',
      'synthetic records learned on the training part of the file (default: 0)',
      wholeNumber(0),
    )
    .option('--test-size <share>', 'share of patients that is evaluated (default: 0.2)', shareUpTo1)
    .option('--split-stage-3', 'stages 3a and 3b apart')
    .option('--seed <n>', "the suite's seed (default: 42)", wholeNumber(0))
    .option('--config <file>', 'config file (default: krisis.config.ts or .yaml in this folder)');
}

type Flags = ReturnType<ReturnType<typeof suiteCommand>['opts']>;

/** The suite's options among the flags of a command. */
export function suiteOptions(flags: Flags): SuiteOptions {
  const { data, source, features, missing, missingness, nRecords, nSynthetic, testSize, splitStage3, seed } =
    flags;
  const options = {
    dataPath: data,
    source,
    features,
    missing,
    missingness,
    nRecords,
    nSynthetic,
    testSize,
    splitStage3,
    seed,
  };
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
}
