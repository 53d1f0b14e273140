import { useKeydown } from '../parts/use-keydown.ts';

interface KeyActions {
  readonly next: () => void;
  readonly previous: () => void;
  /** Null while no record is open. */
  readonly close: (() => void) | null;
}

/** Steps through records by keyboard: j, k, the arrows while a record is open, and Escape. Keys in fields, menus and dialogs keep their own meaning. */
export function useRecordKeys({ next, previous, close }: KeyActions): void {
  useKeydown((event) => {
    if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey) return;
    if (hasOwnKeys(event.target)) return;
    const isOpen = close !== null;
    const actions: Readonly<Record<string, (() => void) | undefined>> = {
      j: next,
      k: previous,
      ...(isOpen && { ArrowDown: next, ArrowUp: previous, Escape: close }),
    };
    const action = Object.hasOwn(actions, event.key) ? actions[event.key] : undefined;
    if (action === undefined) return;
    event.preventDefault();
    action();
  });
}

function hasOwnKeys(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || target.closest('input, select, textarea, .popup') !== null)
  );
}
