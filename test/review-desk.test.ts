import { describe, expect, it, vi } from 'vitest';
import type { NewReviewLabel, ReviewQueueItem, ReviewSession } from '../src/store/review/review-session.ts';
import {
  ACT_NOW,
  CERTAINTIES,
  listChoices,
  resolveUrgency,
  stepCertainty,
} from '../web/src/review/choices.ts';
import {
  countProgress,
  currentLabel,
  type DeskState,
  deskReducer,
  hasUnsentDraft,
  newLabel,
  openDesk,
  readDraft,
  undoingLabel,
} from '../web/src/review/desk-state.ts';
import { createOutbox, RefusedError } from '../web/src/review/outbox.ts';

/** The state of a review page, without the page. */

const item = (id: string): ReviewQueueItem => ({
  kind: 'item',
  recordId: 'q1',
  repeat: 0,
  itemId: id,
  answerHash: 'a',
  itemHash: id,
  shown: { kind: 'item', question: 'Q', answer: 'A', item: id, background: null },
});

const session = (labels: readonly NewReviewLabel[] = []): ReviewSession => ({
  id: 'run plan R1',
  title: 'suite',
  rater: 'R1',
  role: 'rater',
  blind: true,
  protected: false,
  guideline: { version: '1', text: null },
  definitions: {},
  queue: ['one', 'two', 'three'].map(item),
  labels,
});

const NO_WORDS = { label: null, urgent: null, probability: null, reason: null, note: null };

function label(state: DeskState, verdict: string, note: string | null = null): DeskState {
  const made = newLabel(state, state.queue[state.at]!, { ...NO_WORDS, verdict, note });
  return deskReducer(state, { type: 'label', label: made });
}

function undo(state: DeskState): DeskState {
  return deskReducer(state, { type: 'undo', label: undoingLabel(state)! });
}

describe('a review desk', () => {
  it('moves to the next target without a label, and ends when there is none', () => {
    let state = openDesk(session(), []);
    state = label(state, 'present');
    expect(state.at).toBe(1);
    state = label(deskReducer(state, { type: 'move', to: 2 }), 'absent');
    expect(state.at).toBe(1);
    state = label(state, 'skip');
    expect(state.at).toBe(3);
    expect(countProgress(state)).toEqual({ total: 3, labelled: 2, skipped: 1, left: 0, sitting: 3 });
  });

  it('supersedes a label when another one is given', () => {
    let state = label(openDesk(session(), []), 'present');
    const first = currentLabel(state, state.queue[0]!)!;
    state = label(deskReducer(state, { type: 'move', to: 0 }), 'unclear');
    expect(currentLabel(state, state.queue[0]!)).toMatchObject({ verdict: 'unclear', supersedes: first.id });
    expect(countProgress(state).labelled).toBe(1);
  });

  it('undoes by a label that supersedes: the one before it again, or a skip', () => {
    let state = label(openDesk(session(), []), 'present', 'a note');
    state = label(deskReducer(state, { type: 'move', to: 0 }), 'absent');
    state = undo(state);
    expect(state.at).toBe(0);
    expect(currentLabel(state, state.queue[0]!)).toMatchObject({ verdict: 'present', note: 'a note' });
    state = undo(state);
    const labels = [...state.labels.values()].flat();
    expect(labels.map(({ verdict }) => verdict)).toEqual(['present', 'absent', 'present', 'skip']);
    expect(labels.map(({ supersedes }) => supersedes)).toEqual([
      null,
      ...labels.slice(0, -1).map(({ id }) => id),
    ]);
    expect(undoingLabel(state)).toBeNull();
  });

  it('starts where the reviewer left off, and counts labels of an earlier visit that were never acknowledged', () => {
    const before = openDesk(session(), []);
    const saved = newLabel(before, before.queue[0]!, { ...NO_WORDS, verdict: 'present' });
    const unsaved = newLabel(before, before.queue[1]!, { ...NO_WORDS, verdict: 'absent' });
    const state = openDesk(session([saved]), [saved, unsaved]);
    expect(state.at).toBe(2);
    expect(countProgress(state)).toMatchObject({ labelled: 2, left: 1, sitting: 0 });
  });

  it('keeps what was typed when the reviewer moves away and back', () => {
    let state = deskReducer(openDesk(session(), []), { type: 'draft', draft: { note: 'later' } });
    state = deskReducer(state, { type: 'move', to: 1 });
    expect(readDraft(state).note).toBeNull();
    state = deskReducer(state, { type: 'move', to: 0 });
    expect(readDraft(state).note).toBe('later');
    expect(hasUnsentDraft(state)).toBe(true);
    expect(hasUnsentDraft(label(state, 'present', 'later'))).toBe(false);
  });

  it('keeps Act now until a decision takes it along: on its own it labels nothing', () => {
    let state = deskReducer(openDesk(session(), []), { type: 'draft', draft: { urgent: true } });
    expect([readDraft(state).urgent, hasUnsentDraft(state)]).toEqual([true, true]);
    expect(countProgress(state)).toMatchObject({ labelled: 0, left: 3 });
    const item = state.queue[0]!;
    const made = newLabel(state, item, { ...NO_WORDS, verdict: 'defer', urgent: true });
    state = deskReducer(state, { type: 'label', label: made });
    expect([state.said, hasUnsentDraft(state)]).toEqual(['Labelled defer, act now.', false]);
    expect(currentLabel(state, item)).toMatchObject({ verdict: 'defer', urgent: true });
    expect(readDraft(deskReducer(state, { type: 'move', to: 0 })).urgent).toBe(true);
    expect(currentLabel(undo(state), item)).toMatchObject({ verdict: 'skip', urgent: null });
  });

  it.each([
    ['label', true, true],
    ['label', false, false],
    ['defer', false, false],
    ['cannot_tell', true, true],
    ['cannot_tell', false, null],
    ['skip', false, null],
  ])('reads urgency with %s, pressed %s, as %s', (verdict, isPressed, urgent) => {
    const shown = { kind: 'record', question: null, record: {}, labels: [1] } as const;
    const asked = { ...item('x'), shown: { ...shown, urgencyQuestion: 'Is it urgent?' } };
    expect(resolveUrgency(asked, verdict, isPressed)).toBe(urgent);
    expect(
      resolveUrgency({ ...asked, shown: { ...shown, urgencyQuestion: null } }, verdict, isPressed),
    ).toBeNull();
    expect(resolveUrgency(item('x'), verdict, isPressed)).toBeNull();
  });

  it('has one key for each choice, none of them used twice', () => {
    const record: ReviewQueueItem = {
      ...item('x'),
      shown: {
        kind: 'record',
        question: null,
        record: {},
        labels: Array.from({ length: 12 }, (_, i) => `L${i}`),
        urgencyQuestion: 'Is it urgent?',
      },
    };
    for (const each of [item('x'), record]) {
      const keys = listChoices(each, {}).flatMap(({ key }) => (key === '' ? [] : [key]));
      expect(new Set([...keys, ACT_NOW.key, 's', 'n', 'z', 'j', 'k', 'r', ',', '.']).size).toBe(
        keys.length + 9,
      );
    }
    expect(listChoices(item('x'), { absent: 'as the judge reads it' })[1]!.meaning).toBe(
      'as the judge reads it',
    );
  });

  it('steps through certainties, from not stated up and back', () => {
    const all = CERTAINTIES.map(({ probability }) => probability);
    expect(stepCertainty(null, 1)).toBe(all[0]);
    expect(stepCertainty(all[0]!, -1)).toBeNull();
    expect(stepCertainty(all.at(-1)!, 1)).toBe(all.at(-1));
    expect(stepCertainty(null, -1)).toBeNull();
  });
});

