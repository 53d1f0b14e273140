import { KrisisError } from '../core/errors.ts';
import { details, list, paragraph, section } from '../reports/document/blocks.ts';
import type { Section } from '../reports/document/document.ts';
import { verificationLines, verificationText } from '../runs/verification.ts';
import type { RunVerification } from '../store/verify-run.ts';
import type { VerificationMark } from './api.ts';

/** The verdict on a run file as the page shows it. A file with cells that cannot be read is unverified: no version writes them. */
export function verificationMark(verify: () => RunVerification): VerificationMark {
  try {
    const verification = verify();
    const { verdict, checked } = verification;
    return {
      verdict,
      checked,
      text: verificationText(verification),
      notice: noticeFor(verdict, verificationLines(verification)),
    };
  } catch (error) {
    if (!(error instanceof KrisisError) || error.code !== 'ERR_RUN_FILE') throw error;
    const text = 'unverified: not all of it can be read';
    return { verdict: 'unverified', checked: 'everything', text, notice: noticeFor('unverified', [text]) };
  }
}

function noticeFor(verdict: VerificationMark['verdict'], [first, ...rest]: readonly string[]): Section {
  return section({ id: 'verification', title: `This run file is ${verdict}` }, [
    paragraph(`Run file: ${first}.`),
    verdict === 'unverified' && paragraph('No number below can be trusted.'),
    rest.length > 0 && details('Details', [list(rest)]),
  ]);
}

/** Reading 10,000 entries takes about a tenth of a second. */
export const QUICKLY = { maxEntries: 10_000, isForeign: false };
