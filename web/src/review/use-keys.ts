import { useKeydown } from '../parts/use-keydown.ts';

/** Calls the action of a pressed key, by `KeyboardEvent.key` in lower case. Keys with a modifier, and those typed into a field, are left alone. */
export function useKeys(actions: ReadonlyMap<string, () => void>, isOn: boolean): void {
  useKeydown((event) => {
    if (!isOn || event.ctrlKey || event.metaKey || event.altKey || event.isComposing || event.repeat) return;
    if (isField(event.target)) return;
    const action = actions.get(event.key.toLowerCase());
    if (action === undefined) return;
    event.preventDefault();
    action();
  });
}

function isField(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches('input:not([type="checkbox"]), textarea, select');
}
