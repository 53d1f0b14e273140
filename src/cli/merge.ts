import { relative } from 'node:path';
import { Command } from '@commander-js/extra-typings';
import { mergeRuns } from '../engine/merge-runs.ts';
import { findRun } from '../store/find-run.ts';
import { EXIT } from './exit-codes.ts';
import { runsJson } from './output/runs-json.ts';
import { runsText } from './output/runs-text.ts';
import { packageVersion } from './package-files.ts';
import { printMessage, textWidth } from './print.ts';
import { readSignKey } from './run-settings.ts';

/** Files that SQLite and Krisis keep beside a run: a pattern with * takes them along. */
const BESIDE = /\.db(-wal|-shm|\.lock)$/;

function runFiles(typed: readonly string[]): string[] {
  return typed.filter((name) => !BESIDE.test(name)).map((name) => findRun(name));
}

/** `krisis runs merge`: the parts of a run as one run. */
export function mergeCommand() {
  return new Command()
    .argument('<output>', 'the run file to write')
    .argument('<parts...>', 'run files of the parts, or names')
    .option('--partial', 'merge although parts are missing or unfinished')
    .option('--sign-key <file>', 'sign the merged run with this Ed25519 key (PEM)')
    .option('--json', 'print one JSON object on standard output')
    .addHelpText(
      'after',
      `
A merged run equals one that was never divided: the same rows, scores and calls.
Parts must be of one run; two that answer a case differently are refused, and
so is a part that is unsealed or unverified (krisis runs verify).

Exit codes: 0 complete, 2 refused, 3 merged with --partial, but incomplete.

Examples:
  krisis run ckd/staging -m ollama/llama3.2 --shard 1/2
  krisis run ckd/staging -m ollama/llama3.2 --shard 2/2
  krisis runs merge whole.db .krisis/runs/*.shard-*-of-2.db
`,
    )
    .action(async (output, parts, { partial, json, signKey: source }) => {
      const signKey = readSignKey(source);
      const { result, missing, unfinished, signed, unsigned } = await mergeRuns(output, runFiles(parts), {
        partial,
        signKey,
        krisisVersion: packageVersion(),
      });
      const isWhole = missing.length + unfinished.length === 0;
      process.stdout.write(json ? runsJson([result]) : await runsText([result], { width: textWidth() }));
      if (signKey === undefined && signed.length > 0)
        printMessage('the merged run is not signed, although parts are: --sign-key KEY signs it\n');
      if (signKey !== undefined && unsigned.length > 0)
        printMessage(
          `not signed with this key, so the entries of the merged run are marked as unsigned: ${unsigned.map((path) => relative('.', path)).join(', ')}\n`,
        );
      if (isWhole) return;
      process.exitCode = EXIT.open;
      const what = [
        ...(missing.length > 0
          ? [`part${missing.length > 1 ? `s ${missing.join(', ')} are` : ` ${missing[0]} is`} missing`]
          : []),
        ...unfinished.map((path) => `${relative('.', path)} had not finished`),
      ];
      printMessage(
        `${what.join('; ')}. To ask the rest, run the command of the parts without --shard and with --run ${relative('.', output)}\n`,
      );
    });
}
