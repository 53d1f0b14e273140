import { type ReactNode, useEffect, useRef, useState } from 'react';
import { targetKey } from '../../../src/viewer/browser.ts';
import type { ReviewSession } from '../api.ts';
import { Message } from '../parts/message.tsx';
import { OutsideText } from '../parts/outside-text.tsx';
import { useTitle } from '../parts/use-title.ts';
import { AllSeen } from './all-seen.tsx';
import { Certainty } from './certainty.tsx';
import { ACT_NOW, type Choice, choicesOf, needsReason, SKIP, stepCertainty } from './choices.ts';
import { Decisions } from './decisions.tsx';
import { draftOf } from './desk-state.ts';
import { Fields } from './fields.tsx';
import { Flag } from './flag.tsx';
import { Guide } from './guide.tsx';
import { History } from './history.tsx';
import { ProgressLine } from './progress-line.tsx';
import { Ratings } from './ratings.tsx';
import type { ReviewSource } from './review-source.ts';
import { SaveState } from './save-state.tsx';
import { Shown, Statement } from './shown.tsx';
import { Urgency } from './urgency.tsx';
import { useDesk } from './use-desk.ts';
import { useKeys } from './use-keys.ts';
import './review.css';

interface DeskProps {
  readonly session: ReviewSession;
  readonly source: ReviewSource;
  /** What else is said about saving, below the state of labels on their way: a packet's file. */
  readonly children?: ReactNode;
}

/** One reviewer's queue: what is to be judged, what can be said of it, and how far along the reviewer is. Label, and the next one is on the desk. */
export function ReviewDesk({ session, source, children }: DeskProps) {
  const desk = useDesk(session, source);
  const { state } = desk;
  const item = state.queue[state.at];
  const [hasKeys, setHasKeys] = useState(true);
  const heading = useRef<HTMLHeadingElement>(null);
  const note = useRef<HTMLTextAreaElement>(null);
  const flag = useRef<HTMLInputElement>(null);
  const reason = useRef<HTMLInputElement>(null);
  const choices = item === undefined ? [] : choicesOf(item, session.definitions);
  const draft = draftOf(state);
  const moveBy = (by: number) => desk.moveTo(Math.min(state.at + by, state.queue.length));
  const surer = (by: 1 | -1) => desk.setDraft({ probability: stepCertainty(draft.probability, by) });
  const isRecord = item?.kind === 'record';
  const hasReason = item !== undefined && item.kind !== 'item';
  const urgencyQuestion = item?.shown.kind === 'record' ? item.shown.urgencyQuestion : null;
  const toggleUrgent = () => {
    const urgent = draft.urgent !== true;
    desk.setDraft({ urgent });
    desk.say(urgent ? 'Act now is on. Give the decision as well.' : 'Act now is off.');
  };
  const decide = (choice: Choice) => {
    if (!needsReason(choice.verdict) || draft.reason?.trim()) return desk.decide(choice);
    desk.say('Give the reason first, then choose again.');
    reason.current?.focus();
  };
  const actions: readonly (readonly [string, () => void])[] = [
    ...[...choices, SKIP].map((choice) => [choice.key, () => decide(choice)] as const),
    ['n', () => note.current?.focus()],
    ['f', () => openFlag(flag.current)],
    ['z', desk.undo],
    ...['j', 'arrowright', 'arrowdown'].map((key) => [key, () => moveBy(1)] as const),
    ...['k', 'arrowleft', 'arrowup'].map((key) => [key, () => moveBy(-1)] as const),
    ...(hasReason ? ([['r', () => reason.current?.focus()]] as const) : []),
    ...(urgencyQuestion === null ? [] : ([[ACT_NOW.key, toggleUrgent]] as const)),
    ...(isRecord
      ? ([
          [',', () => surer(-1)],
          ['.', () => surer(1)],
        ] as const)
      : []),
  ];
  useKeys(new Map(actions), hasKeys);
  useTitle('Review');
  const shown = useRef(state.at);
  // A new target begins at its beginning, for eyes and for screen readers.
  useEffect(() => {
    if (shown.current === state.at) return;
    shown.current = state.at;
    heading.current?.focus({ preventScroll: true });
    window.scrollTo(0, 0);
  }, [state.at]);
  if (state.queue.length === 0)
    return (
      <Message title="Nothing to review">
        <p>
          {session.role === 'adjudicator'
            ? 'There is no disagreement to rule on: no target has two labels that differ.'
            : 'This queue is empty.'}
        </p>
      </Message>
    );
  return (
    <div className="desk">
      <header className="desk-head">
        <p className="quiet small">
          <OutsideText text={session.title} /> · reviewer <OutsideText text={session.rater} />
          {session.role === 'adjudicator' && ' · ruling on disagreements'}
        </p>
        <h1 ref={heading} tabIndex={-1}>
          {item === undefined ? 'All seen' : `${nameOf(item.kind)} ${state.at + 1} of ${state.queue.length}`}
        </h1>
        <ProgressLine state={state} />
        <SaveState desk={desk} savedText={source.savedText} />
        {children}
      </header>
      {!session.blind && (
        <div className="notice loud" role="note">
          <p className="strong">This review is not blind.</p>
          <p>
            You see what the judge or the model said. Your labels are stored as not blind, and count in no
            agreement and no corrected score.
          </p>
        </div>
      )}
      {item === undefined ? (
        <AllSeen desk={desk} />
      ) : (
        <div className="desk-body">
          <Shown item={item} />
          <div className="desk-decide">
            <Ratings ratings={item.ratings} />
            <section className="dock" aria-label="Your decision">
              {urgencyQuestion !== null && (
                <Urgency
                  question={urgencyQuestion}
                  isPressed={draft.urgent === true}
                  onToggle={toggleUrgent}
                />
              )}
              <Statement item={item} />
              {isRecord && (
                <Certainty
                  value={draft.probability}
                  onChange={(probability) => desk.setDraft({ probability })}
                />
              )}
              <Decisions desk={desk} item={item} choices={choices} decide={decide} moveBy={moveBy} />
            </section>
            <Fields desk={desk} item={item} note={note} reason={reason} />
            {item.kind !== 'suite_item' && (
              <Flag key={targetKey(item)} desk={desk} item={item} input={flag} />
            )}
            <History state={state} item={item} />
          </div>
        </div>
      )}
      <Guide
        session={session}
        choices={choices}
        kind={item?.kind}
        asksUrgency={urgencyQuestion !== null}
        hasKeys={hasKeys}
        setHasKeys={setHasKeys}
      />
    </div>
  );
}

function nameOf(kind: string): string {
  return kind === 'item' ? 'Item' : kind === 'record' ? 'Record' : 'Entry';
}

/** Opens the box and moves the focus into it at once: what is typed before the browser reports that it is open would be taken for labels. */
function openFlag(input: HTMLInputElement | null): void {
  const box = input?.closest('details');
  if (box) box.open = true;
  input?.focus();
}
