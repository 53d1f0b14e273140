import type { ComparePayload, FirstComparisonPayload } from '../api.ts';
import { useCaseHref } from '../cases/use-case-href.ts';

import { Alerts, Warnings } from '../parts/notices.tsx';
import { OutsideText } from '../parts/outside-text.tsx';
import { BlockLinks, Sections } from '../parts/report-blocks.tsx';
import { buildHref } from '../router.ts';
import { runName } from '../runs/chosen-runs.tsx';
import { toLetter } from './run-choices.tsx';

const PAIR = /^pair-(\d+)$/;
/** What the first look shows in another form, or what is about single cases. */
const FOLDED = ['models', 'item-difficulty', 'variance'];

/** What harms, and the differences that lead. */
export function FirstLook({ payload: { faults, section } }: { payload: FirstComparisonPayload }) {
  return (
    <>
      {faults.length > 0 && (
        <section className="notice faults by-model" aria-labelledby="faults-title">
          <h2 id="faults-title">Faults of these models</h2>
          <ul>
            {faults.map(({ model, sentences: [worst, ...others] }) => (
              <li key={model}>
                <OutsideText text={model} />: <strong>{worst}</strong> {others.join(' ')}
              </li>
            ))}
          </ul>
        </section>
      )}
      {section !== null && <Sections sections={[section]} />}
    </>
  );
}

interface ComparisonProps {
  readonly payload: ComparePayload;
  /** What the first look has shown already. */
  readonly faults: FirstComparisonPayload['faults'];
  readonly query: URLSearchParams;
}

/** The report of a comparison. Of several runs against A, the reader chooses the one to see by every endpoint. */
export function Comparison({ payload, faults, query }: ComparisonProps) {
  const { runs, reason, alerts, warnings, sections } = payload;
  const others = runs.slice(1);
  const chosen = Math.max(
    0,
    others.findIndex(({ id }) => id === query.get('with')),
  );
  const isShown = ({ id }: { id: string }) => (PAIR.exec(id)?.[1] ?? `${chosen + 1}`) === `${chosen + 1}`;
  const isPair = ({ id }: { id: string }) => PAIR.test(id);
  const shown = sections.filter(isShown);
  // Runs that can be compared are of one suite. In an export a record is shown as the baseline answered it.
  const [{ id: baseline, suite }] = runs as [ComparePayload['runs'][number]];
  const caseHref = useCaseHref(suite);
  const links = {
    record: caseHref ?? ((record: string) => buildHref('runs/:id/records', { id: baseline, record })),
  };
  const isFault = (alert: string) =>
    faults.some(({ model, sentences }) => sentences.some((sentence) => alert === `${model}: ${sentence}`));
  return (
    <BlockLinks value={links}>
      <Alerts title="Before every number" alerts={alerts.filter((alert) => !isFault(alert))} />
      <Warnings warnings={warnings} />
      {reason !== null && <p className="empty">These runs cannot be compared case by case: {reason}</p>}
      {shown.some(isPair) && others.length > 1 && (
        <nav className="shows pairs-with" aria-label="Pairs with A">
          <span className="quiet">A against</span>
          {others.map((run, place) => (
            <a
              key={run.id}
              className="button"
              aria-current={place === chosen ? 'true' : undefined}
              href={buildHref('compare', { runs: runs.map(({ id }) => id), with: run.id })}
            >
              {toLetter(place + 1)}: <OutsideText text={runName(run)} />
            </a>
          ))}
        </nav>
      )}
      <Sections sections={shown.filter(isPair)} />
      <Sections sections={shown.filter((section) => !isPair(section))} alsoFolded={FOLDED} />
    </BlockLinks>
  );
}
