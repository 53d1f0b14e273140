import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { SearchPayload } from '../api.ts';
import { useCaseHref } from '../cases/use-case-href.ts';
import { useSource } from '../data/source-context.ts';
import { Message } from '../parts/message.tsx';
import { OutsideText } from '../parts/outside-text.tsx';
import { useTitle } from '../parts/use-title.ts';
import { formatCases } from '../parts/words.ts';
import { buildHref } from '../router.ts';
import { buildRunHref } from '../run-kinds.ts';
import { runName } from './chosen-runs.tsx';

/** Where a text occurs in the replies, features and metadata of all runs. Runs are searched one after the other until all are done or the reader stops. */
export function SearchPage({ text }: { text: string }) {
  useTitle(`Search: ${text}`);
  const source = useSource();
  const [isStopped, setStopped] = useState(false);
  const { data, error, hasNextPage, isFetching, fetchNextPage } = useInfiniteQuery({
    queryKey: ['search', text],
    queryFn: ({ pageParam: from }) => source.get('search', { text, from }),
    initialPageParam: 0,
    getNextPageParam: ({ n_searched: n, n_runs: of }: SearchPayload) => (n < of ? n : undefined),
  });
  useEffect(() => {
    if (hasNextPage && !isFetching && !isStopped) void fetchNextPage();
  }, [hasNextPage, isFetching, isStopped, fetchNextPage]);
  if (error !== null)
    return (
      <Message title="Cannot search" bad>
        <p>{error.message}</p>
        <p>
          <a href={buildHref('')}>List of runs</a>
        </p>
      </Message>
    );
  const last = data?.pages.at(-1);
  const hits = data?.pages.flatMap((page) => page.hits) ?? [];
  return (
    <>
      <div className="page-head">
        <h1>
          Search: <OutsideText text={text} />
        </h1>
        <p className="under" role="status">
          {last === undefined
            ? 'Searching …'
            : `${last.n_searched} of ${last.n_runs} runs searched; found in ${hits.length}.`}
          {last !== undefined && last.n_protected > 0 && ` ${last.n_protected} of protected suites left out.`}
        </p>
      </div>
      {hasNextPage && (
        <button type="button" onClick={() => setStopped(!isStopped)}>
          {isStopped ? 'Search on' : 'Stop'}
        </button>
      )}
      <ul className="search-hits">
        {hits.map((hit) => (
          <Hit key={hit.run.id} hit={hit} text={text} />
        ))}
      </ul>
    </>
  );
}

function Hit({ hit: { run, n_cases: n, ids }, text }: { hit: SearchPayload['hits'][number]; text: string }) {
  const caseHref = useCaseHref(run.suite);
  const href =
    run.kind === 'questions'
      ? buildRunHref(run)
      : buildHref('runs/:id/records', { id: run.id, text, search_in: ['reply', 'features', 'metadata'] });
  return (
    <li>
      <a href={href}>
        <OutsideText text={runName(run)} />
      </a>
      <strong>{formatCases(n)}</strong>
      <span className="quiet small">
        <OutsideText text={`${run.suite}, ${run.id}`} />
      </span>
      <span className="small ids">
        {ids.map((id) => (
          <span key={id}>
            {caseHref === null ? <OutsideText text={id} /> : <a href={caseHref(id)}>{id}</a>}
          </span>
        ))}
        {n > ids.length && <a href={href}>all {formatCases(n)}</a>}
      </span>
    </li>
  );
}
