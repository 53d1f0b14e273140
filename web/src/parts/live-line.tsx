import { whole } from '../../../src/viewer/browser.ts';
import type { RunLine } from '../api.ts';
import { share, timeLeft } from './words.ts';

/** How far a run that is being written has come; nothing for any other run. */
export function LiveLine({ run }: { run: RunLine }) {
  if (run.status !== 'running') return null;
  return (
    <p className="notice" role="status">
      Still running: {whole(run.n_done)} of {whole(run.n)} ({share(run.n_done, run.n)})
      {run.live !== null &&
        `, ${run.live.in_flight} in flight, ${run.live.rate_limits} rate limits (429)${timeLeft(run.live)}`}
      . Numbers change until it has finished.
    </p>
  );
}
