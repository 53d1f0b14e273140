import { rowsOf, whole } from '../../../src/viewer/browser.ts';
import { hrefOf } from '../router.ts';
import { share, words } from './words.ts';

/** The classes in order; the style sheet colours each by its name. */
const KNOWN = ['answered', 'answered_correct', 'answered_wrong', 'abstained', 'invalid', 'refused'];

interface LedgerPart {
  readonly name: string;
  readonly count: number;
  readonly kind: string;
}

function ledgerParts(ledger: Readonly<Record<string, number>>): LedgerPart[] {
  const failed = Object.keys(ledger).filter(
    (name) => !KNOWN.includes(name) && name !== 'n' && name !== 'not_run',
  );
  return [...KNOWN, ...failed.sort(), 'not_run']
    .map((name) => ({
      name,
      count: ledger[name] ?? 0,
      kind: KNOWN.includes(name) || name === 'not_run' ? name : 'failed',
    }))
    .filter(({ count }) => count > 0);
}

/** The row outcomes as one bar, with a text alternative. */
export function LedgerBar({ ledger, n }: { ledger: Readonly<Record<string, number>>; n: number }) {
  const parts = ledgerParts(ledger);
  const total = Math.max(
    1,
    n,
    parts.reduce((sum, { count }) => sum + count, 0),
  );
  const text = parts.map(({ name, count }) => `${words(name)} ${rowsOf(count)}`).join(', ') || 'no rows yet';
  let end = 0;
  return (
    <svg
      className="ledger-bar"
      viewBox={`0 0 ${total} 1`}
      preserveAspectRatio="none"
      role="img"
      aria-label={text}
    >
      <title>{text}</title>
      <rect className="rest" width={total} height="1" />
      {parts.map(({ name, count, kind }) => {
        const start = end;
        end += count;
        return <rect key={name} className={`part ${kind}`} x={start} width={count} height="1" />;
      })}
    </svg>
  );
}

interface LegendProps {
  readonly ledger: Readonly<Record<string, number>>;
  readonly n: number;
  /** The run: each class links to its records. Default: no links. */
  readonly id?: string;
}

/** The classes of the bar with their counts and shares. */
export function LedgerLegend({ ledger, n, id }: LegendProps) {
  return (
    <ul className="ledger-list">
      {ledgerParts(ledger).map(({ name, count, kind }) => (
        <li key={name}>
          <Swatch kind={kind} />
          {id === undefined ? (
            words(name)
          ) : (
            <a href={hrefOf('runs/:id/records', { id, outcome: name })}>{words(name)}</a>
          )}{' '}
          <strong>{whole(count)}</strong> <span className="quiet">{share(count, n)}</span>
        </li>
      ))}
    </ul>
  );
}

/** The meaning of the colours. */
export function LedgerKey({ ledgers }: { ledgers: readonly Readonly<Record<string, number>>[] }) {
  const kinds = new Set(ledgers.flatMap((ledger) => ledgerParts(ledger).map(({ kind }) => kind)));
  return (
    <ul className="ledger-list key" aria-label="How rows ended: colours">
      {[...KNOWN, 'failed', 'not_run']
        .filter((kind) => kinds.has(kind))
        .map((kind) => (
          <li key={kind}>
            <Swatch kind={kind} />
            {words(kind)}
          </li>
        ))}
    </ul>
  );
}

function Swatch({ kind }: { kind: string }) {
  return (
    <svg className={`swatch ${kind}`} viewBox="0 0 1 1" aria-hidden="true">
      <rect width="1" height="1" />
    </svg>
  );
}
