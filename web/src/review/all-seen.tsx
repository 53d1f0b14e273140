import { currentLabel, firstSkipped, progressOf } from './desk-state.ts';
import type { Desk } from './use-desk.ts';

/** After the last target: what was done, and the ways back. */
export function AllSeen({ desk: { state, moveTo, outbox } }: { desk: Desk }) {
  const { total, labelled, skipped, left } = progressOf(state);
  const skippedAt = firstSkipped(state);
  const openAt = state.queue.findIndex((_, at) => !hasLabel(state, at));
  return (
    <div className="panel">
      <p>
        {left === 0 ? 'Thank you: you have been through the whole queue.' : 'This is the end of the queue.'}{' '}
        {labelled} of {total} labelled, {skipped} skipped, {left} left.
      </p>
      {outbox.waiting.length > 0 && <p className="strong">Keep this page open until all labels are saved.</p>}
      <div className="steps">
        {openAt >= 0 && (
          <button type="button" onClick={() => moveTo(openAt)}>
            Go to the next without a label
          </button>
        )}
        {skippedAt >= 0 && (
          <button type="button" onClick={() => moveTo(skippedAt)}>
            Go back to what you skipped
          </button>
        )}
        <button type="button" onClick={() => moveTo(state.queue.length - 1)}>
          Back to the last one
        </button>
      </div>
    </div>
  );
}

function hasLabel(state: Desk['state'], at: number): boolean {
  return currentLabel(state, state.queue[at]!) !== undefined;
}
