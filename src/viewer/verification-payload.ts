import { verifyRun } from '../store/verify-run.ts';
import type { VerificationMark } from './api.ts';
import type { OpenRuns } from './open-runs.ts';
import { storedRun } from './run-payload.ts';
import { verificationMark } from './verification-mark.ts';

/** The verdict on every entry of a run file. */
export function verificationPayload(runs: OpenRuns, { id }: { readonly id: string }): VerificationMark {
  const run = runs.find(id);
  // A short file was verified as a whole when the run was opened.
  const known = storedRun(runs, run)?.payload.verification;
  if (known?.checked === 'everything') return known;
  return runs.cached('verification', [run], () =>
    verificationMark(() => verifyRun(run.path, { isForeign: false })),
  );
}
