import { type HashedTarget, hashedTarget, targetKey } from '../../../src/viewer/browser.ts';
import type { NewReviewLabel, ReviewDecision, ReviewQueueItem, ReviewSession, ReviewTarget } from '../api.ts';
import { urgencyText } from './choices.ts';

/** What a reviewer has typed or set for a target and not yet sent with a label. Urgency is here too: on its own it is no label. */
export type Draft = Pick<ReviewDecision, 'urgent' | 'probability' | 'reason' | 'note'>;

export interface DeskState {
  readonly queue: readonly ReviewQueueItem[];
  /** The target on the desk; the length of the queue when all have been seen. */
  readonly at: number;
  /** Own labels by target, oldest first. */
  readonly labels: ReadonlyMap<string, readonly NewReviewLabel[]>;
  readonly drafts: ReadonlyMap<string, Draft>;
  /** Labels of this session that can be undone, oldest first. */
  readonly sitting: readonly NewReviewLabel[];
  /** What happened last, in words. */
  readonly said: string;
}

export type DeskAction =
  | { readonly type: 'label'; readonly label: NewReviewLabel }
  | { readonly type: 'undo'; readonly label: NewReviewLabel }
  | { readonly type: 'flag'; readonly label: NewReviewLabel }
  | { readonly type: 'forget'; readonly label: NewReviewLabel }
  | { readonly type: 'move'; readonly to: number }
  | { readonly type: 'draft'; readonly draft: Partial<Draft> }
  | { readonly type: 'say'; readonly text: string };

const EMPTY: Draft = { urgent: null, probability: null, reason: null, note: null };

/** The desk at the start of a session: at the first target without a label. `unsaved` are labels of an earlier visit that were never acknowledged. */
export function openDesk(session: ReviewSession, unsaved: readonly NewReviewLabel[]): DeskState {
  const known = new Set(session.labels.map(({ id }) => id));
  const labels = Map.groupBy([...session.labels, ...unsaved.filter(({ id }) => !known.has(id))], (label) =>
    targetKey(label),
  );
  const state: DeskState = {
    queue: session.queue,
    at: 0,
    labels,
    drafts: new Map(),
    sitting: [],
    said: '',
  };
  return { ...state, at: nextOpen(state, -1) };
}

export function deskReducer(state: DeskState, action: DeskAction): DeskState {
  switch (action.type) {
    case 'label': {
      const next = withLabel(state, action.label);
      return {
        ...next,
        sitting: [...state.sitting, action.label],
        at: nextOpen(next, state.at),
        said:
          action.label.verdict === 'skip'
            ? 'Skipped.'
            : `Labelled ${labelText(action.label)}${urgencyText(action.label.urgent)}.`,
      };
    }
    case 'undo': {
      const undone = state.sitting.at(-1);
      const isOpen = action.label.verdict === 'skip';
      const at = state.queue.findIndex((item) => targetKey(item) === targetKey(action.label));
      return {
        ...withLabel(state, action.label),
        sitting: state.sitting.slice(0, -1),
        at: at < 0 ? state.at : at,
        said:
          undone === undefined
            ? state.said
            : `Undid ${labelText(undone)}${isOpen ? '; skipped until you choose again' : ''}.`,
      };
    }
    case 'flag':
      return { ...withLabel(state, action.label), said: `Noted: ${labelText(action.label)}.` };
    case 'forget': {
      const key = targetKey(action.label);
      const isOther = ({ id }: NewReviewLabel) => id !== action.label.id;
      const kept = state.labels.get(key)?.filter(isOther) ?? [];
      const labels = new Map(state.labels);
      if (kept.length > 0) labels.set(key, kept);
      else labels.delete(key);
      return { ...state, labels, sitting: state.sitting.filter(isOther), said: 'Discarded the label.' };
    }
    case 'move':
      return { ...state, at: Math.max(0, Math.min(state.queue.length, action.to)), said: '' };
    case 'draft': {
      const item = state.queue[state.at];
      if (item === undefined) return state;
      const drafts = new Map(state.drafts).set(targetKey(item), { ...readDraft(state), ...action.draft });
      return { ...state, drafts };
    }
    case 'say':
      return { ...state, said: action.text };
  }
}

