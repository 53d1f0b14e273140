import { KrisisError } from '../core/index.ts';
import { verificationText } from '../reports/index.ts';
import { type RunVerification, verifyRun } from '../store/index.ts';
import type { VerificationMark } from './api.ts';

/** The verdict on a run file as the page shows it. A file with cells that cannot be read was changed: no version writes them. */
export function verificationMark(verify: () => RunVerification): VerificationMark {
  try {
    const verification = verify();
    return { verdict: verification.verdict, text: verificationText(verification) };
  } catch (error) {
    if (!(error instanceof KrisisError) || error.code !== 'ERR_RUN_FILE') throw error;
    return { verdict: 'changed', text: 'CHANGED since it was written: not all of it can be read' };
  }
}

/** The verdict from seals and manifest alone, which hold the scores: a list of many long runs must not read all their entries. */
export function sealMark(path: string): VerificationMark {
  return verificationMark(() => verifyRun(path, { mostEntries: 0, isForeign: false }));
}
