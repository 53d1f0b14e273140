// biome-ignore-all lint/a11y/noRedundantRoles: narrow screens show each line as a card, which makes browsers drop the table roles
import { decimals } from '../../../src/viewer/browser.ts';
import type { ComparedRecord, ComparedSide, RunLine } from '../api.ts';
import { caseWords, Decision } from '../parts/decision.tsx';
import { OutsideText } from '../parts/outside-text.tsx';
import { words } from '../parts/words.ts';
import { buildHref } from '../router.ts';
import { runName } from '../runs/chosen-runs.tsx';
import { RightMark } from './right-mark.tsx';
import { toLetter } from './run-choices.tsx';

interface RowsProps {
  readonly runs: readonly RunLine[];
  readonly rows: readonly ComparedRecord[];
  readonly hidesText: boolean;
}

/** Labels of several runs, a line per record. */
export function ComparedAnswers({ runs, rows, hidesText }: RowsProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
    <section className="scroll" tabIndex={0} aria-label="Cases side by side">
      <table className="compared" role="table">
        <caption className="unseen">Cases side by side</caption>
        <thead role="rowgroup">
          <tr role="row">
            <th scope="col">case</th>
            <th scope="col">truth</th>
            {runs.map((run, place) => (
              <th key={run.id} scope="col">
                {toLetter(place)}: <OutsideText text={runName(run)} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {rows.map((row) => (
            <tr key={row.id} role="row" className={row.differs ? 'differs' : undefined}>
              <th scope="row">
                <OutsideText text={row.id} />
                <span className="quiet line">
                  {row.case_kind !== null && caseWords(row.case_kind)}
                  {row.differs && <span className="badge caution apart">differ</span>}
                </span>
              </th>
              <td role="cell" data-title="truth">
                {row.label === null ? (
                  <span className="quiet">no derivable answer</span>
                ) : (
                  <OutsideText text={row.label} />
                )}
              </td>
              {row.sides.map((side, place) => (
                <td key={runs[place]!.id} role="cell" data-title={toLetter(place)}>
                  <Side side={side} run={runs[place]!} record={row.id} hidesText={hidesText} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

interface SideProps {
  readonly side: ComparedSide;
  readonly run: RunLine;
  readonly record: string;
  readonly hidesText: boolean;
}

function Side({ side, run, record, hidesText }: SideProps) {
  if (side.answers.length === 0) return <span className="quiet">not in this run</span>;
  return (
    <>
      {side.answers.map(({ repeat, outcome, decision_class: decided, prediction, confidence }) => (
        <span key={repeat} className="compared-answer">
          {repeat === 0 && <RightMark right={side.right} />}
          <a
            href={buildHref('runs/:id/records', {
              id: run.id,
              record,
              of: repeat === 0 ? undefined : repeat,
            })}
          >
            {prediction === null || hidesText ? words(outcome) : <OutsideText text={prediction} />}
          </a>
          {confidence !== null && <span className="quiet"> {decimals(confidence, 2)}</span>}
          {repeat > 0 && <span className="quiet"> (repeat {repeat})</span>}
          <span className="line">
            <Decision name={decided} />
          </span>
        </span>
      ))}
    </>
  );
}
