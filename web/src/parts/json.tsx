import { OutsideText } from './outside-text.tsx';
import { words } from './words.ts';

/** Any value in readable form: text as it is, an object as a list of its fields. */
export function Json({ value }: { value: unknown }) {
  if (typeof value === 'string') return <Pre text={value} />;
  if (Array.isArray(value) && value.every(isMessage)) {
    return value.map(({ role, content }) => (
      <div key={`${role}${content}`}>
        <p className="quiet small">{role}</p>
        <Pre text={content} />
      </div>
    ));
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return <Pre text={JSON.stringify(value, null, 2) ?? ''} />;
  const entries = Object.entries(value);
  if (entries.length === 0) return <p className="quiet">Nothing is recorded.</p>;
  return (
    <dl className="pairs">
      {entries.map(([key, part]) => (
        <div key={key}>
          <dt>
            <OutsideText text={words(key)} />
          </dt>
          <dd>
            {typeof part === 'object' && part !== null ? (
              <Pre text={JSON.stringify(part, null, 2)} />
            ) : (
              <OutsideText text={plain(part)} />
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Pre({ text }: { text: string }) {
  return (
    <pre>
      <OutsideText text={text} />
    </pre>
  );
}

function plain(value: unknown): string {
  return value === null || value === undefined || value === '' ? '–' : String(value);
}

function isMessage(part: unknown): part is { role: string; content: string } {
  const { role, content } = (part ?? {}) as Record<string, unknown>;
  return typeof role === 'string' && typeof content === 'string';
}
