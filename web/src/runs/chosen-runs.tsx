import type { RunLine } from '../api.ts';
import { findOrder } from '../data/find-order.ts';
import { useSource } from '../data/source-context.ts';
import { OutsideText } from '../parts/outside-text.tsx';
import { buildHref } from '../router.ts';

interface ChosenProps {
  readonly runs: readonly RunLine[];
  readonly chosen: readonly string[];
  readonly clear: () => void;
}

/** The runs that are ticked, and the link to their comparison; the first is the baseline. */
export function ChosenRuns({ runs, chosen, clear }: ChosenProps) {
  const { has, live } = useSource();
  const found = chosen.flatMap((id) => runs.find((run) => run.id === id) ?? []);
  const [first] = found;
  if (first === undefined) return <p className="quiet hint">Tick two or more runs to compare them.</p>;
  // Only runs on the same records can be compared.
  const fitting = found.filter((run) => run === first || isComparable(first, run));
  const nOther = found.length - fitting.length;
  const asked = fitting.map(({ id }) => id);
  const ids = asked.length > 1 ? findOrder(asked, has) : asked;
  const baseline = fitting.find(({ id }) => id === ids?.[0]);
  return (
    <p className="hint chosen" role="status">
      {ids === null ? (
        <span>This export does not compare these runs: it holds pairs of the newest runs of a suite.</span>
      ) : fitting.length === 1 ? (
        <span>
          <OutsideText text={runName(first)} /> chosen; tick another run on the same cases to compare.
        </span>
      ) : (
        <>
          <a className="button" href={buildHref('compare', { runs: ids })}>
            Compare {fitting.length} runs
          </a>
          <span>
            with <OutsideText text={runName(baseline ?? first)} /> as the baseline
          </span>
        </>
      )}{' '}
      {live && found.length === 2 && (
        <a href={buildHref('differences', { runs: found.map(({ id }) => id) })}>Settings that differ</a>
      )}{' '}
      {nOther > 0 && <span className="quiet">{nOther} with different cases left out</span>}
      <button type="button" className="plain" onClick={clear}>
        Clear
      </button>
    </p>
  );
}

function isComparable(a: RunLine, b: RunLine): boolean {
  return a.kind === b.kind && a.suite_hash !== null && a.suite_hash === b.suite_hash;
}

/** What to call a run: the name it was given, or its model. */
export function runName({ notes, model }: RunLine): string {
  return notes.name ?? model;
}
