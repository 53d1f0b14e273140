import { CERTAINTIES, certaintyText } from './choices.ts';

interface CertaintyProps {
  readonly value: number | null;
  readonly onChange: (probability: number | null) => void;
}

/** How sure the reviewer is of the decision that follows: five steps, or not stated. */
export function Certainty({ value, onChange }: CertaintyProps) {
  return (
    <fieldset className="certainty">
      <legend>
        How sure are you? <span className="quiet">First this (optional), then the decision.</span>
      </legend>
      {CERTAINTIES.map(({ probability, title }) => (
        <button
          key={probability}
          type="button"
          aria-pressed={value === probability}
          onClick={() => onChange(value === probability ? null : probability)}
        >
          {certaintyText(probability)} <span className="line">{title}</span>
        </button>
      ))}
    </fieldset>
  );
}
