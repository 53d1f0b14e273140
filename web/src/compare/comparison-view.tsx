import { visibleText } from '../../../src/viewer/browser.ts';
import type { ComparePayload } from '../api.ts';
import { useCaseHref } from '../cases/use-case-href.ts';
import { Alerts, Warnings } from '../parts/notices.tsx';
import { BlockLinks, Sections } from '../parts/report-blocks.tsx';
import { go, hrefOf } from '../router.ts';
import { runName } from '../runs/chosen-runs.tsx';
import { letterOf } from './run-choices.tsx';

const PAIR = /^pair-(\d+)$/;

/** The report of a comparison. Of several runs against the baseline, the reader chooses the one to see by every endpoint. */
export function Comparison({ payload, query }: { payload: ComparePayload; query: URLSearchParams }) {
  const { runs, reason, alerts, warnings, sections } = payload;
  const others = runs.slice(1);
  const chosen = Math.max(
    0,
    others.findIndex(({ id }) => id === query.get('with')),
  );
  const isShown = ({ id }: { id: string }) => (PAIR.exec(id)?.[1] ?? `${chosen + 1}`) === `${chosen + 1}`;
  const shown = sections.filter(isShown);
  const firstPair = shown.findIndex(({ id }) => PAIR.test(id));
  // Runs that can be compared are of one suite. In an export a record is shown as the baseline answered it.
  const [{ id: baseline, suite }] = runs as [ComparePayload['runs'][number]];
  const caseHref = useCaseHref(suite);
  const links = {
    record: caseHref ?? ((record: string) => hrefOf('runs/:id/records', { id: baseline, record })),
  };
  const show = (id: string) =>
    go(hrefOf('compare', { runs: runs.map((run) => run.id), with: id }), { replace: true });
  return (
    <BlockLinks value={links}>
      <Alerts title="Faults of these models" alerts={alerts} />
      <Warnings warnings={warnings} />
      {reason !== null && <p className="empty">These runs cannot be compared case by case: {reason}</p>}
      <Sections sections={shown.slice(0, Math.max(0, firstPair))} />
      {firstPair >= 0 && others.length > 1 && (
        <p className="bar">
          <label>
            <span className="quiet">Every endpoint of A and</span>{' '}
            <select value={others[chosen]!.id} onChange={({ target }) => show(target.value)}>
              {others.map((run, place) => (
                <option key={run.id} value={run.id}>
                  {visibleText(`${letterOf(place + 1)}: ${runName(run)}`)}
                </option>
              ))}
            </select>
          </label>
        </p>
      )}
      <Sections sections={shown.slice(Math.max(0, firstPair))} />
    </BlockLinks>
  );
}
