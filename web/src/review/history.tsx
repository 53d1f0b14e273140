import type { ReviewQueueItem, ReviewRating } from '../api.ts';
import { OutsideText } from '../parts/outside-text.tsx';
import { moment } from '../parts/words.ts';
import { certaintyText, urgencyText } from './choices.ts';
import { type DeskState, labelsOn, labelText } from './desk-state.ts';

/** What the reviewer has said of the target so far, oldest first. Nothing is ever deleted: a later label supersedes an earlier one. */
export function History({ state, item }: { state: DeskState; item: ReviewQueueItem }) {
  const labels = labelsOn(state, item);
  if (labels.length === 0) return null;
  return (
    <section className="desk-history">
      <h2>Your labels here</h2>
      <ol>
        {labels.map((label, i) => (
          <li key={label.id} className={i < labels.length - 1 ? 'quiet' : undefined}>
            <Said label={label} /> <span className="quiet small">{moment(label.at)}</span>
            {i < labels.length - 1 && ', superseded'}
          </li>
        ))}
      </ol>
    </section>
  );
}

/** A decision with its urgency, how sure its author was, the reason and the note. */
export function Said({ label }: { label: Omit<ReviewRating, 'rater'> }) {
  return (
    <>
      <span className="strong">
        <OutsideText text={labelText(label)} />
      </span>
      {urgencyText(label.urgent)}
      {label.probability !== null && `, ${certaintyText(label.probability)} sure`}
      {label.reason !== null && (
        <span className="line">
          Reason: <OutsideText text={label.reason} />
        </span>
      )}
      {label.note !== null && (
        <span className="line">
          Note: <OutsideText text={label.note} />
        </span>
      )}
    </>
  );
}
