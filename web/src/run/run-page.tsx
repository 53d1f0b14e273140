import { type ContextType, useMemo } from 'react';
import type { RunPayload } from '../api.ts';
import { useCaseHref } from '../cases/use-case-href.ts';
import { usePayload } from '../data/use-payload.ts';
import { Panel } from '../parts/boundary.tsx';
import { LiveLine } from '../parts/live-line.tsx';
import { Waiting } from '../parts/message.tsx';
import { Alerts, Warnings } from '../parts/notices.tsx';
import { BlockLinks, Sections } from '../parts/report-blocks.tsx';
import { RunHeader } from '../parts/run-header.tsx';
import { useTitle } from '../parts/use-title.ts';
import { needsNotice, useVerification, Verification } from '../parts/verification.tsx';
import { QuestionsPage } from '../questions/questions-page.tsx';
import { analysisOptions, buildHref } from '../router.ts';
import { Board } from './board.tsx';
import { boardIn, isOnBoard } from './board-figures.ts';
import { markThreshold } from './mark-threshold.ts';

const PATH = 'runs/:id';
const REFRESH_MS = 3000;

export function RunPage({ id, query }: { id: string; query: URLSearchParams }) {
  const links = useMemo(() => createLinks(id), [id]);
  const loaded = usePayload(PATH, { id, ...analysisOptions(query) }, ({ run }) =>
    run.status === 'running' ? REFRESH_MS : null,
  );
  useTitle(loaded.state === 'loaded' ? loaded.value.run.model : 'Run');
  if (loaded.state !== 'loaded') return <Waiting of="this run" loaded={loaded} />;
  if (loaded.value.run.kind === 'questions') return <QuestionsPage id={id} query={query} />;
  return (
    <BlockLinks value={hasRecords(loaded.value) ? links : {}}>
      <Run payload={loaded.value} query={query} />
    </BlockLinks>
  );
}

function Run({ payload, query }: { payload: RunPayload; query: URLSearchParams }) {
  const { run, alerts, warnings, sections } = payload;
  const verification = useVerification(run, payload.verification);
  const caseHref = useCaseHref(run.suite);
  const threshold = query.get('threshold');
  // The same sections give the same charts, which keep the focus of their links.
  const marked = useMemo(() => markThreshold(sections, payload, threshold), [sections, payload, threshold]);
  const board = useMemo(() => boardIn(sections), [sections]);
  const headline = sections
    .filter(isHeadline)
    .map((section) => (board === null ? section : withoutBoard(section)));
  const isNoticed = needsNotice(verification, run);
  return (
    <>
      <RunHeader run={run} here={PATH} />
      {isNoticed && <Verification mark={verification} />}
      <LiveLine run={run} />
      {board === null ? (
        <Alerts alerts={alerts} />
      ) : (
        <Panel resetKeys={[payload]}>
          <Board data={board} payload={payload} query={query} />
        </Panel>
      )}
      <Sections sections={headline} />
      <Warnings warnings={warnings} />
      {!isNoticed && <Verification mark={verification} isQuiet />}
      {marked
        .filter((section) => !isHeadline(section) && section.id !== 'board')
        .map((section) => (
          <Panel key={section.id} resetKeys={[payload]}>
            {section.id === 'item-difficulty' && caseHref !== null ? (
              <BlockLinks value={{ record: caseHref }}>
                <Sections sections={[section]} />
              </BlockLinks>
            ) : (
              <Sections sections={[section]} />
            )}
          </Panel>
        ))}
    </>
  );
}

/** The board has some of the cards. */
function withoutBoard(section: RunPayload['sections'][number]) {
  const blocks = section.blocks.map((block) =>
    block.kind === 'cards' ? { ...block, cards: block.cards.filter((card) => !isOnBoard(card)) } : block,
  );
  return { ...section, blocks };
}

const isHeadline = ({ id }: RunPayload['sections'][number]) => id === 'headline';

function createLinks(id: string): ContextType<typeof BlockLinks> {
  return {
    record: (record) => buildHref('runs/:id/records', { id, record }),
    list: (filter) => buildHref('runs/:id/records', { id, ...filter }),
  };
}

/** A run that was imported without rows has nothing that a mark could list. */
function hasRecords({ run, facets }: RunPayload): boolean {
  return !run.imported || facets.outcome.length > 0;
}
