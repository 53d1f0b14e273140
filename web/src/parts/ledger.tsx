import { casesText, DECISION_CLASSES } from '../../../src/viewer/browser.ts';
import type { RunLine } from '../api.ts';
import { decisionWords } from './decision.tsx';
import { words } from './words.ts';

/** What a bar shows: decision classes, or how rows ended where rows have no class. */
export type LedgerOf = Pick<RunLine, 'ledger' | 'n'> & Partial<Pick<RunLine, 'decision_classes'>>;

/** Outcomes of rows without a class, in order; the style sheet colours each by its name. */
const OUTCOMES = ['answered', 'answered_correct', 'answered_wrong', 'abstained', 'invalid', 'refused'];

interface LedgerPart {
  readonly name: string;
  readonly text: string;
  readonly count: number;
  readonly kind: string;
}

/** The worst class first. */
function ledgerParts({ ledger, decision_classes: classes = null }: LedgerOf): LedgerPart[] {
  const hasClasses = classes !== null && Object.keys(classes).length > 0;
  const parts = hasClasses
    ? DECISION_CLASSES.map((name) => ({
        name,
        text: decisionWords(name),
        count: classes[name] ?? 0,
        kind: name,
      }))
    : outcomeParts(ledger);
  const notRun = { name: 'not_run', text: 'not run', count: ledger.not_run ?? 0, kind: 'not_run' };
  return [...parts, notRun].filter(({ count }) => count > 0);
}

function outcomeParts(ledger: RunLine['ledger']): LedgerPart[] {
  const failed = Object.keys(ledger).filter(
    (name) => !OUTCOMES.includes(name) && name !== 'n' && name !== 'not_run',
  );
  return [...OUTCOMES, ...failed.sort()].map((name) => ({
    name,
    text: words(name),
    count: ledger[name] ?? 0,
    kind: OUTCOMES.includes(name) ? name : 'failed',
  }));
}

/** How rows ended as one bar, with a text alternative. */
export function LedgerBar({ of }: { of: LedgerOf }) {
  const parts = ledgerParts(of);
  const total = Math.max(
    1,
    of.n,
    parts.reduce((sum, { count }) => sum + count, 0),
  );
  const text = parts.map((part) => `${part.text} ${casesText(part.count)}`).join(', ') || 'no cases yet';
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
      {parts.map(({ name, text: words, count, kind }) => {
        const start = end;
        end += count;
        return (
          <rect key={name} className={`part ${kind}`} x={start} width={count} height="1">
            <title>{`${words}: ${count} of ${casesText(total)}`}</title>
          </rect>
        );
      })}
    </svg>
  );
}

/** The meaning of the colours. */
export function LedgerKey({ of }: { of: readonly LedgerOf[] }) {
  const parts = of.flatMap(ledgerParts);
  const order = [...DECISION_CLASSES, ...OUTCOMES, 'not_run'];
  const kinds = new Map(parts.map(({ kind, text }) => [kind, kind === 'failed' ? 'failed call' : text]));
  return (
    <ul className="ledger-list key" aria-label="How cases ended: colours">
      {order
        .filter((kind) => kinds.has(kind))
        .map((kind) => (
          <li key={kind}>
            <Swatch kind={kind} />
            {kinds.get(kind)}
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
