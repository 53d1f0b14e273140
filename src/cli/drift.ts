import { realpathSync, statSync } from 'node:fs';
import { Command, type CommandUnknownOpts } from '@commander-js/extra-typings';
import { driftDocument, driftObject } from '../analyses/drift/drift-document.ts';
import { runDrift } from '../analyses/drift/run-drift.ts';
import { renderAlone } from '../runs/render-documents.ts';
import { DOCUMENT_FORMAT_NAMES } from '../runs/report-formats.ts';
import { findRun } from '../store/find-run.ts';
import { listRuns } from '../store/list-runs.ts';
import { checkDocument, documentWidth, withDocumentOptions, writeDocument } from './document.ts';
import { usageError } from './errors.ts';
import { HEADINGS } from './help.ts';
import { shareBetween0And1, wholeNumber } from './options/option.ts';

const NOTES = `
Later runs of the same suite and model are compared with the reference, case by
case. Settings must be the same, and replies must not come from the cache: use
--no-cache and a new --run file each time. In a folder, runs that cannot be
compared are listed and left out.

Looks are counted in RUN.looks.json beside the reference, so that looking every
month does not raise the chance of a false alarm. Looking at the same run again
counts once.

Exit codes: 0 no change shown, 1 alarm: a run differs from the reference, 2 usage
or runs that cannot be compared, 3 no verdict.

Examples:
  krisis run ckd/staging --model openai/gpt-5-mini --no-cache --run march.db
  krisis drift january.db february.db march.db
  krisis drift runs/ --reference runs/january.db --format html -o drift.html
`;

/** `krisis drift RUN RUN...`: whether a model still answers as it did. */
export function driftCommand(): CommandUnknownOpts {
  return withDocumentOptions(new Command(), DOCUMENT_FORMAT_NAMES)
    .argument('<runs...>', 'runs of one suite and model, or a folder of runs')
    .optionsGroup(HEADINGS.records)
    .option('--reference <run>', 'compare the others with it (default: the oldest)')
    .optionsGroup(HEADINGS.statistics)
    .option('--alpha <share>', 'error over all looks (default: 0.05)', shareBetween0And1)
    .option('--look <k>', 'number of the first look; writes no file', wholeNumber(1))
    .optionsGroup(HEADINGS.other)
    .addHelpText('after', NOTES)
    .action(async (typed, flags) => {
      const { paths, reference, isFolder } = chosenRuns(typed, flags.reference);
      const format = checkDocument(flags, paths, DOCUMENT_FORMAT_NAMES);
      const drift = runDrift(paths, {
        reference,
        look: flags.look,
        alpha: flags.alpha,
        leaveOut: isFolder,
      });
      const alone = { document: () => driftDocument(drift), object: () => driftObject(drift) };
      const content = await renderAlone(alone, format, { width: documentWidth(flags) });
      await writeDocument(content, [], format, flags);
      if (drift.isAlarm) process.exitCode = 1;
      else if (drift.runs.some(({ test }) => test === null)) process.exitCode = 3;
    });
}

/** The runs to compare: those named, or those of a folder with the suite and model of the reference. */
function chosenRuns(typed: readonly string[], wanted: string | undefined) {
  const [folder] = typed;
  const isFolder = typed.length === 1 && statSync(folder!, { throwIfNoEntry: false })?.isDirectory() === true;
  const reference = wanted === undefined ? undefined : findRun(wanted);
  const found = isFolder ? runsOfFolder(folder!, reference) : typed.map((run) => findRun(run));
  // A pattern such as january.db *.db names a run twice.
  const named = [...found, ...(reference === undefined ? [] : [reference])];
  const paths = [...new Map(named.map((path) => [realpathSync(path), path])).values()];
  if (paths.length < 2)
    throw usageError('drift needs two runs or more of the same suite and model: an earlier and a later one');
  return { paths, reference, isFolder };
}

function runsOfFolder(folder: string, reference: string | undefined): string[] {
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
      `${folder}: has no two runs of the same suite and model, and drift compares an earlier with a later one`,
    );
  if (repeated.length > 1)
    throw usageError(
      `${folder}: has runs of several suites and models; choose one with --reference RUN:\n${repeated.map(([name, members]) => `  ${name}: ${members.length} runs, the oldest ${members.at(-1)!.path}`).join('\n')}`,
    );
  return only[1].map(({ path }) => path);
}
