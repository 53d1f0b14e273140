import type { ReviewQueueItem, ReviewShown } from '../api.ts';
import { OutsideText } from '../parts/outside-text.tsx';
import { words } from '../parts/words.ts';

/** What the reviewer reads: question and answer, or the record as the model was shown it. */
export function Shown({ item: { shown, notBlind } }: { item: ReviewQueueItem }) {
  return (
    <div className="desk-shown">
      {shown.kind === 'item' ? (
        <>
          <Part title="Question">
            <p className="shown-text">
              <OutsideText text={shown.question} />
            </p>
          </Part>
          <Part title="Answer">
            <p className="answer">
              <OutsideText text={shown.answer} />
            </p>
          </Part>
        </>
      ) : (
        <>
          {shown.question !== null && (
            <Part title="Question">
              <p className="shown-text">
                <OutsideText text={shown.question} />
              </p>
            </Part>
          )}
          {shown.record !== null && (
            <Part title="Case">
              <RecordShown record={shown.record} />
            </Part>
          )}
        </>
      )}
      {notBlind !== undefined && (
        <Part title="Not blind: what the machine said">
          <p>
            <OutsideText text={notBlind} />
          </p>
        </Part>
      )}
    </div>
  );
}

/** What is to be decided, beside the choices. */
export function Statement({ item: { shown } }: { item: ReviewQueueItem }) {
  return (
    <div className={shown.kind === 'record' ? 'statement short' : 'statement'}>
      <h2>{ASKED[shown.kind]}</h2>
      {shown.kind === 'item' && (
        <>
          <p className="said">
            <OutsideText text={shown.item} />
          </p>
          {shown.background !== null && (
            <p className="quiet small">
              Background only: <OutsideText text={shown.background} />
            </p>
          )}
        </>
      )}
      {shown.kind === 'suite_item' && (
        <p className="said">
          <OutsideText text={shown.claim} />
        </p>
      )}
    </div>
  );
}

const ASKED: Readonly<Record<ReviewShown['kind'], string>> = {
  item: 'Does the answer say this?',
  record: 'What is the right decision?',
  suite_item: 'Is this right?',
};

function RecordShown({ record }: { record: Readonly<Record<string, unknown>> | string }) {
  if (typeof record === 'string')
    return (
      <p className="answer">
        <OutsideText text={record} />
      </p>
    );
  return (
    <dl className="pairs">
      {Object.entries(record).map(([name, value]) => (
        <div key={name}>
          <dt>
            <OutsideText text={words(name)} />
          </dt>
          <dd>
            {value === null || value === undefined || value === '' ? (
              <span className="quiet">not measured</span>
            ) : (
              <OutsideText text={typeof value === 'object' ? JSON.stringify(value) : String(value)} />
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Part({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <section>
      <h2>{title}</h2>
      {children}
    </section>
  );
}
