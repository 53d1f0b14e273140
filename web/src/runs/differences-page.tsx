import { usePayload } from '../data/use-payload.ts';
import { Waiting } from '../parts/message.tsx';
import { OutsideText } from '../parts/outside-text.tsx';
import { Sections } from '../parts/report-blocks.tsx';
import { useTitle } from '../parts/use-title.ts';
import { buildHref } from '../router.ts';
import { buildRunHref } from '../run-kinds.ts';
import { runName } from './chosen-runs.tsx';

/** In what two runs differ before any answer: settings and prompt. */
export function DifferencesPage({ runs }: { runs: readonly string[] }) {
  useTitle('Settings of two runs');
  const loaded = usePayload('differences', { runs });
  if (loaded.state !== 'loaded') return <Waiting of="the settings of these runs" loaded={loaded} />;
  return (
    <>
      <div className="page-head">
        <h1>Settings of two runs</h1>
        <p className="under">
          {loaded.value.runs.map((run, i) => (
            <span key={run.id}>
              {i === 0 ? 'A: ' : ' · B: '}
              <a href={buildRunHref(run)}>
                <OutsideText text={`${runName(run)}, ${run.id}`} />
              </a>
            </span>
          ))}{' '}
          · <a href={buildHref('compare', { runs })}>Compare their answers</a>
        </p>
      </div>
      <Sections sections={loaded.value.sections} />
    </>
  );
}
