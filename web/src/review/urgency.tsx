import { useId } from 'react';
import { OutsideText } from '../parts/outside-text.tsx';
import { ACT_NOW } from './choices.ts';

interface UrgencyProps {
  readonly question: string;
  readonly isPressed: boolean;
  readonly onToggle: () => void;
}

/** Whether the record needs action today: a switch of its own, apart from the decision and never in place of it. */
export function Urgency({ question, isPressed, onToggle }: UrgencyProps) {
  const asked = useId();
  return (
    <div className="urgency">
      <p id={asked}>
        <OutsideText text={question} />
      </p>
      <button
        type="button"
        aria-pressed={isPressed}
        aria-keyshortcuts={ACT_NOW.key}
        aria-describedby={asked}
        onClick={onToggle}
      >
        <span className="key" aria-hidden="true">
          {ACT_NOW.key}
        </span>
        {ACT_NOW.title}
      </button>
    </div>
  );
}
