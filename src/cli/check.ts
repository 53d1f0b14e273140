import { existsSync } from 'node:fs';
import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { nearNames } from '../core/near-names.ts';
import { DOMAINS } from '../domains/domains.ts';
import { isProviderName, PROVIDERS } from '../models/api/providers/providers.ts';
import { checkRubricFile } from '../suites/questions/check-file.ts';
import { QUESTION_SUITES } from '../suites/questions/find-question-suite.ts';
import { loadConfig } from './config/load-config.ts';
import { usageError } from './errors.ts';
import { EXIT } from './exit-codes.ts';
import { listModels, showProvider } from './models.ts';
import { presetsObject, presetsText } from './output/presets.ts';
import { print, textWidth } from './print.ts';
import { checkedObject, checkedText } from './rubric.ts';
import { suiteKind } from './suite-kinds.ts';
import { addSuiteOptions, findTypedSuite, optionalSuiteCommand } from './suite-options.ts';
import { exportSuite, listSuites, suitesText } from './suites.ts';
import { checkFile, DATA_FILE_TITLES } from './validate/validate.ts';

const NOTES = `
Alone, it lists the suites and the models. A suite is shown with its counts,
labels and baselines, a provider with its models and prices, a file with all its
problems: its name and content say what it is, such as answers of a model (CSV,
TSV, JSON, JSONL, Parquet), results of another tool, a table suite or open
questions (YAML), a rubric, a config, a run file, or a data file that a suite reads (${DATA_FILE_TITLES}).
Join data files that belong together by commas, as for --data.

Keys are read from the environment and never shown. Nothing is called: a name
that is not listed may still be a model of the provider. Prices are those of the
table in @pydantic/genai-prices; --set price=IN,OUT of krisis run replaces them.

Exit codes: 0 fine, 1 findings under --strict, 2 problems or bad input.

Examples:
  krisis check                          suites, models, keys, a few prices
  krisis check answers.csv              everything that is wrong with a file
  krisis check suite.yaml
  krisis check rubric.yaml --strict
  krisis check ckd/staging              what a suite contains
  krisis check ckd/staging --export records.jsonl
  krisis check --presets                published multiple-choice sets
  krisis check anthropic                the models of one provider
`;

/** `krisis check [FILE|SUITE|PROVIDER]`: what there is, and what is wrong with it. */
export function checkCommand(argv: readonly string[]): CommandUnknownOpts {
  const command = optionalSuiteCommand('what', 'a file, a suite or a provider')
    .option('--presets', 'list the multiple-choice sets that presets read')
    .option('--strict', 'exit code 1 when a rubric can be improved')
    .option('--export <file>', 'write the cases of the suite (JSONL); - for standard output')
    .option('--training', 'with --export: the training part, not the evaluation part')
    .option('--include-protected', 'with --export: also patient data of a protected suite')
    .option('--force', 'with --export: overwrite an existing file')
    .option('--json', 'print one JSON object on standard output')
    .action(async (what, flags) => {
      const config = await loadConfig(flags);
      if (flags.export === undefined)
        for (const option of ['training', 'includeProtected', 'force'] as const)
          if (flags[option] !== undefined)
            throw usageError(
              `--${option === 'includeProtected' ? 'include-protected' : option} belongs to --export FILE`,
            );
      if (flags.presets) return print(flags.json, 'check', presetsObject(), presetsText());
      if (what === undefined) {
        if (flags.export !== undefined) throw usageError('--export needs the name of a suite');
        const suites = listSuites(config);
        const models = await listModels(config);
        return print(
          flags.json,
          'check',
          { suites, ...models.json },
          `${suitesText(suites)}\n${models.text}`,
        );
      }
      if (flags.export !== undefined)
        return exportSuite(await findTypedSuite(command, what, config.suites), {
          output: flags.export === '-' ? undefined : flags.export,
          force: flags.force ?? false,
          training: flags.training ?? false,
          includeProtected: flags.includeProtected ?? false,
        });
      if ((isProviderName(what) || isNearProvider(what)) && !existsSync(what)) {
        const { json, text } = await showProvider(what);
        return print(flags.json, 'check', json, text);
      }
      if (isFile(what)) return showFile(what);
      const suite = await findTypedSuite(command, what, config.suites);
      const { json, text } = await suiteKind(suite).describe(textWidth());
      const rubrics = QUESTION_SUITES.some(({ name }) => name === what) ? await findings(what) : null;
      print(
        flags.json,
        'check',
        { ...json, ...rubrics?.json },
        `${text}${rubrics === null ? '' : `\n${rubrics.text}`}`,
      );

      async function showFile(path: string): Promise<void> {
        const found = await checkFile(path, flags);
        const n = found.nProblems ?? 0;
        if (n > 0) process.exitCode = EXIT.usage;
        const base = { ok: n === 0, kind: found.kind, n_problems: n, problems: found.problems };
        const more = n > 0 ? null : await moreAbout(path, found.kind);
        print(
          flags.json,
          'check',
          { ...more?.json, ...base, ...found.json },
          `${found.report}${more === null ? '' : `\n${more.text}`}`,
        );
      }

      /** A suite in a file is also described, and rubrics are read for what could be better. */
      async function moreAbout(path: string, kind: string) {
        if (kind === 'table_suite')
          return suiteKind(await findTypedSuite(command, path, config.suites)).describe(textWidth());
        return kind === 'questions' || kind === 'rubric' ? findings(path) : null;
      }

      async function findings(path: string) {
        const checked = await checkRubricFile(path);
        if (flags.strict && checked.findings.length > 0) process.exitCode = EXIT.found;
        return { json: checkedObject(path, checked), text: checkedText(path, checked) };
      }
    });
  addSuiteOptions(command, argv);
  command.addHelpText('after', NOTES);
  return command;
}

/** A mistyped provider: the message about it names the right one. */
function isNearProvider(what: string): boolean {
  return (
    /^\w+$/.test(what) &&
    nearNames(what, PROVIDERS).length > 0 &&
    nearNames(
      what,
      DOMAINS.map(({ name }) => name),
    ).length === 0
  );
}

/** What is not the name of a suite: a file that is there, several joined by commas, or a path. */
function isFile(what: string): boolean {
  return existsSync(what) || what.includes(',') || /\.[a-z]{2,7}$/i.test(what);
}
