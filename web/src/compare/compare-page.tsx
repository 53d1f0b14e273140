import type { ComparePayload, RunLine } from '../api.ts';
import { usePayload } from '../data/use-payload.ts';
import { Message, Waiting } from '../parts/message.tsx';
import { useTitle } from '../parts/use-title.ts';
import { Warnings } from '../parts/warnings.tsx';
import { moment } from '../parts/words.ts';
import { go, hrefOf } from '../router.ts';
import type { ComparisonObject } from './comparison.ts';
import { EndpointTable } from './endpoint-table.tsx';
import { Flips } from './flips.tsx';
import { OverlaidCharts } from './overlaid-charts.tsx';

interface PageProps {
  readonly a: string | null;
  readonly b: string | null;
}

/** One run against another, on the same records. */
export function ComparePage({ a, b }: PageProps) {
  useTitle('Compare');
  const runs = usePayload('runs', {});
  if (runs.state !== 'loaded') return <Waiting of="the runs" loaded={runs} />;
  const all = runs.value.runs.filter(({ kind }) => kind === 'labels');
  if (all.length < 2) {
    return (
      <Message title="Nothing to compare yet">
        <p>
          A comparison needs two runs of the same suite. Run another model with{' '}
          <code>krisis run --model provider/model</code>.
        </p>
      </Message>
    );
  }
  const choose = (next: PageProps) =>
    go(hrefOf('compare', { a: next.a ?? undefined, b: next.b ?? undefined }));
  return (
    <>
      <div className="page-head">
        <h1>Compare</h1>
        <p className="under">Differences are B minus A, over the records that both runs have scored.</p>
      </div>
      <div className="bar">
        <RunChoice name="A" runs={all} chosen={a} choose={(id) => choose({ a: id, b })} />
        <button type="button" onClick={() => choose({ a: b, b: a })}>
          Swap
        </button>
        <RunChoice name="B" runs={all} chosen={b} choose={(id) => choose({ a, b: id })} />
      </div>
      {a === null || b === null ? (
        <p className="empty">Choose two runs of the same suite.</p>
      ) : a === b ? (
        <p className="empty">A and B are the same run. Choose another one.</p>
      ) : (
        <Compared key={`${a} ${b}`} a={a} b={b} />
      )}
    </>
  );
}

function Compared({ a, b }: { a: string; b: string }) {
  const loaded = usePayload('compare', { runs: [a, b] });
  if (loaded.state !== 'loaded') return <Waiting of="the comparison" loaded={loaded} />;
  return <Comparison payload={loaded.value} />;
}

function Comparison({ payload }: { payload: ComparePayload }) {
  const { runs, comparison, reason } = payload;
  const [a, b] = [runs[0]!, runs[1]!];
  const found = comparison as ComparisonObject | null;
  const pair = found?.comparisons[0];
  return (
    <>
      <Warnings warnings={found?.warnings ?? []} />
      {found === null || pair === undefined ? (
        <p className="empty">
          These runs cannot be compared record by record:{' '}
          {reason ?? found?.not_paired[0]?.message ?? 'no reason given'}
        </p>
      ) : (
        <>
          <EndpointTable a={a} b={b} comparison={found} pair={pair} />
          <Flips a={a} b={b} pair={pair} />
        </>
      )}
      <OverlaidCharts payload={payload} />
    </>
  );
}

interface ChoiceProps {
  readonly name: string;
  readonly runs: readonly RunLine[];
  readonly chosen: string | null;
  readonly choose: (id: string | null) => void;
}

function RunChoice({ name, runs, chosen, choose }: ChoiceProps) {
  const known = chosen === null || runs.some(({ id }) => id === chosen);
  return (
    <label className="run-choice">
      <strong>{name}</strong>{' '}
      <select
        aria-label={`Run ${name}`}
        value={chosen ?? ''}
        onChange={({ target: { value } }) => choose(value === '' ? null : value)}
      >
        <option value="">choose a run</option>
        {!known && <option value={chosen}>{chosen} (not in this folder)</option>}
        {runs.map((run) => (
          <option key={run.id} value={run.id}>
            {run.model} · {run.suite}
            {run.arm === null ? '' : ` · ${run.arm}`} · {moment(run.created_at)}
          </option>
        ))}
      </select>
    </label>
  );
}
