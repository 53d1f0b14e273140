import type { RunLine } from '../api.ts';
import { OutsideText } from '../parts/outside-text.tsx';
import { hrefOf } from '../router.ts';

interface ChosenProps {
  readonly runs: readonly RunLine[];
  readonly chosen: readonly string[];
  readonly clear: () => void;
}

/** The runs that are ticked, and the link to their comparison; the first is the baseline. */
export function ChosenRuns({ runs, chosen, clear }: ChosenProps) {
  const found = chosen.flatMap((id) => runs.find((run) => run.id === id) ?? []);
  const [first, ...others] = found;
  if (first === undefined) return <p className="quiet hint">Tick two or more runs to compare them.</p>;
  return (
    <p className="hint chosen" role="status">
      {others.length === 0 ? (
        <span>
          <OutsideText text={runName(first)} /> chosen; tick another to compare.
        </span>
      ) : (
        <>
          <a className="button" href={hrefOf('compare', { runs: found.map(({ id }) => id) })}>
            Compare {found.length} runs
          </a>
          <span>
            with <OutsideText text={runName(first)} /> as the baseline
          </span>
        </>
      )}{' '}
      <button type="button" className="plain" onClick={clear}>
        Clear
      </button>
    </p>
  );
}

/** What to call a run: the name it was given, or its model. */
export function runName({ notes, model }: RunLine): string {
  return notes.name ?? model;
}
