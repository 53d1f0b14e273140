import { relative } from 'node:path';
import { Command } from '@commander-js/extra-typings';
import { plain, snakeKeys } from '../core/index.ts';
import { listRuns, RUNS_FOLDER } from '../store/index.ts';

/** `krisis list`: the runs of this folder. */
export function listCommand() {
  return new Command('list')
    .description('list the runs in this folder')
    .argument('[folder]', 'folder of run files', RUNS_FOLDER)
    .option('--json', 'one JSON object on standard output')
    .action((folder, { json }) => {
      const { runs, unreadable } = listRuns(folder);
      if (json) {
        const objects = runs.map(({ path, nRecords, ...run }) => ({
          run_file: path,
          n: nRecords,
          ...snakeKeys(run),
        }));
        process.stdout.write(`${JSON.stringify({ runs: objects, unreadable }, null, 2)}\n`);
        return;
      }
      if (runs.length === 0) process.stdout.write(`no runs in ${folder}; krisis run makes one\n`);
      const width = (of: (run: (typeof runs)[number]) => string) =>
        Math.max(0, ...runs.map((run) => of(run).length));
      const models = width(({ model }) => plain(model));
      const suites = width(({ suite }) => plain(suite));
      for (const { path, suite, model, status, nRecords, nDone, createdAt } of runs) {
        process.stdout.write(
          `${plain(suite).padEnd(suites)}  ${plain(model).padEnd(models)}  ${`${nDone}/${nRecords}`.padStart(13)}  ${status.padEnd(11)}  ${createdAt.slice(0, 16).replace('T', ' ')}  ${relative('.', path)}\n`,
        );
      }
      for (const { error } of unreadable) process.stderr.write(`! ${plain(error)}\n`);
    });
}
