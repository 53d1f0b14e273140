import { useState } from 'react';
import { usePayload } from '../data/use-payload.ts';
import { CopyButton } from '../parts/copy-button.tsx';
import { Waiting } from '../parts/message.tsx';
import { OutsideText } from '../parts/outside-text.tsx';
import { Sections } from '../parts/report-blocks.tsx';
import { useTitle } from '../parts/use-title.ts';
import { buildHref } from '../router.ts';

/** One case across all runs of its suite. Text of a protected suite is hidden until the reader asks for it. */
export function CasePage({ suite, record }: { suite: string; record: string }) {
  useTitle(`${record} in all runs`);
  const [asked, setAsked] = useState(false);
  const loaded = usePayload('suites/:suite/cases/:record', { suite, record });
  if (loaded.state !== 'loaded') return <Waiting of="this case" loaded={loaded} />;
  const { sections, sections_without_text: without } = loaded.value;
  const isHidden = without !== undefined && !asked;
  return (
    <>
      <div className="page-head">
        <h1>
          <OutsideText text={record} />
        </h1>
        <p className="under">
          One case in all runs of{' '}
          <a href={buildHref('suites/:suite', { suite })}>
            <OutsideText text={suite} />
          </a>{' '}
          <CopyButton text={() => window.location.href} label="Copy link" />
        </p>
      </div>
      {isHidden && (
        <div className="panel">
          <p>This suite is protected: patient and model text is hidden.</p>
          <button type="button" onClick={() => setAsked(true)}>
            Show the text
          </button>
        </div>
      )}
      <div className="case-page">
        <Sections sections={isHidden ? without : sections} />
      </div>
    </>
  );
}
