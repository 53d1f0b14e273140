import { useEffect, useEffectEvent, useReducer, useState, useSyncExternalStore } from 'react';
import type { NewReviewLabel, ReviewDecision, ReviewSession } from '../api.ts';
import { type Choice, resolveUrgency } from './choices.ts';
import {
  currentLabel,
  type DeskState,
  type Draft,
  deskReducer,
  hasUnsentDraft,
  newLabel,
  openDesk,
  readDraft,
  type toSuiteItem,
  undoingLabel,
} from './desk-state.ts';
import { createOutbox, type OutboxState } from './outbox.ts';
import type { ReviewSource } from './review-source.ts';

export interface Desk {
  readonly state: DeskState;
  readonly outbox: OutboxState<NewReviewLabel>;
  readonly decide: (choice: Pick<Choice, 'verdict' | 'label'>) => void;
  /** Says of a record or rubric item itself whether it is right. */
  readonly flag: (
    target: ReturnType<typeof toSuiteItem>,
    said: Pick<ReviewDecision, 'verdict' | 'reason'>,
  ) => void;
  readonly undo: () => void;
  /** Shows a sentence where the last label is shown. */
  readonly say: (text: string) => void;
  readonly moveTo: (at: number) => void;
  readonly setDraft: (draft: Partial<Draft>) => void;
  readonly retry: () => void;
  readonly discard: () => void;
}

/** The state of one session: what is on the desk, and the labels on their way to where they are stored. */
export function useDesk(session: ReviewSession, source: ReviewSource): Desk {
  const [outbox] = useState(() => createOutbox({ save: source.save, ...unsavedLabels(session) }));
  const waiting = useSyncExternalStore(outbox.subscribe, outbox.getState);
  const [state, dispatch] = useReducer(deskReducer, null, () => openDesk(session, waiting.waiting));
  useEffect(() => outbox.retry(), [outbox]);
  const hasUnsaved = useEffectEvent(() => outbox.getState().waiting.length > 0 || hasUnsentDraft(state));
  useEffect(() => {
    const warn = (event: BeforeUnloadEvent) => {
      if (hasUnsaved()) event.preventDefault();
    };
    window.addEventListener('beforeunload', warn);
    return () => window.removeEventListener('beforeunload', warn);
  }, []);
  const decide = ({ verdict, label }: Pick<Choice, 'verdict' | 'label'>) => {
    const item = state.queue[state.at];
    if (item === undefined) return;
    const { probability, reason, note, ...draft } = readDraft(state);
    const urgent = resolveUrgency(item, verdict, draft.urgent === true);
    const decision = { verdict, label, urgent, probability, reason: texted(reason), note: texted(note) };
    const before = currentLabel(state, item);
    if (before !== undefined && isSame(before, decision)) return dispatch({ type: 'move', to: state.at + 1 });
    const made = newLabel(state, item, decision);
    outbox.add(made);
    dispatch({ type: 'label', label: made });
  };
  const flag: Desk['flag'] = (target, { verdict, reason }) => {
    const nothing = { label: null, urgent: null, probability: null, note: null };
    const decision = { ...nothing, verdict, reason: texted(reason) };
    const before = currentLabel(state, target);
    if (before !== undefined && isSame(before, decision)) return;
    const made = newLabel(state, target, decision);
    outbox.add(made);
    dispatch({ type: 'flag', label: made });
  };
  const undo = () => {
    const made = undoingLabel(state);
    if (made === null)
      return dispatch({
        type: 'say',
        text: 'Nothing to undo in this session. To change an earlier label, move to it and choose again.',
      });
    outbox.add(made);
    dispatch({ type: 'undo', label: made });
  };
  return {
    state,
    outbox: waiting,
    decide,
    flag,
    undo,
    say: (text) => dispatch({ type: 'say', text }),
    moveTo: (to) => dispatch({ type: 'move', to }),
    setDraft: (draft) => dispatch({ type: 'draft', draft }),
    retry: outbox.retry,
    discard: () => {
      const label = outbox.discard();
      if (label !== null) dispatch({ type: 'forget', label });
    },
  };
}

function isSame(a: ReviewDecision, b: ReviewDecision): boolean {
  return (['verdict', 'label', 'urgent', 'probability', 'reason', 'note'] as const).every(
    (name) => a[name] === b[name],
  );
}

/** Null for a field with nothing in it. */
function texted(text: string | null): string | null {
  return text === null || text.trim() === '' ? null : text;
}

/** Keeps labels that were not acknowledged in the browser's storage, so that closing the page does not lose them. Of protected suites nothing is kept there. */
function unsavedLabels(session: ReviewSession): {
  readonly left: readonly NewReviewLabel[];
  readonly keep: (waiting: readonly NewReviewLabel[]) => void;
} {
  if (session.protected) return { left: [], keep: () => undefined };
  const key = `krisis-review ${session.id}`;
  return {
    left: read(key),
    keep: (waiting) => {
      try {
        if (waiting.length === 0) localStorage.removeItem(key);
        else localStorage.setItem(key, JSON.stringify(waiting));
      } catch {
        // Without storage the labels are in memory, and leaving the page warns.
      }
    },
  };
}

function read(key: string): NewReviewLabel[] {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(key) ?? '[]');
    return Array.isArray(found) ? found : [];
  } catch {
    return [];
  }
}
