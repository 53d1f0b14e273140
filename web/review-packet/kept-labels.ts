import type { NewReviewLabel } from '../src/api.ts';
import type { Packet } from './packet.ts';

/** The labels of a packet, in memory and, where the browser allows it, in its storage under the packet's hash. Of protected suites nothing is kept in the browser. */
export interface KeptLabels {
  readonly labels: () => readonly NewReviewLabel[];
  /** Adds labels that are not there yet. */
  readonly add: (labels: readonly NewReviewLabel[]) => void;
  /** How many labels are in no file. */
  readonly unsaved: () => number;
  /** Takes the first `n` labels for saved in a file. */
  readonly setSaved: (n: number) => void;
  /** Whether the labels are still there after the page was closed without saving a file. */
  readonly isKept: () => boolean;
  readonly subscribe: (changed: () => void) => () => void;
}

interface Stored {
  readonly labels: readonly NewReviewLabel[];
  /** How many of them a file has. */
  readonly saved: number;
}

export function keptLabels({ packet, session }: Packet): KeptLabels {
  const key = `krisis-packet ${packet} ${session.rater}`;
  let { labels, saved } = session.protected ? NOTHING : read(key);
  let isKept = !session.protected;
  const listeners = new Set<() => void>();
  const changed = () => {
    if (!session.protected) isKept = write(key, { labels, saved });
    for (const listener of listeners) listener();
  };
  return {
    labels: () => labels,
    add: (more) => {
      const known = new Set(labels.map(({ id }) => id));
      labels = [...labels, ...more.filter(({ id }) => !known.has(id))];
      changed();
    },
    unsaved: () => labels.length - saved,
    setSaved: (n) => {
      saved = n;
      changed();
    },
    isKept: () => isKept,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

const NOTHING: Stored = { labels: [], saved: 0 };

function read(key: string): Stored {
  try {
    const found = JSON.parse(localStorage.getItem(key) ?? 'null') as Stored | null;
    return Array.isArray(found?.labels) ? found : NOTHING;
  } catch {
    return NOTHING;
  }
}

/** Whether it was stored. */
function write(key: string, value: Stored): boolean {
  try {
    localStorage.setItem(key, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}
