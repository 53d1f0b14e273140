import { useState } from 'react';
import { whole } from '../../../src/viewer/browser.ts';
import type { ComparedItem, ComparedRecord, ComparedRecordsPayload, ComparedShow, RunLine } from '../api.ts';
import { useSource } from '../data/source-context.ts';
import { usePayload } from '../data/use-payload.ts';
import { Waiting } from '../parts/message.tsx';
import { OutsideText } from '../parts/outside-text.tsx';
import { useNarrow } from '../parts/use-narrow.ts';
import { useTypedText } from '../parts/use-typed-text.ts';
import { words } from '../parts/words.ts';
import { buildHref, go } from '../router.ts';
import { RUN_KINDS } from '../run-kinds.ts';
import { runName } from '../runs/chosen-runs.tsx';
import { ComparedAnswers } from './compared-answers.tsx';
import { RightMark } from './right-mark.tsx';
import { toLetter } from './run-choices.tsx';

const PAGE = 25;
/** On a narrow screen a record is a card of several lines. */
const NARROW_PAGE = 5;
const SHOWS: readonly ComparedShow[] = [
  'all',
  'differing',
  'only_baseline_right',
  'only_others_right',
  'all_wrong',
];

interface RecordsProps {
  readonly ids: readonly string[];
  readonly all: readonly RunLine[];
  readonly query: URLSearchParams;
}

/** What each run made of each record, side by side. Filter and page are in the address. */
export function ComparedRecords({ ids, all, query }: RecordsProps) {
  const { live } = useSource();
  // An export does not have this list.
  if (!live) return null;
  const { kind = 'labels' } = all.find(({ id }) => id === ids[0]) ?? {};
  return (
    <section aria-labelledby="records-title">
      <h2 id="records-title">{RUN_KINDS[kind].records} side by side</h2>
      <LiveRecords ids={ids} query={query} />
    </section>
  );
}

function LiveRecords({ ids, query }: Omit<RecordsProps, 'all'>) {
  const show = SHOWS.find((one) => one === query.get('show')) ?? 'all';
  const text = query.get('text') ?? undefined;
  const offset = Math.max(0, Math.floor(Number(query.get('from') ?? 0)) || 0);
  const size = useNarrow() ? NARROW_PAGE : PAGE;
  const loaded = usePayload('compare/records', { runs: ids, show, text, offset, limit: size }, () => null, {
    keepPrevious: true,
  });
  const view = (next: { show?: ComparedShow; text?: string | undefined; from?: number }) => {
    const { from, ...rest } = { show, text, from: 0, ...next };
    const kept = { with: query.get('with') ?? undefined };
    go(
      buildHref('compare', {
        runs: ids,
        ...kept,
        ...rest,
        show: rest.show === 'all' ? undefined : rest.show,
        from: from === 0 ? undefined : from,
      }),
      { replace: true },
    );
  };
  const typing = useTypedText(text ?? '', (typed) => view({ text: typed || undefined }));
  if (loaded.state !== 'loaded') return <Waiting of="the cases" loaded={loaded} />;
  const { reason, counts, total, rows, by } = loaded.value;
  if (reason !== null) return <p className="quiet">There is nothing to put side by side.</p>;
  return (
    <>
      <p className="quiet">{byText(by)}</p>
      <div className="bar">
        <fieldset className="shows">
          <legend className="unseen">Which cases to list</legend>
          {SHOWS.map((one) => (
            <button key={one} type="button" aria-pressed={one === show} onClick={() => view({ show: one })}>
              {describeShow(one, ids.length)} <span className="quiet">{whole(counts[one])}</span>
            </button>
          ))}
        </fieldset>
        <label>
          <span className="quiet">Find</span> <input type="search" placeholder="id, answer" {...typing} />
        </label>
      </div>
      <p className="count" role="status">
        {total === 0
          ? 'No case matches.'
          : `${whole(offset + 1)} to ${whole(offset + rows.length)} of ${whole(total)}`}
      </p>
      <Rows payload={loaded.value} />
      <Pages total={total} offset={offset} size={size} turn={(from) => view({ from })} />
    </>
  );
}

function Rows({ payload }: { payload: ComparedRecordsPayload }) {
  const { runs, rows } = payload;
  const [asked, setAsked] = useState(false);
  const isProtected = runs.some(({ sensitivity }) => sensitivity === 'protected');
  if (rows.length === 0) return null;
  return (
    <>
      {isProtected && !asked && (
        <p className="panel">
          This suite is protected: patient and model text is hidden.{' '}
          <button type="button" onClick={() => setAsked(true)}>
            Show the text
          </button>
        </p>
      )}
      {runs[0]?.kind === 'questions' ? (
        <ComparedQuestions runs={runs} rows={rows} hidesText={isProtected && !asked} />
      ) : (
        <ComparedAnswers runs={runs} rows={rows} hidesText={isProtected && !asked} />
      )}
    </>
  );
}

function describeShow(show: ComparedShow, nRuns: number): string {
  switch (show) {
    case 'all':
      return 'All';
    case 'differing':
      return 'Answers differ';
    case 'only_baseline_right':
      return nRuns === 2 ? 'Only A right' : `Only A right of all ${nRuns}`;
    case 'only_others_right':
      return nRuns === 2 ? 'Only B right' : `A wrong, another of the ${nRuns} right`;
    case 'all_wrong':
      return nRuns === 2 ? 'Both wrong' : `All ${nRuns} wrong`;
  }
}

function byText(by: string | null): string {
  if (by === 'items')
    return 'An answer is right if all its scored items are. Lists of who is right are about single items: they hold the questions with such an item.';
  if (by === 'decision_accuracy')
    return 'By decision accuracy, the primary endpoint: a case that was deferred where it should be is right.';
  return `Right and wrong by ${words(by ?? 'accuracy')}.`;
}

interface PagesProps {
  readonly total: number;
  readonly offset: number;
  readonly size: number;
  readonly turn: (from: number) => void;
}

function Pages({ total, offset, size, turn }: PagesProps) {
  if (total <= size) return null;
  return (
    <nav className="steps" aria-label="Pages of cases">
      <button type="button" disabled={offset === 0} onClick={() => turn(Math.max(0, offset - size))}>
        Previous {size}
      </button>
      <button type="button" disabled={offset + size >= total} onClick={() => turn(offset + size)}>
        Next {size}
      </button>
    </nav>
  );
}

interface RowsProps {
  readonly runs: readonly RunLine[];
  readonly rows: readonly ComparedRecord[];
  readonly hidesText: boolean;
}

/** Answers to open questions beside each other, with the verdicts on each item. */
function ComparedQuestions({ runs, rows, hidesText }: RowsProps) {
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
            <section key={run.id} aria-label={`Answer of ${toLetter(place)}`}>
              <h4>
                <RightMark right={side.right} />{' '}
                <a href={buildHref('runs/:id/questions', { id: run.id, answer: row.id })}>
                  {toLetter(place)}: <OutsideText text={runName(run)} />
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
                {toLetter(place)}
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
