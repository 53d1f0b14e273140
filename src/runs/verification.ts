import { snakeKeys } from '../core/codec.ts';
import type { MergedPart } from '../store/seal.ts';
import type { RunVerification } from '../store/verify-run.ts';

/** What can be said about a run file, one sentence to a line; the first has the verdict. */
export function verificationLines(verification: RunVerification): string[] {
  const { nProblems, problems } = verification;
  const shown = problems.map(
    ({ problem, kind, where }) => `${problem.replaceAll('_', ' ')}: ${kind}, ${where}`,
  );
  const left = nProblems - shown.length;
  return [
    verdictLine(verification),
    ...shown,
    ...(left > 0 ? [`and ${left} more`] : []),
    ...sealLines(verification),
  ];
}

function verdictLine({ verdict, checked, entries, entriesAfterSeal, nProblems }: RunVerification): string {
  const n = entries.toLocaleString('en');
  if (verdict === 'unverified')
    return `unverified: ${nProblems} ${nProblems === 1 ? 'problem' : 'problems'} in ${n} entries`;
  if (verdict === 'unsealed')
    return `unsealed: no seal covers the last ${entriesAfterSeal.toLocaleString('en')} of ${n} entries, because the run was interrupted or is being written. Run the same command again to finish and seal it`;
  return checked === 'everything'
    ? `verified: none of ${n} entries was changed, dropped or added`
    : `the seal fits: only the seal was checked, not all ${n} entries (krisis runs verify checks them)`;
}

function sealLines({ seal, unsignedEntries, mergedFrom, startedBy }: RunVerification): string[] {
  const version = seal?.krisisVersion ?? 'of an unknown version';
  return [
    seal === null
      ? 'not sealed yet'
      : `sealed ${seal.sealedAt} by krisis ${version}${startedBy === null || startedBy === seal.krisisVersion ? '' : `, begun by krisis ${startedBy}`}`,
    seal?.signed
      ? `signed with the key ${seal.keyFingerprint}`
      : 'not signed: this shows accidents and careless edits only, since the file can be sealed again by anyone who can write it',
    ...(unsignedEntries > 0
      ? [
          `${unsignedEntries.toLocaleString('en')} entries of this signed run were covered by no signature in time: others may have written them`,
        ]
      : []),
    ...(mergedFrom === null ? [] : [`merged from ${mergedFrom.length} runs`, ...mergedFrom.map(partLine)]),
  ];
}

function partLine({ file, entries, head, sealed_at, key_fingerprint }: MergedPart): string {
  const signed = key_fingerprint === null ? 'not signed' : `signed with the key ${key_fingerprint}`;
  return `part ${file}: ${entries.toLocaleString('en')} entries up to ${head}, sealed ${sealed_at}, ${signed}`;
}

/** The same in one line. */
export function verificationText(verification: RunVerification): string {
  return verificationLines(verification).join('; ');
}

/** The same in its JSON form. */
export function verificationObject({ seal, ...rest }: RunVerification) {
  return { ...snakeKeys(rest), seal: seal && snakeKeys(seal) };
}
