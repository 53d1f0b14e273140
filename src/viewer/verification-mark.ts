import { KrisisError } from '../core/errors.ts';
import { verificationText } from '../runs/verification.ts';
import type { RunVerification } from '../store/verify-run.ts';
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

/** Reading 10,000 entries takes about a tenth of a second. */
export const QUICKLY = { maxEntries: 10_000, isForeign: false };
