import type { Desk } from './use-desk.ts';

/** Whether every label is stored. A label that is not stored is said loudly, and stays until it is. */
export function SaveState({
  desk: { state, outbox, retry, discard },
  savedText,
}: {
  desk: Desk;
  savedText: string;
}) {
  const { waiting, problem, saved } = outbox;
  return (
    <>
      <p className="desk-saved" role="status">
        {state.said} {waiting.length > 0 && problem === null && `Saving ${labels(waiting.length)} …`}
        {waiting.length === 0 && saved > 0 && savedText}
      </p>
      {problem !== null && (
        <div className="notice loud" role="alert">
          <p className="strong">
            {labels(waiting.length)} {waiting.length === 1 ? 'is' : 'are'} not saved. Keep this page open.
          </p>
          <p>{problem.message}</p>
          <div className="steps">
            <button type="button" onClick={retry}>
              Try again now
            </button>
            {problem.refused && (
              <button type="button" onClick={discard}>
                Discard the refused label
              </button>
            )}
          </div>
          <p className="small">
            {problem.refused
              ? 'If this review is open in another window, close one of the two and reload this page.'
              : 'The page retries every few seconds; you can continue.'}
          </p>
        </div>
      )}
    </>
  );
}

function labels(count: number): string {
  return count === 1 ? '1 label' : `${count} labels`;
}
