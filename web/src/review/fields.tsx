import { type RefObject, useId } from 'react';
import type { ReviewQueueItem } from '../api.ts';
import { words } from '../parts/words.ts';
import { urgencyText } from './choices.ts';
import { currentLabel, isChanged, labelText, readDraft } from './desk-state.ts';
import type { Desk } from './use-desk.ts';

interface FieldsProps {
  readonly desk: Desk;
  readonly item: ReviewQueueItem;
  readonly note: RefObject<HTMLTextAreaElement | null>;
  readonly reason: RefObject<HTMLInputElement | null>;
}

const MAX_TEXT = 4000;

/** Reason and note. They and urgency go with the label that follows; on a target that has a label they are saved by a button of their own. */
export function Fields({ desk, item, note, reason }: FieldsProps) {
  const reasons = item.shown.kind === 'record' ? (item.shown.reasons ?? []) : [];
  const list = useId();
  const draft = readDraft(desk.state);
  const current = currentLabel(desk.state, item);
  const leave = (event: React.KeyboardEvent<HTMLElement>) => {
    if (event.key === 'Escape') event.currentTarget.blur();
  };
  return (
    <div className="desk-fields">
      {item.kind !== 'item' && (
        <label>
          <span>
            Reason{' '}
            <span className="key" aria-hidden="true">
              r
            </span>
          </span>
          <input
            ref={reason}
            type="text"
            list={reasons.length > 0 ? list : undefined}
            maxLength={MAX_TEXT}
            value={draft.reason ?? ''}
            onChange={(event) => desk.setDraft({ reason: event.target.value })}
            onKeyDown={(event) => {
              leave(event);
              if (event.key === 'Enter') event.currentTarget.blur();
            }}
          />
          <datalist id={list}>
            {reasons.map((each) => (
              <option key={each} value={each}>
                {words(each)}
              </option>
            ))}
          </datalist>
        </label>
      )}
      <label>
        <span>
          Note{' '}
          <span className="key" aria-hidden="true">
            n
          </span>{' '}
          <span className="quiet small keys">Esc returns to the keys</span>
        </span>
        <textarea
          ref={note}
          rows={2}
          maxLength={MAX_TEXT}
          value={draft.note ?? ''}
          onChange={(event) => desk.setDraft({ note: event.target.value })}
          onKeyDown={leave}
        />
      </label>
      {current !== undefined && isChanged(draft, current) && (
        <button type="button" onClick={() => desk.decide({ verdict: current.verdict, label: current.label })}>
          Save with “{labelText(current)}
          {draft.urgent === true && urgencyText(true)}”
        </button>
      )}
    </div>
  );
}
