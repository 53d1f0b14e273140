import { visibleText } from '../../../src/viewer/browser.ts';
import type { RunLine } from '../api.ts';
import { findOrder } from '../data/find-order.ts';
import { useSource } from '../data/source-context.ts';
import { OutsideText } from '../parts/outside-text.tsx';
import { Popover } from '../parts/popover.tsx';
import { moment } from '../parts/words.ts';
import { runName } from '../runs/chosen-runs.tsx';

/** Runs in a comparison are called by letters; A is what the others are compared with. */
export function toLetter(place: number): string {
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

/** The runs of a comparison, a chip each, which opens what can be done with it. */
export function RunChoices({ runs, slots, choose }: ChoicesProps) {
  const { live } = useSource();
  const first = runs.find(({ id }) => id === slots[0]);
  // Only runs on the same records can be paired.
  const fitting = runs.filter(
    ({ id, suite_hash: hash }) => !slots.includes(id) && (first === undefined || hash === first.suite_hash),
  );
  const isFull = slots.length >= MAX_RUNS || fitting.length === 0 || slots.includes(null) || !live;
  return (
    <ul className="run-chips" aria-label="Compared runs">
      {slots.map((chosen, place) => (
        // A chip that has moved is another one: its box closes.
        <li key={`${toLetter(place)} ${chosen}`}>
          {chosen === null ? (
            <RunChoice
              name={toLetter(place)}
              runs={runs}
              chosen={null}
              others={slots.filter((id) => id !== null)}
              choose={(id) => choose(slots.with(place, id))}
            />
          ) : (
            <Chip runs={runs} slots={slots} place={place} choose={choose} />
          )}
        </li>
      ))}
      {!isFull && (
        <li>
          <select
            className="run-chip add"
            aria-label="Add a run"
            value=""
            onChange={({ target: { value } }) => choose([...slots, value])}
          >
            <option value="">+ add a run</option>
            {fitting.map((run) => (
              <option key={run.id} value={run.id}>
                {describeRun(run)}
              </option>
            ))}
          </select>
        </li>
      )}
    </ul>
  );
}

function Chip({ runs, slots, place, choose }: ChoicesProps & { readonly place: number }) {
  const { has } = useSource();
  const id = slots[place]!;
  const run = runs.find((one) => one.id === id);
  const letter = toLetter(place);
  const others = slots.filter((_, other) => other !== place);
  const asFirst = [id, ...others];
  const canBeFirst = place > 0 && (asFirst.includes(null) || has('compare', { runs: asFirst as string[] }));
  const isNamedTwice =
    run !== undefined &&
    slots.some((slot) => slot !== id && runs.some((one) => one.id === slot && runName(one) === runName(run)));
  return (
    <Popover
      className={place === 0 ? 'run-chip reference' : 'run-chip'}
      title={`Run ${letter}`}
      label={
        <>
          <strong>{letter}</strong>
          <span>
            <OutsideText text={run === undefined ? `${id} (not in this folder)` : runName(run)} />
            {isNamedTwice && <span className="quiet"> {moment(run.created_at)}</span>}
            {place === 0 && <span className="quiet"> (reference)</span>}
          </span>
        </>
      }
    >
      <RunChoice
        name={letter}
        runs={runs}
        chosen={id}
        others={others.filter((other) => other !== null)}
        choose={(next) => choose(slots.with(place, next))}
      />
      <p className="bar">
        {canBeFirst && (
          <button type="button" onClick={() => choose(asFirst)}>
            Make it A<span className="unseen"> instead of {letter}</span>
          </button>
        )}
        {slots.length > 2 && (
          <button type="button" onClick={() => choose(others)}>
            Remove<span className="unseen"> run {letter}</span>
          </button>
        )}
      </p>
    </Popover>
  );
}

interface ChoiceProps {
  readonly name: string;
  readonly runs: readonly RunLine[];
  readonly chosen: string | null;
  /** The other runs of the comparison. */
  readonly others: readonly string[];
  readonly choose: (id: string | null) => void;
}

function RunChoice({ name, runs: all, chosen, others, choose }: ChoiceProps) {
  const { has } = useSource();
  const fits = (id: string) => others.length !== 1 || findOrder([others[0]!, id], has) !== null;
  const runs = all.filter(({ id }) => id === chosen || fits(id));
  const isKnown = chosen === null || runs.some(({ id }) => id === chosen);
  return (
    <label className="run-choice">
      <strong>{name}</strong>{' '}
      <select
        aria-label={`Run ${name}`}
        value={chosen ?? ''}
        onChange={({ target: { value } }) => choose(value === '' ? null : value)}
      >
        <option value="">choose a run</option>
        {!isKnown && <option value={chosen}>{chosen} (not in this folder)</option>}
        {runs.map((run) => (
          <option key={run.id} value={run.id}>
            {describeRun(run)}
          </option>
        ))}
      </select>
    </label>
  );
}

function describeRun(run: RunLine): string {
  const parts = [runName(run), run.notes.name !== null && run.model, run.suite, run.arm];
  return visibleText([...parts, moment(run.created_at)].filter(Boolean).join(' · '));
}