describe('labels on their way', () => {
  const setUp = (save: (label: { id: string }) => Promise<void>, left: { id: string }[] = []) => {
    const kept: string[][] = [];
    const keep = (waiting: readonly { id: string }[]) => void kept.push(waiting.map(({ id }) => id));
    return { outbox: createOutbox({ save, keep, left }), kept };
  };

  it('leave only when they are acknowledged, in order, and are tried again after a failure', async () => {
    vi.useFakeTimers();
    try {
      const stored: string[] = [];
      let isUp = false;
      const { outbox, kept } = setUp(async ({ id }) => {
        if (!isUp) throw new Error('the server does not answer');
        stored.push(id);
      });
      outbox.add({ id: 'a' });
      outbox.add({ id: 'b' });
      await vi.advanceTimersByTimeAsync(10);
      expect(outbox.getState()).toMatchObject({
        waiting: [{ id: 'a' }, { id: 'b' }],
        problem: { message: 'the server does not answer', refused: false },
        saved: 0,
      });
      expect(kept.at(-1)).toEqual(['a', 'b']);
      isUp = true;
      await vi.advanceTimersByTimeAsync(20_000);
      expect(stored).toEqual(['a', 'b']);
      expect(outbox.getState()).toEqual({ waiting: [], problem: null, saved: 2 });
      expect(kept.at(-1)).toEqual([]);
    } finally {
      vi.useRealTimers();
    }
  });

  it('wait for the reviewer when one is refused', async () => {
    const stored: string[] = [];
    const { outbox } = setUp(async ({ id }) => {
      if (id === 'bad') throw new RefusedError('already superseded');
      stored.push(id);
    });
    outbox.add({ id: 'bad' });
    outbox.add({ id: 'good' });
    await vi.waitFor(() => expect(outbox.getState().problem?.refused).toBe(true));
    expect(stored).toEqual([]);
    expect(outbox.discard()).toEqual({ id: 'bad' });
    await vi.waitFor(() => expect(stored).toEqual(['good']));
    expect(outbox.getState().waiting).toEqual([]);
  });

  it('include what an earlier visit left unsaved', async () => {
    const stored: string[] = [];
    const { outbox } = setUp(async ({ id }) => void stored.push(id), [{ id: 'old' }]);
    expect(stored).toEqual([]);
    outbox.retry();
    await vi.waitFor(() => expect(stored).toEqual(['old']));
  });
});
