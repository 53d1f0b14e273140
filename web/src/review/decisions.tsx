import type { ReviewQueueItem } from '../api.ts';
import { OutsideText } from '../parts/outside-text.tsx';
import { type Choice, SKIP } from './choices.ts';
import { currentLabel } from './desk-state.ts';
import type { Desk } from './use-desk.ts';

interface DecisionsProps {
  readonly desk: Desk;
  readonly item: ReviewQueueItem;
  readonly choices: readonly Choice[];
  readonly decide: (choice: Choice) => void;
  readonly moveBy: (by: number) => void;
}

/** The buttons of a decision, each with its key, and those that move through the queue. */
export function Decisions({ desk, item, choices, decide, moveBy }: DecisionsProps) {
  const current = currentLabel(desk.state, item);
  const button = (choice: Choice) => (
    <button
      key={`${choice.verdict} ${choice.label}`}
      type="button"
      className="decision"
      aria-pressed={current?.verdict === choice.verdict && current.label === choice.label}
      aria-keyshortcuts={choice.key || undefined}
      title={choice.meaning ?? undefined}
      // The second click of a double click is meant for the target that is gone.
      onClick={({ detail }) => detail < 2 && decide(choice)}
    >
      {choice.key !== '' && (
        <span className="key" aria-hidden="true">
          {choice.key}
        </span>
      )}
      <OutsideText text={choice.title} />
    </button>
  );
  const labels = choices.filter(({ label }) => label !== null);
  const verdicts = choices.filter(({ label }) => label === null);
  return (
    <>
      {labels.length > 0 && (
        <div className={labels.every(isShort) ? 'decisions narrow' : 'decisions'}>{labels.map(button)}</div>
      )}
      <div className="decisions verdicts">{verdicts.map(button)}</div>
      <div className="desk-steps">
        <button
          type="button"
          aria-keyshortcuts="k ArrowLeft"
          disabled={desk.state.at === 0}
          onClick={() => moveBy(-1)}
        >
          <span aria-hidden="true">←</span> Back
        </button>
        {button(SKIP)}
        <button
          type="button"
          aria-keyshortcuts="z"
          disabled={desk.state.sitting.length === 0}
          onClick={desk.undo}
        >
          <span className="key" aria-hidden="true">
            z
          </span>
          Undo
        </button>
        <button type="button" aria-keyshortcuts="j ArrowRight" onClick={() => moveBy(1)}>
          Next <span aria-hidden="true">→</span>
        </button>
      </div>
    </>
  );
}

function isShort({ title }: Choice): boolean {
  return title.length <= 6;
}
