import { verificationText } from '../reports/index.ts';
import { type RunVerification, verifyRun } from '../store/index.ts';
import type { VerificationMark } from './api.ts';

/** The verdict on a run file as the page shows it. */
export function verificationMark(verification: RunVerification): VerificationMark {
  return { verdict: verification.verdict, text: verificationText(verification) };
}

/** The verdict from seals and manifest alone, which hold the scores: a list of many long runs must not read all their entries. */
export function sealMark(path: string): VerificationMark {
  return verificationMark(verifyRun(path, { mostEntries: 0, isForeign: false }));
}
