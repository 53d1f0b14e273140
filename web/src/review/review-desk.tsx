import { type ReactNode, useEffect, useRef, useState } from 'react';
import { targetKey } from '../../../src/viewer/browser.ts';
import type { ReviewQueueItem, ReviewSession } from '../api.ts';
import { Message } from '../parts/message.tsx';
import { OutsideText } from '../parts/outside-text.tsx';
import { useTitle } from '../parts/use-title.ts';
import {
  ACT_NOW,
  CERTAINTIES,
  type Choice,
  certaintyText,
  listChoices,
  needsReason,
  SKIP,
  stepCertainty,
} from './choices.ts';
import { countProgress, currentLabel, firstSkipped, readDraft } from './desk-state.ts';
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
import { type Desk, useDesk } from './use-desk.ts';
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
  const choices = item === undefined ? [] : listChoices(item, session.definitions);
  const draft = readDraft(state);
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
          {item === undefined
            ? 'All seen'
            : `${nameKind(item.kind)} ${state.at + 1} of ${state.queue.length}`}
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

function nameKind(kind: string): string {
  return kind === 'item' ? 'Item' : kind === 'record' ? 'Case' : 'Entry';
}

/** Opens the box and moves the focus into it at once: what is typed before the browser reports that it is open would be taken for labels. */
function openFlag(input: HTMLInputElement | null): void {
  const box = input?.closest('details');
  if (box) box.open = true;
  input?.focus();
}

/** After the last target: what was done, and the ways back. */
function AllSeen({ desk: { state, moveTo, outbox } }: { desk: Desk }) {
  const { total, labelled, skipped, left } = countProgress(state);
  const skippedAt = firstSkipped(state);
  const openAt = state.queue.findIndex((_, at) => !hasLabel(state, at));
  return (
    <div className="panel">
      <p>
        {left === 0 ? 'Thank you: you have been through the whole queue.' : 'This is the end of the queue.'}{' '}
        {labelled} of {total} labelled, {skipped} skipped, {left} left.
      </p>
      {outbox.waiting.length > 0 && <p className="strong">Keep this page open until all labels are saved.</p>}
      <div className="steps">
        {openAt >= 0 && (
          <button type="button" onClick={() => moveTo(openAt)}>
            Go to the next without a label
          </button>
        )}
        {skippedAt >= 0 && (
          <button type="button" onClick={() => moveTo(skippedAt)}>
            Go back to what you skipped
          </button>
        )}
        <button type="button" onClick={() => moveTo(state.queue.length - 1)}>
          Back to the last one
        </button>
      </div>
    </div>
  );
}

function hasLabel(state: Desk['state'], at: number): boolean {
  return currentLabel(state, state.queue[at]!) !== undefined;
}

interface CertaintyProps {
  readonly value: number | null;
  readonly onChange: (probability: number | null) => void;
}

/** How sure the reviewer is of the decision that follows: five steps, or not stated. */
function Certainty({ value, onChange }: CertaintyProps) {
  return (
    <fieldset className="certainty">
      <legend>
        How sure are you? <span className="quiet">First this (optional), then the decision.</span>
      </legend>
      {CERTAINTIES.map(({ probability, title }) => (
        <button
          key={probability}
          type="button"
          aria-pressed={value === probability}
          onClick={() => onChange(value === probability ? null : probability)}
        >
          {certaintyText(probability)} <span className="line">{title}</span>
        </button>
      ))}
    </fieldset>
  );
}

interface DecisionsProps {
  readonly desk: Desk;
  readonly item: ReviewQueueItem;
  readonly choices: readonly Choice[];
  readonly decide: (choice: Choice) => void;
  readonly moveBy: (by: number) => void;
}

/** The buttons of a decision, each with its key, and those that move through the queue. */
function Decisions({ desk, item, choices, decide, moveBy }: DecisionsProps) {
  const current = currentLabel(desk.state, item);
  const button = (choice: Choice) => (
    <button
      key={`${choice.verdict} ${choice.label}`}
      type="button"
      className="decision"
      aria-pressed={current?.verdict === choice.verdict && current.label === choice.label}
      aria-keyshortcuts={choice.key || undefined}
      title={choice.meaning ?? undefined}
      // The second click of a double click is meant for the target that is gone.
      onClick={({ detail }) => detail < 2 && decide(choice)}
    >
      {choice.key !== '' && (
        <span className="key" aria-hidden="true">
          {choice.key}
        </span>
      )}
      <OutsideText text={choice.title} />
    </button>
  );
  const labels = choices.filter(({ label }) => label !== null);
  const verdicts = choices.filter(({ label }) => label === null);
  return (
    <>
      {labels.length > 0 && (
        <div className={labels.every(isShort) ? 'decisions narrow' : 'decisions'}>{labels.map(button)}</div>
      )}
      <div className="decisions verdicts">{verdicts.map(button)}</div>
      <div className="desk-steps">
        <button
          type="button"
          aria-keyshortcuts="k ArrowLeft"
          disabled={desk.state.at === 0}
          onClick={() => moveBy(-1)}
        >
          <span aria-hidden="true">←</span> Back
        </button>
        {button(SKIP)}
        <button
          type="button"
          aria-keyshortcuts="z"
          disabled={desk.state.sitting.length === 0}
          onClick={desk.undo}
        >
          <span className="key" aria-hidden="true">
            z
          </span>
          Undo
        </button>
        <button type="button" aria-keyshortcuts="j ArrowRight" onClick={() => moveBy(1)}>
          Next <span aria-hidden="true">→</span>
        </button>
      </div>
    </>
  );
}

function isShort({ title }: Choice): boolean {
  return title.length <= 6;
}
