import { useState } from 'react';
import { usePayload } from '../data/use-payload.ts';
import { Panel } from '../parts/boundary.tsx';
import { Waiting } from '../parts/message.tsx';
import { OutsideText } from '../parts/outside-text.tsx';
import { useTitle } from '../parts/use-title.ts';
import { hrefOf } from '../router.ts';
import { History } from './history.tsx';
import { ModelsTable } from './models-table.tsx';
import { type ScoredRun, seriesOf } from './scored-run.ts';
import './suites.css';

interface PageProps {
  readonly suite: string;
  readonly query: URLSearchParams;
}

/** All models of a suite side by side, and how a score changed over the runs of one of them. */
export function SuitePage({ suite, query }: PageProps) {
  useTitle(suite);
  const listed = usePayload('runs', {});
  const loaded = usePayload('suites/:suite', { suite });
  if (listed.state !== 'loaded') return <Waiting of="the runs" loaded={listed} />;
  if (loaded.state !== 'loaded') return <Waiting of="this suite" loaded={loaded} />;
  const lines = new Map(listed.value.runs.map((run) => [run.id, run]));
  const runs = loaded.value.runs.flatMap(({ id, scores }) => {
    const run = lines.get(id);
    return run === undefined ? [] : [{ run, scores }];
  });
  return <Suite suite={suite} runs={runs} query={query} />;
}

function Suite({ suite, runs, query }: PageProps & { readonly runs: readonly ScoredRun[] }) {
  const [all, setAll] = useState(false);
  const shown = runs.filter(({ run }) => !run.notes.hidden);
  const nHidden = runs.length - shown.length;
  const newest = newestOfEach(shown);
  const listed = all ? shown : newest;
  return (
    <>
      <div className="page-head">
        <h1>
          <OutsideText text={suite} />
        </h1>
        <p className="under">
          {plural(shown.length, 'run')} of {plural(new Set(shown.map(({ run }) => run.model)).size, 'model')}
          {nHidden > 0 && `; ${plural(nHidden, 'hidden run')} left out`}
        </p>
      </div>
      <section aria-labelledby="models-title">
        <h2 id="models-title">Models</h2>
        {newest.length < shown.length && (
          <p>
            <label>
              <input type="checkbox" checked={all} onChange={() => setAll(!all)} /> All runs, not only the
              newest of each model
            </label>
          </p>
        )}
        <Panel>
          <ModelsTable runs={listed} />
        </Panel>
        {listed.length > 1 && (
          <p>
            <a
              className="button"
              href={hrefOf('compare', { runs: listed.slice(0, MAX_COMPARED).map(({ run }) => run.id) })}
            >
              Compare them record by record
            </a>
          </p>
        )}
      </section>
      <Panel>
        <History suite={suite} runs={shown} query={query} />
      </Panel>
    </>
  );
}

const MAX_COMPARED = 6;

function plural(n: number, noun: string): string {
  return n === 1 ? `1 ${noun}` : `${n} ${noun}s`;
}

/** Runs are listed newest first. A part of a run is taken only where there is no whole one. */
function newestOfEach(runs: readonly ScoredRun[]): readonly ScoredRun[] {
  const ended = runs.filter(({ scores }) => scores.length > 0);
  return [...Map.groupBy(ended, ({ run }) => seriesOf(run)).values()].map(
    (series) => series.find(({ run }) => run.shard === null) ?? series[0]!,
  );
}
