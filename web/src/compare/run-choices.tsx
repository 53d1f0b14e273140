import { visibleText } from '../../../src/viewer/browser.ts';
import type { RunLine } from '../api.ts';
import { moment } from '../parts/words.ts';
import { runName } from '../runs/chosen-runs.tsx';

/** Runs in a comparison are called by letters; A is the baseline. */
export function letterOf(place: number): string {
  return String.fromCharCode('A'.charCodeAt(0) + place);
}

/** As many as the server compares. */
const MAX_RUNS = 12;

interface ChoicesProps {
  readonly runs: readonly RunLine[];
  /** The chosen runs; null for one to choose. */
  readonly slots: readonly (string | null)[];
  readonly choose: (slots: readonly (string | null)[]) => void;
}

/** The runs of a comparison: each can be changed, and more can be added. */
export function RunChoices({ runs, slots, choose }: ChoicesProps) {
  const first = runs.find(({ id }) => id === slots[0]);
  // Only runs on the same records can be paired.
  const fitting = runs.filter(
    ({ id, suite_hash: hash }) => !slots.includes(id) && (first === undefined || hash === first.suite_hash),
  );
  return (
    <div className="bar">
      {slots.map((chosen, place) => (
        <div key={letterOf(place)} className="run-slot">
          <RunChoice
            name={letterOf(place)}
            runs={runs}
            chosen={chosen}
            choose={(id) => choose(slots.with(place, id))}
          />
          {slots.length > 2 && (
            <button type="button" onClick={() => choose(slots.filter((_, other) => other !== place))}>
              Remove<span className="unseen"> run {letterOf(place)}</span>
            </button>
          )}
          {slots.length === 2 && place === 0 && (
            <button type="button" onClick={() => choose(slots.toReversed())}>
              Swap
            </button>
          )}
          {slots.length > 2 && place > 0 && (
            <button
              type="button"
              onClick={() => choose([chosen, ...slots.filter((_, other) => other !== place)])}
            >
              Make A<span className="unseen"> of run {letterOf(place)}</span>
            </button>
          )}
        </div>
      ))}
      {slots.length < MAX_RUNS && fitting.length > 0 && !slots.includes(null) && (
        <label>
          <span className="unseen">Add a run</span>
          <select value="" onChange={({ target: { value } }) => choose([...slots, value])}>
            <option value="">add a run …</option>
            {fitting.map((run) => (
              <option key={run.id} value={run.id}>
                {textOf(run)}
              </option>
            ))}
          </select>
        </label>
      )}
    </div>
  );
}

interface ChoiceProps {
  readonly name: string;
  readonly runs: readonly RunLine[];
  readonly chosen: string | null;
  readonly choose: (id: string | null) => void;
}

function RunChoice({ name, runs, chosen, choose }: ChoiceProps) {
  const known = chosen === null || runs.some(({ id }) => id === chosen);
  return (
    <label className="run-choice">
      <strong>{name}</strong>{' '}
      <select
        aria-label={`Run ${name}`}
        value={chosen ?? ''}
        onChange={({ target: { value } }) => choose(value === '' ? null : value)}
      >
        <option value="">choose a run</option>
        {!known && <option value={chosen}>{chosen} (not in this folder)</option>}
        {runs.map((run) => (
          <option key={run.id} value={run.id}>
            {textOf(run)}
          </option>
        ))}
      </select>
    </label>
  );
}

function textOf(run: RunLine): string {
  const parts = [runName(run), run.notes.name !== null && run.model, run.suite, run.arm];
  return visibleText([...parts, moment(run.created_at)].filter(Boolean).join(' · '));
}
