import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from '@commander-js/extra-typings';
import { KrisisError, whyUnreadable } from '../../core/index.ts';
import {
  importPacketLabels,
  type PacketLabels,
  parsePacketLabels,
  reviewFrame,
  runIdOf,
} from '../../review/index.ts';
import { findRun, RUNS_FOLDER, RunFile, runNames } from '../../store/index.ts';
import { openReview, reviewPath } from '../../store/review/index.ts';
import { printText } from '../print.ts';
import { noteSensitivity } from '../protected-data.ts';

/** `krisis review import`: takes in what reviewers saved from their packets. */
export function importCommand() {
  return new Command('import')
    .description('take in the files that reviewers saved from packets')
    .argument('<files...>', 'files that packets saved')
    .option('--run <run>', 'the run (default: the one that a file names)')
    .addHelpText('after', '\nExamples:\n  krisis review import krisis-review-*.json\n')
    .action((files, { run }) => {
      noteSensitivity({});
      for (const path of files) {
        const given = parsePacketLabels(readLabels(path), path);
        const n = importInto(run === undefined ? runOf(given, path) : findRun(run), given, path);
        const before = given.labels.length - n;
        printText(`${path}: ${n} labels taken in${before > 0 ? `, ${before} were there already` : ''}\n`);
      }
    });
}

function readLabels(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    throw new KrisisError(`${path}: ${whyUnreadable(cause)}`, {
      code: 'ERR_REVIEW_PACKET',
      value: path,
      cause,
    });
  }
}

function importInto(runPath: string, given: PacketLabels, path: string): number {
  // Nothing is shown here: the texts are needed to see whether they are those that were labelled.
  const frame = reviewFrame(runPath, { includeText: true });
  const file = openReview(reviewPath(runPath), frame);
  try {
    const { plans, draws } = file.read();
    const plan = plans.at(-1);
    if (plan === undefined)
      throw new KrisisError(`${path}: ${runPath} has no review; its packets came from elsewhere`, {
        code: 'ERR_REVIEW_PACKET',
        value: path,
      });
    return importPacketLabels(file, { frame, plan, draws }, given, path);
  } finally {
    file.close();
  }
}

function runOf(given: PacketLabels, path: string): string {
  const id = runIdOf(given);
  const found = runNames()
    .map((name) => join(RUNS_FOLDER, `${name}.db`))
    .find((run) => id !== null && runIdAt(run) === id);
  if (found !== undefined) return found;
  throw new KrisisError(`${path}: its run is not in ${RUNS_FOLDER}`, {
    code: 'ERR_REVIEW_PACKET',
    value: path,
  });
}

/** Null for a file that is no run: it is not the one that is looked for. */
function runIdAt(path: string): string | null {
  try {
    return RunFile.peek(path)?.run_id ?? null;
  } catch {
    return null;
  }
}
