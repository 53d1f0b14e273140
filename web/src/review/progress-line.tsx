import { whole } from '../../../src/viewer/browser.ts';
import { countProgress, type DeskState } from './desk-state.ts';

/** How much is done and left. It shows no score: a running score would steer the reviewer. */
export function ProgressLine({ state }: { state: DeskState }) {
  const { total, labelled, skipped, left, sitting } = countProgress(state);
  return (
    <div className="desk-progress">
      <progress max={total} value={total - left} aria-label="Progress" />
      <p>
        <span className="strong">{whole(labelled)} labelled</span>
        {skipped > 0 && `, ${whole(skipped)} skipped`}, {whole(left)} left
        <span className="quiet"> · {whole(sitting)} in this session</span>
      </p>
    </div>
  );
}
