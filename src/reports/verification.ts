import { snakeKeys } from '../core/index.ts';
import type { RunVerification } from '../store/index.ts';

/** What can be said about a run file, one sentence to a line; the first has the verdict. */
export function verificationLines(verification: RunVerification): string[] {
  const { verdict, entries, nProblems, problems, startedBy } = verification;
  const by = startedBy === null ? 'an earlier version' : `krisis ${startedBy}`;
  if (verdict === 'not_chained')
    return [`cannot be verified: written by ${by}, and not sealed by this version or a later one`];
  const shown = problems.map(
    ({ problem, kind, where }) => `${problem.replaceAll('_', ' ')}: ${kind}, ${where}`,
  );
  const left = nProblems - shown.length;
  const n = entries.toLocaleString('en');
  const first =
    verdict === 'changed'
      ? `CHANGED since it was written: ${nProblems} ${nProblems === 1 ? 'problem' : 'problems'} in ${n} entries`
      : verification.checked === 'everything'
        ? `verified: none of ${n} entries was changed, dropped or added`
        : `the seal fits: of ${n} entries the seals and the manifest were checked, and not every row (krisis verify checks them)`;
  return [first, ...shown, ...(left > 0 ? [`and ${left} more`] : []), ...sealLines(verification)];
}

function sealLines({ seal, entriesAfterSeal, adoptedAt, mergedFrom, startedBy, ...texts }: RunVerification) {
  const version = seal?.krisisVersion ?? 'of an unknown version';
  return [
    seal === null
      ? 'not sealed: the run has not ended yet, or was interrupted'
      : `sealed ${seal.sealedAt} by krisis ${version}${startedBy === null || startedBy === seal.krisisVersion ? '' : `, begun by krisis ${startedBy}`}`,
    seal?.signed
      ? `signed with the key ${seal.keyFingerprint}`
      : 'not signed: this shows accidents and careless edits only, since the file can be sealed again by anyone who can write it',
    ...(seal !== null && entriesAfterSeal > 0
      ? [
          `${entriesAfterSeal.toLocaleString('en')} entries after the last seal: the run was interrupted, or is being written`,
        ]
      : []),
    ...(adoptedAt === null
      ? []
      : [`not sealed before ${adoptedAt}: an earlier version wrote the file until then`]),
    ...(mergedFrom === null ? [] : [`merged from ${mergedFrom.length} runs`]),
    ...(texts.textsNotChecked > 0
      ? [`${texts.textsNotChecked} stored texts cannot be checked: this copy has no key of its protected run`]
      : []),
  ];
}

/** The same in one line. */
export function verificationText(verification: RunVerification): string {
  return verificationLines(verification).join('; ');
}

/** The same in its JSON form. */
export function verificationObject({ seal, ...rest }: RunVerification) {
  return { ...snakeKeys(rest), seal: seal && snakeKeys(seal) };
}
