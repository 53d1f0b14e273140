import type { ReviewSession } from '../api.ts';
import { useNarrow } from '../parts/use-narrow.ts';
import { VisibleText } from '../parts/visible-text.tsx';
import { type Choice, SKIP } from './choices.ts';

interface GuideProps {
  readonly session: ReviewSession;
  readonly choices: readonly Choice[];
  readonly isRecord: boolean;
  readonly hasKeys: boolean;
  readonly setHasKeys: (on: boolean) => void;
}

/** The keys, what the choices mean, and the guideline. */
export function Guide({ session, choices, isRecord, hasKeys, setHasKeys }: GuideProps) {
  const isNarrow = useNarrow();
  const said = [...choices, SKIP];
  const keys = [
    ...said.flatMap(({ key, title }) => (key === '' ? [] : [[key, title] as const])),
    ...(isRecord
      ? ([
          [', .', 'less or more sure'],
          ['r', 'Reason'],
        ] as const)
      : []),
    ['n', 'Note'],
    ['z', 'Undo'],
    ['← →', 'or k j: move'],
  ] as const;
  return (
    <div className="desk-guide">
      <section aria-label="Keys" className="legend keys">
        <ul>
          {keys.map(([key, title]) => (
            <li key={key}>
              <kbd>{key}</kbd> <VisibleText>{title}</VisibleText>
            </li>
          ))}
        </ul>
        <label>
          <input type="checkbox" checked={hasKeys} onChange={(event) => setHasKeys(event.target.checked)} />{' '}
          Single keys are on
        </label>
      </section>
      {choices.length > 0 && (
        <details open={!isNarrow}>
          <summary>What the choices mean</summary>
          <dl className="pairs">
            {said.map(
              ({ verdict, label, title, meaning }) =>
                meaning !== null && (
                  <div key={`${verdict} ${label}`}>
                    <dt>{title}</dt>
                    <dd>
                      <VisibleText>{meaning}</VisibleText>
                    </dd>
                  </div>
                ),
            )}
          </dl>
        </details>
      )}
      {session.guideline.text !== null && (
        <details open={!isNarrow}>
          <summary>
            Guideline <VisibleText>{session.guideline.version}</VisibleText>
          </summary>
          <p className="guideline">
            <VisibleText>{session.guideline.text}</VisibleText>
          </p>
        </details>
      )}
    </div>
  );
}
