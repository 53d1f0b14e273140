import { KrisisError } from '../core/index.ts';
import { verificationText } from '../reports/index.ts';
import { type RunVerification, verifyRun } from '../store/index.ts';
import type { VerificationMark } from './api.ts';

/** The verdict on a run file as the page shows it. A file with cells that cannot be read is unverified: no version writes them. */
export function verificationMark(verify: () => RunVerification): VerificationMark {
  try {
    const verification = verify();
    const { verdict, checked } = verification;
    return { verdict, checked, text: verificationText(verification) };
  } catch (error) {
    if (!(error instanceof KrisisError) || error.code !== 'ERR_RUN_FILE') throw error;
    const text = 'unverified: not all of it can be read';
    return { verdict: 'unverified', checked: 'everything', text };
  }
}

/** The verdict from seals and manifest alone, which hold the scores: a list of many long runs must not read all their entries. */
export function sealMark(path: string): VerificationMark {
  return verificationMark(() => verifyRun(path, { maxEntries: 0, isForeign: false }));
}

/** The verdict on a run of open questions: lists and suites score its verdicts, which no seal of scores covers, and there are few enough of them to read. */
export function verdictsMark(path: string): VerificationMark {
  return verificationMark(() => verifyRun(path, QUICKLY));
}

/** Reading 10,000 entries takes about a tenth of a second. */
export const QUICKLY = { maxEntries: 10_000, isForeign: false };
