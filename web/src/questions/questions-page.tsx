import { useMemo } from 'react';
import type { QuestionsPayload } from '../api.ts';
import { usePayload } from '../data/use-payload.ts';
import { LiveLine } from '../parts/live-line.tsx';
import { Waiting } from '../parts/message.tsx';
import { Alerts, Warnings } from '../parts/notices.tsx';
import { BlockLinks, Sections } from '../parts/report-blocks.tsx';
import { RunHeader } from '../parts/run-header.tsx';
import { useTitle } from '../parts/use-title.ts';
import { needsNotice, useVerification, Verification } from '../parts/verification.tsx';
import { analysisOptions, buildHref } from '../router.ts';
import { Answers } from './answers.tsx';
import './questions.css';
import { SplitItems } from './split-items.tsx';

const PATH = 'runs/:id/questions';
const REFRESH_MS = 3000;
/** The sections of scores, after which the answers stand. */
const SCORES = ['headline', 'gates', 'traits', 'item-scores', 'other-traits'];

/** Answers to open questions: their scores by rubric, and why. `answer` in the address is `ID` or `ID~REPEAT` of the one that is open. */
export function QuestionsPage({ id, query }: { id: string; query: URLSearchParams }) {
  const open = query.get('answer');
  const links = useMemo(
    () => ({ record: (record: string) => buildHref(PATH, { id, answer: record }) }),
    [id],
  );
  const loaded = usePayload(PATH, { id, ...analysisOptions(query) }, ({ run }) =>
    run.status === 'running' ? REFRESH_MS : null,
  );
  useTitle(loaded.state === 'loaded' ? `Answers of ${loaded.value.run.model}` : 'Answers');
  if (loaded.state !== 'loaded') return <Waiting of="these answers" loaded={loaded} />;
  return (
    <BlockLinks value={links}>
      <Questions payload={loaded.value} open={open} />
    </BlockLinks>
  );
}

function Questions({ payload, open }: { payload: QuestionsPayload; open: string | null }) {
  const { run, alerts, warnings, sections } = payload;
  const verification = useVerification(run, payload.verification);
  const isNoticed = needsNotice(verification, run);
  const isScore = ({ id }: QuestionsPayload['sections'][number]) => SCORES.includes(id);
  return (
    <>
      <RunHeader run={run} here={PATH} />
      {isNoticed && <Verification mark={verification} />}
      <LiveLine run={run} />
      <Alerts alerts={alerts} />
      <Warnings warnings={warnings} />
      {!isNoticed && <Verification mark={verification} isQuiet />}
      <Sections sections={sections.filter(isScore)} />
      <Answers payload={payload} open={open} />
      <SplitItems payload={payload} />
      <Sections sections={sections.filter((section) => !isScore(section))} />
    </>
  );
}
