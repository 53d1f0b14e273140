import { useEffect, useState } from 'react';

const CHOICES = ['system', 'light', 'dark'] as const;
type Choice = (typeof CHOICES)[number];
const KEY = 'krisis-theme';

/** Light, dark, or the system's choice. */
export function ThemeButton() {
  const [choice, setChoice] = useState<Choice>(stored);
  useEffect(() => {
    document.documentElement.dataset.theme = choice;
    try {
      localStorage.setItem(KEY, choice);
    } catch {
      // A page opened from disk may have no storage: the choice then lasts until it is closed.
    }
  }, [choice]);
  return (
    <label className="theme">
      <span className="quiet" aria-hidden="true">
        Theme
      </span>
      <select aria-label="Theme" value={choice} onChange={(event) => setChoice(event.target.value as Choice)}>
        {CHOICES.map((each) => (
          <option key={each}>{each}</option>
        ))}
      </select>
    </label>
  );
}

function stored(): Choice {
  try {
    return CHOICES.find((choice) => choice === localStorage.getItem(KEY)) ?? 'system';
  } catch {
    return 'system';
  }
}
