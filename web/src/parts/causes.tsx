import type { Cause } from '../api.ts';
import { OutsideText } from './outside-text.tsx';

const TITLES = { failed: 'What failed', unusable: 'Replies that could not be used' } as const;

/** Why rows have no usable answer, by cause, with an example; renders nothing if all have one. */
export function Causes({ causes }: { causes: readonly Cause[] }) {
  return (['failed', 'unusable'] as const).map((kind) => {
    const own = causes.filter((cause) => cause.kind === kind);
    if (own.length === 0) return null;
    return (
      <section key={kind} className="notice" aria-labelledby={`causes-${kind}`}>
        <h2 id={`causes-${kind}`}>{TITLES[kind]}</h2>
        <ul>
          {own.map(({ text, advice, example }) => (
            <li key={text}>
              <OutsideText text={text} />
              {advice !== null && `; ${advice}`}
              {example !== null && (
                <span className="quiet line">
                  for example:{' '}
                  <code>
                    <OutsideText text={example} />
                  </code>
                </span>
              )}
            </li>
          ))}
        </ul>
      </section>
    );
  });
}
