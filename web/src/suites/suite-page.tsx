import { useState } from 'react';
import { visibleText } from '../../../src/viewer/browser.ts';
import type { SuitePayload } from '../api.ts';
import { usePayload } from '../data/use-payload.ts';
import { Waiting } from '../parts/message.tsx';
import { OutsideText } from '../parts/outside-text.tsx';
import { Sections } from '../parts/report-blocks.tsx';
import { useTitle } from '../parts/use-title.ts';
import { buildHref, go } from '../router.ts';

interface PageProps {
  readonly suite: string;
  readonly query: URLSearchParams;
}

/** All models of a suite side by side, and how a score changed over the runs of one of them. */
export function SuitePage({ suite, query }: PageProps) {
  useTitle(suite);
  const loaded = usePayload('suites/:suite', { suite });
  if (loaded.state !== 'loaded') return <Waiting of="this suite" loaded={loaded} />;
  return <Suite payload={loaded.value} query={query} />;
}

function Suite({ payload, query }: { payload: SuitePayload; query: URLSearchParams }) {
  const { suite, n_runs: nRuns, n_models: nModels, n_hidden: nHidden, newest, all } = payload;
  const [showsAll, setShowsAll] = useState(false);
  const { section, compared } = showsAll && all !== null ? all : newest;
  return (
    <>
      <div className="page-head">
        <h1>
          <OutsideText text={suite} />
        </h1>
        <p className="under">
          {plural(nRuns, 'run')} of {plural(nModels, 'model')}
          {nHidden > 0 && `; ${plural(nHidden, 'hidden run')} left out`}
        </p>
      </div>
      {all !== null && (
        <p>
          <label>
            <input type="checkbox" checked={showsAll} onChange={() => setShowsAll(!showsAll)} /> All runs, not
            only the newest of each model
          </label>
        </p>
      )}
      <Sections sections={[section]} />
      {compared.length > 0 && (
        <p>
          <a className="button" href={buildHref('compare', { runs: compared })}>
            Compare them case by case
          </a>
        </p>
      )}
      <History payload={payload} query={query} />
    </>
  );
}

/** The score of a model that the reader chooses. Both are in the address. */
function History({
  payload: { suite, histories },
  query,
}: {
  payload: SuitePayload;
  query: URLSearchParams;
}) {
  const history = histories.find(({ model }) => model === query.get('model')) ?? histories[0];
  const score = history?.scores.find(({ name }) => name === query.get('metric')) ?? history?.scores[0];
  if (history === undefined || score === undefined) return null;
  const show = (next: { model?: string; metric?: string }) =>
    go(buildHref('suites/:suite', { suite, model: history.model, metric: score.name, ...next }), {
      replace: true,
    });
  return (
    <>
      <div className="bar">
        <label>
          <span className="quiet">History of</span>{' '}
          <select value={history.model} onChange={({ target }) => show({ model: target.value })}>
            {histories.map(({ model, n_runs: n }) => (
              <option key={model} value={model}>
                {visibleText(`${model} (${plural(n, 'run')})`)}
              </option>
            ))}
          </select>
        </label>
        <label>
          <span className="quiet">score</span>{' '}
          <select value={score.name} onChange={({ target }) => show({ metric: target.value })}>
            {history.scores.map(({ name, label }) => (
              <option key={name} value={name}>
                {visibleText(label)}
              </option>
            ))}
          </select>
        </label>
      </div>
      <Sections sections={[score.section]} />
    </>
  );
}

function plural(n: number, noun: string): string {
  return n === 1 ? `1 ${noun}` : `${n} ${noun}s`;
}
