import type { ReviewSession, ReviewShown } from '../api.ts';
import { OutsideText } from '../parts/outside-text.tsx';
import { useNarrow } from '../parts/use-narrow.ts';
import { ACT_NOW, type Choice, SKIP } from './choices.ts';

interface GuideProps {
  readonly session: ReviewSession;
  readonly choices: readonly Choice[];
  /** What is on the desk; undefined after the last target. */
  readonly kind: ReviewShown['kind'] | undefined;
  readonly asksUrgency: boolean;
  readonly hasKeys: boolean;
  readonly setHasKeys: (on: boolean) => void;
}

/** The keys, what the choices mean, and the guideline. */
export function Guide({ session, choices, kind, asksUrgency, hasKeys, setHasKeys }: GuideProps) {
  const isNarrow = useNarrow();
  const said = [...choices, SKIP];
  const nLabels = choices.filter(({ label }) => label !== null).length;
  const keys = [
    ...(nLabels > 0 ? [[nLabels === 1 ? '1' : `1 – ${Math.min(9, nLabels)}`, 'a label'] as const] : []),
    ...said.flatMap(({ key, label, title }) => (label === null ? [[key, title] as const] : [])),
    ...(asksUrgency ? [[ACT_NOW.key, ACT_NOW.title] as const] : []),
    ...(kind === 'record' ? ([[', .', 'less or more sure']] as const) : []),
    ...(kind === 'record' || kind === 'suite_item' ? ([['r', 'Reason']] as const) : []),
    ['n', 'Note'],
    ...(kind === 'suite_item' ? [] : ([['f', 'Fault of the test']] as const)),
    ['z', 'Undo'],
    ['← →', 'or k j: move'],
  ] as const;
  return (
    <div className="desk-guide">
      <section aria-label="Keys" className="legend keys">
        <ul>
          {keys.map(([key, title]) => (
            <li key={key}>
              <kbd>{key}</kbd> <OutsideText text={title} />
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
            {[...said, ...(asksUrgency ? [ACT_NOW] : [])].map(
              ({ title, meaning }) =>
                meaning !== null && (
                  <div key={title}>
                    <dt>{title}</dt>
                    <dd>
                      <OutsideText text={meaning} />
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
            Guideline <OutsideText text={session.guideline.version} />
          </summary>
          <p className="guideline">
            <OutsideText text={session.guideline.text} />
          </p>
        </details>
      )}
    </div>
  );
}
