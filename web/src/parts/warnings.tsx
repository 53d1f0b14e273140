import { OutsideText } from './outside-text.tsx';

interface WarningsProps {
  readonly warnings: readonly { readonly code: string; readonly message: string }[];
}

/** What a reader must know before the numbers; renders nothing if there are no warnings. */
export function Warnings({ warnings }: WarningsProps) {
  if (warnings.length === 0) return null;
  return (
    <section className="notice" aria-labelledby="warnings-title">
      <h2 id="warnings-title">Before quoting a number</h2>
      <ul>
        {warnings.map(({ code, message }) => (
          <li key={`${code} ${message}`}>
            <OutsideText text={message} />
          </li>
        ))}
      </ul>
    </section>
  );
}
