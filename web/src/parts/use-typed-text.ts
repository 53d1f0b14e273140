import { type ChangeEvent, useEffect, useEffectEvent, useState } from 'react';

const TYPING_MS = 250;

/** A text field that reports its text when typing pauses, so that not every letter is a request. Gives what the input needs. */
export function useTypedText(
  text: string,
  change: (text: string) => void,
): { readonly value: string; readonly onChange: (event: ChangeEvent<HTMLInputElement>) => void } {
  const [typed, setTyped] = useState(text);
  const [seen, setSeen] = useState(text);
  if (seen !== text) {
    setSeen(text);
    setTyped(text);
  }
  const pause = useEffectEvent((latest: string) => {
    if (latest !== text) change(latest);
  });
  useEffect(() => {
    const timer = setTimeout(() => pause(typed), TYPING_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  return { value: typed, onChange: (event) => setTyped(event.target.value) };
}
