import { relative } from 'node:path';
import { Command } from '@commander-js/extra-typings';
import { plain, snakeKeys } from '../core/index.ts';
import { listRuns, RUNS_FOLDER } from '../store/index.ts';
import { print } from './print.ts';

/** `krisis list`: the runs of this folder. */
export function listCommand() {
  return new Command('list')
    .description('list the runs in this folder')
    .argument('[folder]', 'folder of run files', RUNS_FOLDER)
    .option('--json', 'one JSON object on standard output')
    .action((folder, { json }) => {
      const { runs, unreadable } = listRuns(folder);
      const objects = runs.map(({ path, nRecords, ...run }) => ({
        run_file: path,
        n: nRecords,
        ...snakeKeys(run),
      }));
      const width = (of: (run: (typeof runs)[number]) => string) =>
        Math.max(0, ...runs.map((run) => of(run).length));
      const models = width(({ model }) => plain(model));
      const suites = width(({ suite }) => plain(suite));
      const lines = runs.map(
        ({ path, suite, model, status, nRecords, nDone, createdAt }) =>
          `${plain(suite).padEnd(suites)}  ${plain(model).padEnd(models)}  ${`${nDone}/${nRecords}`.padStart(13)}  ${status.padEnd(11)}  ${createdAt.slice(0, 16).replace('T', ' ')}  ${relative('.', path)}\n`,
      );
      const none = `no runs in ${folder}; krisis run makes one\n`;
      print(json, { runs: objects, unreadable }, lines.length === 0 ? none : lines.join(''));
      if (!json) for (const { error } of unreadable) process.stderr.write(`! ${plain(error)}\n`);
    });
}
