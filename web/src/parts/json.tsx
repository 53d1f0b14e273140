import { words } from './words.ts';

/** Any value in readable form: text as it is, an object as a list of its fields. */
export function Json({ value }: { value: unknown }) {
  if (typeof value === 'string') return <pre>{value}</pre>;
  if (Array.isArray(value) && value.every(isMessage)) {
    return value.map(({ role, content }) => (
      <div key={`${role}${content}`}>
        <p className="quiet small">{role}</p>
        <pre>{content}</pre>
      </div>
    ));
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return <pre>{JSON.stringify(value, null, 2)}</pre>;
  const entries = Object.entries(value);
  if (entries.length === 0) return <p className="quiet">Nothing is recorded.</p>;
  return (
    <dl className="pairs">
      {entries.map(([key, part]) => (
        <div key={key}>
          <dt>{words(key)}</dt>
          <dd>
            {typeof part === 'object' && part !== null ? (
              <pre>{JSON.stringify(part, null, 2)}</pre>
            ) : (
              plain(part)
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}

function plain(value: unknown): string {
  return value === null || value === undefined || value === '' ? '–' : String(value);
}

function isMessage(part: unknown): part is { role: string; content: string } {
  const { role, content } = (part ?? {}) as Record<string, unknown>;
  return typeof role === 'string' && typeof content === 'string';
}
