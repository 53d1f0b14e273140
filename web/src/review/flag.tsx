import { type RefObject, useEffect, useState } from 'react';
import type { ReviewQueueItem } from '../api.ts';
import { currentLabel, labelText, toSuiteItem } from './desk-state.ts';
import { Said } from './history.tsx';
import type { Desk } from './use-desk.ts';

interface FlagProps {
  readonly desk: Desk;
  readonly item: ReviewQueueItem;
  readonly input: RefObject<HTMLInputElement | null>;
}

/** A remark on the test itself: the record or the rubric item is wrong or ambiguous, whatever the answer says. It is stored apart from the label. */
export function Flag({ desk, item, input }: FlagProps) {
  const target = toSuiteItem(item);
  const current = currentLabel(desk.state, target);
  const isFlagged = current !== undefined && current.verdict !== 'right';
  const [why, setWhy] = useState(current?.reason ?? '');
  const [isOpen, setIsOpen] = useState(false);
  const what = item.kind === 'item' ? 'item' : 'case';
  useEffect(() => {
    if (isOpen) input.current?.focus();
  }, [isOpen, input]);
  const flag = (verdict: string) => {
    desk.flag(target, { verdict, reason: verdict === 'right' ? null : why });
    if (verdict === 'right') setWhy('');
    input.current?.blur();
  };
  return (
    <details className="desk-flag" open={isOpen} onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary aria-keyshortcuts="f">
        The {what} itself is wrong or ambiguous{' '}
        <span className="key" aria-hidden="true">
          f
        </span>
        {isFlagged && <span className="tag">you said: {labelText(current)}</span>}
      </summary>
      <p className="quiet small">
        A fault of the test, not of the answer. It is listed separately and does not change your labels.
      </p>
      {isFlagged && (
        <p>
          You said: <Said label={current} />
        </p>
      )}
      <label>
        Why
        <input
          ref={input}
          type="text"
          maxLength={4000}
          value={why}
          onChange={(event) => setWhy(event.target.value)}
          onKeyDown={(event) => event.key === 'Escape' && event.currentTarget.blur()}
        />
      </label>
      <div className="steps">
        <button type="button" disabled={why.trim() === ''} onClick={() => flag('wrong')}>
          The {what} is wrong
        </button>
        <button type="button" disabled={why.trim() === ''} onClick={() => flag('ambiguous')}>
          It is ambiguous
        </button>
        {isFlagged && (
          <button type="button" onClick={() => flag('right')}>
            Right after all
          </button>
        )}
      </div>
    </details>
  );
}
