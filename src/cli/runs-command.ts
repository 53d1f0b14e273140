import { realpathSync, statSync } from 'node:fs';
import { Command, type CommandUnknownOpts } from '@commander-js/extra-typings';
import { RUNS_COMMANDS } from '../analyses/registry.ts';
import { renderAlone } from '../runs/render-documents.ts';
import { DOCUMENT_FORMAT_NAMES } from '../runs/report-formats.ts';
import { findRun } from '../store/find-run.ts';
import { listRuns } from '../store/list-runs.ts';
import { flagsFor, typedOptions } from './analysis-command.ts';
import { loadAnalysisOptions } from './config/load-config.ts';
import { checkDocument, documentWidth, withDocumentOptions, writeDocument } from './document.ts';
import { usageError } from './errors.ts';
import { HEADINGS } from './help.ts';
import { addOptions, withConfigOptions } from './options/option.ts';

/** `krisis NAME RUN RUN...`, where an analysis of several runs has a command of this name. */
export function runsCommand(name: string): CommandUnknownOpts {
  const { analysis, command } = RUNS_COMMANDS[name]!;
  const made = withConfigOptions(withDocumentOptions(new Command(), DOCUMENT_FORMAT_NAMES))
    .argument('<runs...>', 'runs of one suite and model, or a folder of runs')
    .optionsGroup(HEADINGS.records)
    .option(`--${command.reference} <run>`, 'compare the others with it (default: the oldest)');
  addOptions(made, flagsFor(analysis));
  return made
    .optionsGroup(HEADINGS.other)
    .addHelpText('after', command.notes)
    .action(async (typed, flags) => {
      const wanted = (flags as Readonly<Record<string, unknown>>)[command.reference] as string | undefined;
      const { paths, reference, isFolder } = chooseRuns(name, typed, wanted);
      const format = checkDocument(flags, paths, DOCUMENT_FORMAT_NAMES);
      const settings = await loadAnalysisOptions(flags);
      const result = analysis.compute(paths.map(command.read), {
        ...settings?.[analysis.id],
        ...typedOptions(analysis.options!, flags),
        ...command.sets,
        [command.reference]: reference,
        leaveOut: isFolder,
      });
      const alone = { document: () => analysis.document!(result), object: () => analysis.object!(result) };
      const content = await renderAlone(alone, format, { width: documentWidth(flags) });
      await writeDocument(content, [], format, flags);
      process.exitCode = command.exitCode(result);
    });
}

/** The runs to compare: those named, or those of a folder with the suite and model of the reference. */
function chooseRuns(command: string, typed: readonly string[], wanted: string | undefined) {
  const [folder] = typed;
  const isFolder = typed.length === 1 && statSync(folder!, { throwIfNoEntry: false })?.isDirectory() === true;
  const reference = wanted === undefined ? undefined : findRun(wanted);
  const found = isFolder ? readFolder(command, folder!, reference) : typed.map((run) => findRun(run));
  // A pattern such as january.db *.db names a run twice.
  const named = [...found, ...(reference === undefined ? [] : [reference])];
  const paths = [...new Map(named.map((path) => [realpathSync(path), path])).values()];
  if (paths.length < 2)
    throw usageError(
      `${command} needs two runs or more of the same suite and model: an earlier and a later one`,
    );
  return { paths, reference, isFolder };
}

/** The runs of a folder that are of one suite and model: those of the reference, or the only ones that are several. */
function readFolder(command: string, folder: string, reference: string | undefined): string[] {
  const { runs } = listRuns(folder);
  if (runs.length === 0) throw usageError(`${folder}: has no runs`);
  const groups = [...Map.groupBy(runs, ({ suite, model }) => `${suite}, ${model}`)];
  if (reference !== undefined) {
    const same = (path: string) => realpathSync(path) === realpathSync(reference);
    const own = groups.find(([, members]) => members.some(({ path }) => same(path)));
    return (own?.[1] ?? runs).map(({ path }) => path);
  }
  const repeated = groups.filter(([, members]) => members.length > 1);
  const [only] = repeated;
  if (only === undefined)
    throw usageError(
      `${folder}: has no two runs of the same suite and model, and ${command} compares an earlier with a later one`,
    );
  if (repeated.length > 1)
    throw usageError(
      `${folder}: has runs of several suites and models; choose one with --reference RUN:\n${repeated.map(([name, members]) => `  ${name}: ${members.length} runs, the oldest ${members.at(-1)!.path}`).join('\n')}`,
    );
  return only[1].map(({ path }) => path);
}
