import { Command } from '@commander-js/extra-typings';
import { plain } from '../core/plain-text.ts';
import { findRun } from '../store/find-run.ts';
import { filesOfRun, removeRun } from '../store/remove-run.ts';
import { RunFile } from '../store/run-file.ts';
import { usageError } from './errors.ts';
import { EXIT } from './exit-codes.ts';
import { confirm, print, printMessage } from './print.ts';

const NOTES = `
Deletes run files for good, with what is kept beside them: notes, human reviews
and looks at drift. A run that is being written is refused. krisis runs note RUN
--hide leaves a run out of lists instead.

Examples:
  krisis runs rm simulated-careful
  krisis runs rm first.db second.db --yes
`;

/** `krisis runs rm RUN...`: deletes runs, after a question. */
export function rmCommand() {
  return new Command()
    .argument('<runs...>', 'run files, or parts of their names')
    .option('-y, --yes', 'do not ask for confirmation')
    .option('--json', 'print one JSON object on standard output; needs --yes')
    .addHelpText('after', NOTES)
    .action(async (typed, { yes, json }) => {
      if (json && !yes) throw usageError('--json does not ask: add --yes');
      const runs = [...new Set(typed.map((one) => findRun(one)))];
      // A file that is not a run is not deleted, whatever its name is.
      for (const run of runs) RunFile.use(run, (file) => file.manifest());
      if (!yes && !(await agrees(runs))) {
        printMessage('nothing was deleted\n');
        process.exitCode = EXIT.found;
        return;
      }
      const removed = runs.flatMap((run) => removeRun(run));
      print(json, 'removed', { removed }, removed.map((path) => `deleted ${plain(path)}\n`).join(''));
    });
}

/** Asks on a terminal. */
async function agrees(runs: readonly string[]): Promise<boolean> {
  if (!process.stdin.isTTY)
    throw usageError(
      'krisis runs rm asks before it deletes: add --yes, since there is no terminal to ask on',
    );
  const files = runs.flatMap((run) => filesOfRun(run).filter((path) => !path.endsWith('.lock')));
  printMessage(`${files.map((path) => `  ${plain(path)}\n`).join('')}`);
  const what = runs.length === 1 ? 'this run' : `these ${runs.length} runs`;
  return confirm(`Delete ${what} for good?`, process.stdin, process.stderr);
}
