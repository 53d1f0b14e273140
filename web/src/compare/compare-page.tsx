import type { RunLine } from '../api.ts';
import { findOrder } from '../data/find-order.ts';
import { useSource } from '../data/source-context.ts';
import { usePayload } from '../data/use-payload.ts';
import { Panel } from '../parts/boundary.tsx';
import { Message, Waiting } from '../parts/message.tsx';
import { useTitle } from '../parts/use-title.ts';

import { formatCases } from '../parts/words.ts';
import { analysisOptions, buildHref, go } from '../router.ts';

import { ComparedRecords } from './compared-records.tsx';
import { Comparison, FirstLook } from './comparison-view.tsx';
import { RunChoices } from './run-choices.tsx';
import './compare.css';

/** Runs against a baseline, on the same records. */
export function ComparePage({ query }: { query: URLSearchParams }) {
  useTitle('Compare');
  const { has } = useSource();
  const runs = usePayload('runs', {});
  if (runs.state !== 'loaded') return <Waiting of="the runs" loaded={runs} />;
  const all = runs.value.runs;
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
  const asked = slotsIn(query);
  const chosen = asked.filter((id) => id !== null);
  const slots = chosen.length < asked.length ? asked : (findOrder(chosen, has) ?? asked);
  return (
    <>
      <div className="page-head">
        <h1>Compare</h1>
      </div>
      <RunChoices
        runs={all}
        slots={slots}
        choose={(next) => go(buildHref('compare', { runs: next.map((id) => id ?? '') }))}
      />
      <Compared all={all} slots={slots} query={query} />
    </>
  );
}

interface ComparedProps {
  readonly all: readonly RunLine[];
  readonly slots: readonly (string | null)[];
  readonly query: URLSearchParams;
}

function Compared({ all, slots, query }: ComparedProps) {
  const ids = slots.filter((id) => id !== null);
  if (ids.length < 2) return <p className="empty">Choose two runs of the same suite.</p>;
  if (new Set(ids).size < ids.length)
    return (
      <p className="empty">
        {ids.length === 2 ? 'A and B are the same run.' : 'A run is chosen twice.'} Choose another one.
      </p>
    );
  const key = ids.join('\n');
  return (
    <>
      <Panel resetKeys={[key]}>
        <Loaded key={key} ids={ids} query={query} />
      </Panel>
      <Panel resetKeys={[key]}>
        <ComparedRecords key={key} ids={ids} all={all} query={query} />
      </Panel>
    </>
  );
}

/** What harms comes first: everything else takes resamples of all cases. */
function Loaded({ ids, query }: { ids: readonly string[]; query: URLSearchParams }) {
  const params = { runs: ids, ...analysisOptions(query) };
  const first = usePayload('compare/first', params);
  const rest = usePayload('compare', params);
  const nCases = first.state === 'loaded' ? first.value.runs[0]!.n : null;
  const of = `${nCases === null ? 'the harms' : 'every endpoint'} of ${ids.length} runs${nCases === null ? '' : ` of ${formatCases(nCases)}`}`;
  return (
    <>
      {first.state === 'loaded' && <FirstLook payload={first.value} />}
      {rest.state !== 'loaded' ? (
        <Waiting of={of} loaded={rest} />
      ) : (
        <Comparison
          payload={rest.value}
          faults={first.state === 'loaded' ? first.value.faults : []}
          query={query}
        />
      )}
    </>
  );
}

/** `runs=A&runs=B`, where an empty one is not chosen yet. */
function slotsIn(query: URLSearchParams): (string | null)[] {
  const slots = query.getAll('runs').map((id) => (id === '' ? null : id));
  while (slots.length < 2) slots.push(null);
  return slots;
}
