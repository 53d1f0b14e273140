import { useMemo } from 'react';
import {
  type BoardRows,
  boardAt,
  CASE_WORDS,
  DECISION_WORDS,
  decimals,
  percent,
  whole,
} from '../../../src/viewer/browser.ts';
import type { RunPayload } from '../api.ts';
import { OutsideText } from '../parts/outside-text.tsx';
import { buildHref, go } from '../router.ts';
import { type BoardData, type BoardRate, boardRates, findPlace, listThresholds } from './board-figures.ts';
import { BoardMarks } from './board-marks.tsx';
import './board.css';

interface BoardProps {
  readonly data: BoardData;
  readonly payload: RunPayload;
  readonly query: URLSearchParams;
}

/** The first thing on a run's page: the verdict, harm and cost, and a mark for every record. The slider shows what a threshold would change. */
export function Board({ data, payload, query }: BoardProps) {
  const { rows } = data;
  const thresholds = useMemo(
    () => listThresholds(rows, payload.confidence_steps),
    [rows, payload.confidence_steps],
  );
  const place = findPlace(thresholds, query.get('threshold'));
  const threshold = thresholds[place] ?? null;
  const rates = boardRates(rows, threshold, payload);
  const verdict = threshold === null ? data.title : (thresholdVerdict(threshold, rates) ?? data.title);
  const faults = payload.alerts.filter((alert) => alert.replace(/\.$/, '') !== verdict);
  return (
    <section className="board" aria-labelledby="board-title">
      <h2
        id="board-title"
        data-place="Decisions"
        className={payload.alerts.length > 0 ? 'harmful' : undefined}
      >
        <OutsideText text={verdict} />
      </h2>
      {threshold !== null && faults.length > 0 && (
        <p className="quiet small">
          Accepting every answer: <OutsideText text={faults.join(' ')} />
        </p>
      )}
      {threshold === null && faults.length > 0 && (
        <ul className="board-faults" aria-label="Faults of this model">
          {faults.map((fault) => (
            <li key={fault}>
              <OutsideText text={fault} />
            </li>
          ))}
        </ul>
      )}
      <ul className="board-rates" aria-live="polite">
        {rates.map((rate) => (
          <Rate key={rate.metric} rate={rate} />
        ))}
      </ul>
      {thresholds.length > 1 && <Slider payload={payload} thresholds={thresholds} place={place} />}
      <BoardMarks data={data} id={payload.run.id} threshold={threshold} />
      <p className="quiet small board-caption">{data.caption}</p>
      <BoardTable rows={rows} threshold={threshold} />
    </section>
  );
}

/** What a threshold would do to patients; null where no case is an emergency or calls for an answer. */
function thresholdVerdict(threshold: number, rates: readonly BoardRate[]): string | null {
  const parts = THRESHOLD_VERDICTS.flatMap(([metric, words]) => {
    const { count, n, before } = rates.find((one) => one.metric === metric) ?? {};
    if (count === undefined || n === undefined || before === undefined) return [];
    const isSame = count === before;
    const than = isSame ? 'as without it' : `accepting all: ${whole(before)}`;
    return [{ isSame, text: `${words(`${whole(count)} of ${whole(n)}`)} (${than})` }];
  });
  // What changes comes first.
  const [first, second] = parts.toSorted((a, b) => Number(a.isSame) - Number(b.isSame));
  if (first === undefined) return null;
  const rest = second?.isSame === true ? ` and ${second.text}` : '';
  return `Accepting only answers from ${decimals(threshold, 2)} would ${first.text}${rest}`;
}

const THRESHOLD_VERDICTS: readonly (readonly [string, (counts: string) => string])[] = [
  ['missed_emergency_rate', (counts) => `miss ${counts} emergencies`],
  ['must_act_silence_rate', (counts) => `leave ${counts} emergencies without an answer`],
  ['deferred_without_need_rate', (counts) => `defer ${counts} cases without need`],
];

