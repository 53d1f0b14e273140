import { Command, type CommandUnknownOpts, Option } from '@commander-js/extra-typings';
import type { z } from 'zod';
import type { Analysis } from '../analyses/analysis.ts';
import { CONFIDENCE_SOURCES } from '../analyses/confidence-sources/source-rows.ts';
import { ANALYSIS_COMMANDS } from '../analyses/registry.ts';
import { snakeCase } from '../core/codec.ts';
import { refuseShards } from '../runs/refuse-shards.ts';
import { renderAlone } from '../runs/render-documents.ts';
import { DOCUMENT_FORMAT_NAMES } from '../runs/report-formats.ts';
import { verificationAlert } from '../runs/unproven-file.ts';
import { findRun } from '../store/find-run.ts';
import { loadAnalysisOptions } from './config/load-config.ts';
import { checkDocument, documentWidth, withDocumentOptions, writeDocument } from './document.ts';
import { EXIT } from './exit-codes.ts';
import { HEADINGS } from './help.ts';
import { openResult } from './open-result.ts';
import { addOptions, type OptionSpec, withConfigOptions } from './options/option.ts';
import { CLUSTER } from './options/score-options.ts';
import { noteSensitivity } from './protected-data.ts';

/** `krisis NAME RUN`, where an analysis has a command of this name: its result, in the formats of a document. */
export function analysisCommand(name: string): CommandUnknownOpts {
  const analysis = ANALYSIS_COMMANDS[name]!;
  const { id, options, command } = analysis;
  const made = withConfigOptions(withDocumentOptions(new Command(), DOCUMENT_FORMAT_NAMES)).argument(
    '<run>',
    'run file, part of its name, or latest; or a file of rows',
  );
  addOptions(made, flagsFor(analysis));
  return made
    .optionsGroup(HEADINGS.statistics)
    .option('--cluster <key>', CLUSTER.description)
    .addOption(
      new Option('--confidence-from <source>', 'confidence to use (default: stated)').choices(
        CONFIDENCE_SOURCES,
      ),
    )
    .optionsGroup(HEADINGS.other)
    .addHelpText('after', command.notes)
    .action(async (run, flags) => {
      const path = findRun(run);
      const format = checkDocument(flags, [path], DOCUMENT_FORMAT_NAMES);
      const { cluster, confidenceFrom } = flags;
      const settings = await loadAnalysisOptions(flags);
      const report = await openResult(path, { resamples: 0, cluster, confidenceFrom });
      noteSensitivity(report);
      try {
        refuseShards([report]);
        const stated = { ...settings?.[id], ...typedOptions(options, flags) };
        const result = report.analyse(id, { ...stated, ...command.sets });
        if (result === null) throw command.refuse(report);
        const alone = {
          document: () => command.document(report, result),
          object: () => command.object(report, result),
        };
        const content = await renderAlone(alone, format, { width: documentWidth(flags) });
        await writeDocument(content, [], format, flags);
        if (verificationAlert(report) !== null) process.exitCode = EXIT.open;
      } finally {
        report.close();
      }
    });
}

/** The flags of an analysis's options, by name: an option without a description is none. */
export function flagsFor({
  options,
  appliesTo = 'labels',
}: Pick<Analysis, 'options' | 'appliesTo'>): Readonly<Record<string, OptionSpec>> {
  const rest = {
    group: appliesTo === 'text' ? HEADINGS.questions : HEADINGS.statistics,
    appliesTo: appliesTo === 'both' ? undefined : appliesTo,
  };
  return Object.fromEntries(
    Object.entries(options?.shape ?? {}).flatMap(([name, schema]) => {
      const { description, placeholder, expected, type, flag = name } = (schema as z.ZodType).meta() ?? {};
      if (description === undefined) return [];
      const value = placeholder === undefined ? '' : ` <${placeholder}>`;
      const flags = `--${snakeCase(flag as string).replaceAll('_', '-')}${value}`;
      return [[name, { flags, description, schema, expected, type, ...rest } as OptionSpec]];
    }),
  );
}

/** The options of an analysis that were typed. */
export function typedOptions<S extends z.ZodObject>(options: S, flags: object): z.infer<S> {
  const typed = Object.entries(options.shape).flatMap(([name, schema]) => {
    const { flag = name } = (schema as z.ZodType).meta() ?? {};
    const value: unknown = flags[flag as keyof typeof flags];
    return value === undefined ? [] : [[name, value]];
  });
  return Object.fromEntries(typed) as z.infer<S>;
}