function withLabel(state: DeskState, label: NewReviewLabel): DeskState {
  const key = targetKey(label);
  const labels = new Map(state.labels).set(key, [...(state.labels.get(key) ?? []), label]);
  const drafts = new Map(state.drafts);
  drafts.delete(key);
  return { ...state, labels, drafts };
}

/** The reviewer's labels on a target, oldest first. */
export function labelsOn({ labels }: DeskState, item: ReviewTarget): readonly NewReviewLabel[] {
  return labels.get(targetKey(item)) ?? [];
}

/** The label that counts for a target: the last one, which supersedes those before it. */
export function currentLabel(state: DeskState, item: ReviewTarget): NewReviewLabel | undefined {
  return labelsOn(state, item).at(-1);
}

/** What is in the fields of the target on the desk: what was typed, or what its label says. */
export function readDraft(state: DeskState): Draft {
  const item = state.queue[state.at];
  if (item === undefined) return EMPTY;
  return state.drafts.get(targetKey(item)) ?? currentLabel(state, item) ?? EMPTY;
}

/** Whether a reason, a note or urgency was entered that no label has taken along. */
export function hasUnsentDraft({ drafts, labels }: DeskState): boolean {
  return [...drafts].some(([key, draft]) => isChanged(draft, labels.get(key)?.at(-1)));
}

/** Whether a draft says something else than the label of its target. How sure the reviewer is counts only with a decision. */
export function isChanged(draft: Draft, current: Draft = EMPTY): boolean {
  return (
    (draft.reason ?? '') !== (current.reason ?? '') ||
    (draft.note ?? '') !== (current.note ?? '') ||
    (draft.urgent ?? false) !== (current.urgent ?? false)
  );
}

/** The first target without a label after a place, and then from the start; the length of the queue if there is none. */
function nextOpen(state: DeskState, after: number): number {
  const { queue } = state;
  for (let step = 1; step <= queue.length; step++) {
    const at = (after + step + queue.length) % queue.length;
    if (currentLabel(state, queue[at]!) === undefined) return at;
  }
  return queue.length;
}

export interface Progress {
  readonly total: number;
  readonly labelled: number;
  readonly skipped: number;
  readonly left: number;
  readonly sitting: number;
}

export function countProgress(state: DeskState): Progress {
  const current = state.queue.flatMap((item) => currentLabel(state, item) ?? []);
  const skipped = current.filter(({ verdict }) => verdict === 'skip').length;
  return {
    total: state.queue.length,
    labelled: current.length - skipped,
    skipped,
    left: state.queue.length - current.length,
    sitting: state.sitting.length,
  };
}

/** The place of the first skipped target; -1 if none was skipped. */
export function firstSkipped(state: DeskState): number {
  return state.queue.findIndex((item) => currentLabel(state, item)?.verdict === 'skip');
}

/** The record or rubric item behind a target, as a target of its own. */
export function toSuiteItem({ recordId, itemId, answerHash, itemHash }: ReviewQueueItem): HashedTarget {
  return { kind: 'suite_item', recordId, repeat: 0, itemId, answerHash, itemHash };
}

/** A new label on a target; it supersedes the one before it. */
export function newLabel(state: DeskState, item: HashedTarget, decision: ReviewDecision): NewReviewLabel {
  return {
    id: newId(),
    ...hashedTarget(item),
    ...decision,
    supersedes: currentLabel(state, item)?.id ?? null,
    at: new Date().toISOString(),
  };
}

/** The label that takes back the last one of this session: it restates the label before it, or skips the target. */
export function undoingLabel(state: DeskState): NewReviewLabel | null {
  const last = state.sitting.at(-1);
  const item = last && state.queue.find((each) => targetKey(each) === targetKey(last));
  if (last === undefined || item === undefined) return null;
  const before = state.labels.get(targetKey(last))?.find(({ id }) => id === last.supersedes);
  const { verdict, label, urgent, probability, reason, note } = before ?? {
    ...EMPTY,
    verdict: 'skip',
    label: null,
  };
  return newLabel(state, item, { verdict, label, urgent, probability, reason, note });
}

/** The decision of a label in words: `present`, `G3a`, `cannot tell`. */
export function labelText({ verdict, label }: Pick<ReviewDecision, 'verdict' | 'label'>): string {
  return verdict === 'label' ? String(label) : verdict.replaceAll('_', ' ');
}

/** 128 random bits. `crypto.randomUUID` is missing where the page comes over plain HTTP from another machine. */
function newId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
}
