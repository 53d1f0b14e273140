interface WarningsProps {
  readonly warnings: readonly { readonly code: string; readonly message: string }[];
}

/** What a reader must know before the numbers; renders nothing if there are no warnings. */
export function Warnings({ warnings }: WarningsProps) {
  if (warnings.length === 0) return null;
  return (
    <section className="notice" aria-labelledby="warnings-title">
      <h2 id="warnings-title">Before the numbers</h2>
      <ul>
        {warnings.map(({ code, message }) => (
          <li key={`${code} ${message}`}>{message}</li>
        ))}
      </ul>
    </section>
  );
}
