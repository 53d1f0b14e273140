import { isHarmWarning } from '../../../src/viewer/browser.ts';
import type { RunPayload } from '../api.ts';
import { usePayload } from '../data/use-payload.ts';
import { Panel } from '../parts/boundary.tsx';
import { Causes } from '../parts/causes.tsx';
import { LiveLine } from '../parts/live-line.tsx';
import { Waiting } from '../parts/message.tsx';
import { RunHeader } from '../parts/run-header.tsx';
import { useTitle } from '../parts/use-title.ts';
import { needsNotice, useVerification, Verification } from '../parts/verification.tsx';
import { Warnings } from '../parts/warnings.tsx';
import { QuestionsPage } from '../questions/questions-page.tsx';
import type { PanelProps, RunPanel } from './panel.ts';
import { PANELS } from './panels.tsx';

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
  const { run, warnings, causes } = payload;
  const verification = useVerification(run, payload.verification);
  const isNoticed = needsNotice(verification, run);
  const [first, ...rest] = PANELS.map(({ id, show }) => (
    <Panel key={id} resetKeys={[payload]}>
      <Shown show={show} payload={payload} query={query} />
    </Panel>
  ));
  return (
    <>
      <RunHeader run={run} here={PATH} />
      {isNoticed && <Verification mark={verification} />}
      <LiveLine run={run} />
      {first}
      <Causes causes={causes} />
      <Warnings warnings={warnings.filter((warning) => !isHarmWarning(warning))} />
      {!isNoticed && <Verification mark={verification} isQuiet />}
      {rest}
    </>
  );
}

/** A component of its own, so that the boundary around it catches what it throws. */
function Shown({ show, ...props }: PanelProps & { show: RunPanel['show'] }) {
  return show(props);
}
