/** Labels on their way to where they are stored. A label leaves only when the other side has acknowledged it. */
export interface Outbox<T extends { readonly id: string }> {
  add(label: T): void;
  /** Sends what is waiting now, without waiting for the next attempt. What an earlier visit left is sent by the first call. */
  retry(): void;
  /** Gives up the label that was refused, and returns it. */
  discard(): T | null;
  getState(): OutboxState<T>;
  subscribe(changed: () => void): () => void;
}

export interface OutboxState<T> {
  /** Oldest first; the first is being sent or has failed. */
  readonly waiting: readonly T[];
  /** Why the first one is not stored; null while nothing is wrong. */
  readonly problem: { readonly message: string; readonly refused: boolean } | null;
  /** How many were acknowledged since the page opened. */
  readonly saved: number;
}

/** The other side has answered, and does not accept the label: sending it again changes nothing. */
export class RefusedError extends Error {}

interface OutboxOptions<T> {
  /** Resolves when the label is stored. */
  readonly save: (label: T) => Promise<void>;
  /** Keeps what waits in case the page is closed. */
  readonly keep: (waiting: readonly T[]) => void;
  /** What an earlier visit left unsaved. */
  readonly left: readonly T[];
}

const MAX_WAIT_MS = 10_000;

/** Sends labels one after another, in order, because a correction must not arrive before what it corrects. A failed one is tried again after 1, 2, 4, 8 and then every 10 seconds. */
export function createOutbox<T extends { readonly id: string }>({
  save,
  keep,
  left,
}: OutboxOptions<T>): Outbox<T> {
  let state: OutboxState<T> = { waiting: left, problem: null, saved: 0 };
  let isSending = false;
  let tries = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const listeners = new Set<() => void>();
  const set = (next: Partial<OutboxState<T>>) => {
    state = { ...state, ...next };
    if (next.waiting !== undefined) keep(next.waiting);
    for (const changed of listeners) changed();
  };
  const send = async () => {
    clearTimeout(timer);
    const first = state.waiting[0];
    if (isSending || first === undefined) return;
    isSending = true;
    try {
      await save(first);
      tries = 0;
      set({ waiting: state.waiting.slice(1), problem: null, saved: state.saved + 1 });
    } catch (error) {
      const refused = error instanceof RefusedError;
      set({ problem: { message: error instanceof Error ? error.message : String(error), refused } });
      if (!refused) timer = setTimeout(send, Math.min(MAX_WAIT_MS, 1000 * 2 ** tries++));
    } finally {
      isSending = false;
    }
    if (state.problem === null) void send();
  };
  return {
    add: (label) => {
      set({ waiting: [...state.waiting, label] });
      if (state.problem === null) void send();
    },
    retry: () => void send(),
    discard: () => {
      const first = state.waiting[0];
      if (state.problem?.refused !== true || first === undefined) return null;
      set({ waiting: state.waiting.slice(1), problem: null });
      void send();
      return first;
    },
    getState: () => state,
    subscribe: (changed) => {
      listeners.add(changed);
      return () => listeners.delete(changed);
    },
  };
}
