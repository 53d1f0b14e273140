import { Command } from '@commander-js/extra-typings';
import { KrisisError } from '../core/errors.ts';
import { plain } from '../core/plain-text.ts';
import { type RecomputedScores, recomputeScores } from '../runs/recompute-scores.ts';
import { verificationLines, verificationObject } from '../runs/verification.ts';
import { findRun } from '../store/find-run.ts';
import { readPublicKey, type SealKey } from '../store/keys.ts';
import { type RunVerification, verifyRun } from '../store/verify-run.ts';
import { EXIT } from './exit-codes.ts';
import { packageVersion } from './package-files.ts';
import { print } from './print.ts';

const NOTES = `
A digest covers every entry of a run file. Each time krisis finishes writing, a
seal covers the digest, the scores and the stored report. Without a signature,
a seal reveals accidents and careless edits only.

To sign runs:
  openssl genpkey -algorithm ed25519 -out key.pem
  openssl pkey -in key.pem -pubout -out key.pub
  krisis run --sign-key key.pem

Exit codes: 0 verified, 1 unverified, or not signed by the key, 2 not a run file,
3 unsealed (an interrupted run), or scores that this version cannot check.

Examples:
  krisis runs verify latest
  krisis runs verify received.krisis --public-key sender.pub
`;

/** `krisis runs verify RUN...`: whether anything in a run file was changed, dropped or added. */
export function verifyCommand() {
  return new Command()
    .argument('<runs...>', 'run files or bundles, or parts of their names')
    .option('--public-key <file>', 'require a signature of this Ed25519 key (PEM) over everything')
    .option('--json', 'print one JSON object on standard output')
    .addHelpText('after', NOTES)
    .action((typed, flags) => {
      const publicKey = flags.publicKey === undefined ? undefined : readPublicKey(flags.publicKey);
      const checked = typed.map((name) => check(name, publicKey));
      const runs = checked.map(({ exitCode: _, lines: _l, ...found }) => found);
      const text = checked.map(
        ({ run_file, lines: [first, ...rest] }) =>
          // Messages of errors begin with the name of the file.
          `${[first!.startsWith(`${run_file}: `) ? first! : `${run_file}: ${first}`, ...rest].map(plain).join('\n  ')}\n`,
      );
      print(flags.json, 'verify', { runs }, text.join(''));
      process.exitCode = [1, 2, 3].find((code) => checked.some(({ exitCode }) => exitCode === code)) ?? 0;
    });
}

/** A file that cannot be read does not keep the others from being checked. */
function check(typed: string, publicKey: SealKey | undefined) {
  try {
    const run_file = findRun(typed);
    const found = verifyRun(run_file, { publicKey });
    const scores = recomputeScores(run_file, found, packageVersion());
    return {
      run_file,
      ...verificationObject(found),
      scores,
      lines: [...verificationLines(found), ...SCORES[scores].lines],
      exitCode: Math.max(VERDICT_EXIT_CODES[found.verdict], SCORES[scores].exitCode),
    };
  } catch (error) {
    if (!(error instanceof KrisisError)) throw error;
    return { run_file: typed, error: error.message, lines: [error.message], exitCode: EXIT.usage };
  }
}

const VERDICT_EXIT_CODES: Readonly<Record<RunVerification['verdict'], number>> = {
  verified: EXIT.done,
  unverified: EXIT.found,
  unsealed: EXIT.open,
};

const SCORES: Readonly<Record<RecomputedScores, { readonly lines: readonly string[]; exitCode: number }>> = {
  same: { lines: ['the sealed scores are those of the rows'], exitCode: EXIT.done },
  different: {
    lines: ['the sealed scores are NOT those of the rows, scored again by the same version'],
    exitCode: EXIT.found,
  },
  other_version: {
    lines: [
      'the sealed scores differ from those of the rows as this version scores them; another version scored the run',
    ],
    exitCode: EXIT.open,
  },
  not_checked: { lines: [], exitCode: EXIT.done },
};