/** A harm or a cost as a count, with what it is read against. */
function Rate({ rate: { metric, title, count, n, isHarm, lines } }: { rate: BoardRate }) {
  return (
    <li className={isHarm ? 'harm' : undefined} data-metric={metric}>
      <h3>{title}</h3>
      <p>
        <strong>{whole(count)}</strong> of {whole(n)} <span className="quiet">{percent(count / n)}</span>
      </p>
      {lines.map((line) => (
        <p key={line} className="quiet small">
          <OutsideText text={line} />
        </p>
      ))}
    </li>
  );
}

interface SliderProps {
  readonly payload: RunPayload;
  /** The least strict first. */
  readonly thresholds: readonly (number | null)[];
  readonly place: number;
}

/** The least confidence of an accepted answer, stricter to the right, and what may be said of the answers that it accepts. */
function Slider({ payload, thresholds, place }: SliderProps) {
  const { run, confidence_steps: steps, is_inverted: isInverted } = payload;
  const threshold = thresholds[place] ?? null;
  const choose = (next: number) =>
    go(buildHref('runs/:id', { id: run.id, threshold: thresholds[next] ?? undefined }), { replace: true });
  const step = threshold === null ? steps.at(-1)! : steps.find((one) => one.threshold === threshold)!;
  const { n, n_judged: judged, errors, bound } = step;
  const from = threshold === null ? 'every answer' : `from ${decimals(threshold, 3)}`;
  return (
    <div className="board-slider">
      <label className="slider">
        <span className="quiet">accept every answer</span>
        <input
          type="range"
          min={0}
          max={thresholds.length - 1}
          value={place}
          onChange={(event) => choose(Number(event.target.value))}
          aria-label="Confidence threshold"
          aria-valuetext={`accept ${from}, ${percent(n / judged)} of rows accepted, ${percent(errors / n)} of them wrong or to be deferred`}
        />
        <span className="quiet">
          stricter: <strong>{from}</strong>
        </span>
      </label>
      <p className="small" aria-live="polite">
        <a
          href={buildHref('runs/:id/records', {
            id: run.id,
            usable: true,
            confidence_from: step.threshold,
          })}
        >
          {whole(n)} answers accepted
        </a>{' '}
        of {whole(judged)} rows that can be judged ({percent(n / judged)});{' '}
        <strong>{percent(errors / n)}</strong> of them wrong, or should have been deferred
        {bound !== null && (
          <>, at most {percent(bound)} with 95 % confidence for a threshold fixed beforehand</>
        )}
        {run.status === 'stopped_early' && ' (no bound is valid after an early stop)'}.
        {isInverted ? (
          <strong> Confidence is inverted: higher where the model fails. No threshold is safe.</strong>
        ) : (
          threshold !== null &&
          ' Check a threshold on other rows before using it: chosen on these, it looks better than it is.'
        )}
      </p>
    </div>
  );
}

/** The board for those who do not see it. */
function BoardTable({ rows, threshold }: { rows: BoardRows; threshold: number | null }) {
  return (
    <details className="data">
      <summary>The board as a table</summary>
      <table className="report">
        <thead>
          <tr>
            <th scope="col">case</th>
            <th scope="col">decision</th>
            <th scope="col" className="number">
              {threshold === null ? 'records' : 'every answer accepted'}
            </th>
            {threshold !== null && (
              <th scope="col" className="number">
                from {decimals(threshold, 3)}
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {boardAt(rows, threshold).flatMap(({ kind, classes }) =>
            classes.map(({ name, before, now }) => (
              <tr key={`${kind} ${name}`}>
                <th scope="row">{CASE_WORDS[kind]}</th>
                <td>{DECISION_WORDS[name]}</td>
                <td className="number">{whole(before)}</td>
                {threshold !== null && <td className="number">{whole(now)}</td>}
              </tr>
            )),
          )}
        </tbody>
      </table>
    </details>
  );
}
