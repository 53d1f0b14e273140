import { useEffect, useEffectEvent } from 'react';

/** Calls the action of a pressed key, by `KeyboardEvent.key` in lower case. Keys with a modifier, and those typed into a field, are left alone. */
export function useKeys(actions: ReadonlyMap<string, () => void>, isOn: boolean): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (!isOn || event.ctrlKey || event.metaKey || event.altKey || event.isComposing || event.repeat) return;
    if (isField(event.target)) return;
    const action = actions.get(event.key.toLowerCase());
    if (action === undefined) return;
    event.preventDefault();
    action();
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => press(event);
    window.addEventListener('keydown', listener);
    return () => window.removeEventListener('keydown', listener);
  }, []);
}

function isField(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches('input:not([type="checkbox"]), textarea, select');
}
