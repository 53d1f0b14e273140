import type { ComparedItem, ComparedRecord, RunLine } from '../api.ts';
import { OutsideText } from '../parts/outside-text.tsx';
import { words } from '../parts/words.ts';
import { hrefOf } from '../router.ts';
import { runName } from '../runs/chosen-runs.tsx';
import { RightMark } from './right-mark.tsx';
import { letterOf } from './run-choices.tsx';

interface RowsProps {
  readonly runs: readonly RunLine[];
  readonly rows: readonly ComparedRecord[];
  readonly hidesText: boolean;
}

/** Answers to open questions beside each other, with the verdicts on each item. */
export function ComparedQuestions({ runs, rows, hidesText }: RowsProps) {
  return rows.map((row) => (
    <article key={row.id} className={row.differs ? 'compared-question differs' : 'compared-question'}>
      <h3>
        <OutsideText text={row.id} /> {row.differs && <span className="badge caution">differ</span>}
      </h3>
      {row.question !== null && !hidesText && (
        <p className="question">
          <OutsideText text={row.question} />
        </p>
      )}
      <div className="compared-texts">
        {row.sides.map((side, place) => {
          const run = runs[place]!;
          return (
            <section key={run.id} aria-label={`Answer of ${letterOf(place)}`}>
              <h4>
                <RightMark right={side.right} />{' '}
                <a href={hrefOf('runs/:id/questions', { id: run.id, answer: row.id })}>
                  {letterOf(place)}: <OutsideText text={runName(run)} />
                </a>
              </h4>
              {side.answers.length === 0 && <p className="quiet">This run does not have the question.</p>}
              {side.answers.map(({ repeat, outcome, text }) =>
                text === null || hidesText ? (
                  <p key={repeat} className="quiet">
                    {words(outcome)}
                    {repeat > 0 && ` (repeat ${repeat})`}; its text is{' '}
                    {hidesText ? 'hidden' : 'not stored here'}
                  </p>
                ) : (
                  <p key={repeat} className="answer">
                    <OutsideText text={text} />
                  </p>
                ),
              )}
            </section>
          );
        })}
      </div>
      <Items runs={runs} items={row.items} hidesText={hidesText} />
    </article>
  ));
}

interface ItemsProps {
  readonly runs: readonly RunLine[];
  readonly items: readonly ComparedItem[];
  readonly hidesText: boolean;
}

function Items({ runs, items, hidesText }: ItemsProps) {
  if (items.length === 0) return null;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
    <section className="scroll" tabIndex={0} aria-label="Verdicts side by side">
      <table>
        <caption className="unseen">Verdicts side by side</caption>
        <thead>
          <tr>
            <th scope="col">item</th>
            {runs.map((run, place) => (
              <th key={run.id} scope="col">
                {letterOf(place)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {items.map((item) => (
            <tr key={item.id} className={item.differs ? 'differs' : undefined}>
              <th scope="row">
                {item.instruction === null || hidesText ? item.id : <OutsideText text={item.instruction} />}
                <span className="quiet line">
                  {words(item.trait)}, {words(item.kind)}
                  {item.differs && <span className="badge caution apart">differ</span>}
                </span>
              </th>
              {item.sides.map(({ verdicts, right }, place) => (
                <td key={runs[place]!.id}>
                  <RightMark right={right} /> {verdicts.map(words).join(', then ') || 'no verdict'}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
