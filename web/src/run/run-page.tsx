import { headlinesOf } from '../../../src/viewer/browser.ts';
import type { RunPayload } from '../api.ts';
import { usePayload } from '../data/use-payload.ts';
import { Causes } from '../parts/causes.tsx';
import { LedgerBar, LedgerLegend } from '../parts/ledger.tsx';
import { Waiting } from '../parts/message.tsx';
import { RunHeader } from '../parts/run-header.tsx';
import { ScoreCard } from '../parts/score.tsx';
import { useTitle } from '../parts/use-title.ts';
import { Verification } from '../parts/verification.tsx';
import { Warnings } from '../parts/warnings.tsx';
import { duration, money, share, timeLeft } from '../parts/words.ts';
import { QuestionsPage } from '../questions/questions-page.tsx';
import { Charts } from './charts.tsx';
import { PublishedCharts } from './published-charts.tsx';
import { RunDetails } from './run-details.tsx';

const PATH = 'runs/:id';
const REFRESH_MS = 3000;

export function RunPage({ id, query }: { id: string; query: URLSearchParams }) {
  const loaded = usePayload(PATH, { id }, ({ run }) => (run.status === 'running' ? REFRESH_MS : null));
  useTitle(loaded.state === 'loaded' ? loaded.value.run.model : 'Run');
  if (loaded.state !== 'loaded') return <Waiting of="this run" loaded={loaded} />;
  if (loaded.value.run.kind === 'questions') return <QuestionsPage id={id} open={query.get('answer')} />;
  return <Run payload={loaded.value} query={query} />;
}

function Run({ payload, query }: { payload: RunPayload; query: URLSearchParams }) {
  const { run, scores, warnings, figures } = payload;
  const primary = run.headline?.name ?? null;
  // A run that was imported without rows has scores all the same.
  const isEmpty = payload.n_scored === 0 && !run.imported;
  return (
    <>
      <RunHeader run={run} here={PATH} />
      {run.status === 'running' && (
        <p className="notice" role="status">
          Still running: {run.n_done.toLocaleString('en')} of {run.n.toLocaleString('en')} (
          {share(run.n_done, run.n)})
          {run.live !== null &&
            `, ${run.live.in_flight} in flight, ${run.live.rate_limits} rate limits (429)${timeLeft(run.live)}`}
          . Numbers change until it has finished.
        </p>
      )}
      <Causes causes={payload.causes} />
      <Warnings warnings={warnings} />
      <Verification mark={payload.verification} />
      <h2 className="unseen">Headline</h2>
      {scores.length === 0 || isEmpty ? (
        <p className="empty">
          {run.status === 'running' ? 'No scores yet.' : 'No row was scored, so there are no metrics.'}
        </p>
      ) : (
        <ul className="cards">
          {headlinesOf(scores, primary).map((score) => (
            <ScoreCard key={score.name} score={score} scores={scores} primary={score.name === primary} />
          ))}
        </ul>
      )}
      <section aria-labelledby="ledger-title">
        <h2 id="ledger-title">How {run.n.toLocaleString('en')} rows ended</h2>
        <LedgerBar ledger={run.ledger} n={run.n} />
        <LedgerLegend ledger={run.ledger} n={run.n} id={run.id} />
        <p className="quiet small">
          Cost {money(run.cost_usd)}, time {duration(run.elapsed_seconds)}. Rows that failed or were not run
          are not scored; invalid and refused replies count as wrong.
        </p>
      </section>
      {figures === null && payload.published ? (
        <PublishedCharts payload={payload} published={payload.published} />
      ) : figures === null ? (
        <p className="empty">This run has no rows to draw. It may have been imported without them.</p>
      ) : isEmpty ? null : (
        <Charts payload={payload} figures={figures} query={query} />
      )}
      <RunDetails payload={payload} />
    </>
  );
}
