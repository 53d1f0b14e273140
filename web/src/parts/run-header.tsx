import { createContext, use } from 'react';
import { casesText } from '../../../src/viewer/browser.ts';
import type { RunLine } from '../api.ts';
import { buildHref } from '../router.ts';
import { OutsideText } from './outside-text.tsx';
import { moment, words } from './words.ts';

interface RunTab {
  readonly path: string;
  readonly title: string;
  readonly kind: RunLine['kind'];
}

/** The pages about one run. */
export const RunTabs = createContext<readonly RunTab[]>([]);

/** The head of every page about one run: what was run, and its pages. */
export function RunHeader({ run, here }: { run: RunLine; here: string }) {
  const tabs = use(RunTabs).filter(({ kind }) => kind === run.kind);
  return (
    <div className="run-header">
      <h1 tabIndex={-1}>
        <OutsideText text={run.model} />
      </h1>
      <p className="under">
        {run.notes.name !== null && (
          <>
            <strong>
              <OutsideText text={run.notes.name} />
            </strong>{' '}
            ·{' '}
          </>
        )}
        <a href={buildHref('suites/:suite', { suite: run.suite })}>
          <OutsideText text={run.suite} />
        </a>
        {run.task === null || run.suite.endsWith(run.task) ? '' : ` · ${run.task}`}
        {run.arm === null ? '' : ` · arm ${run.arm}`} · {moment(run.created_at)} <Badges run={run} />
        {run.notes.tags.map((tag) => (
          <span key={tag} className="badge">
            <OutsideText text={tag} />
          </span>
        ))}
      </p>
      {run.notes.note !== null && (
        <p className="run-note">
          <OutsideText text={run.notes.note} />
        </p>
      )}
      <nav className="tabs" aria-label="Pages of this run">
        {tabs.map(({ path, title }) => (
          <a
            key={path}
            href={buildHref(path, { id: run.id })}
            aria-current={path === here ? 'page' : undefined}
          >
            {title}
          </a>
        ))}
        <a href={buildHref('compare', { runs: [run.id, ''] })}>Compare with …</a>
      </nav>
    </div>
  );
}

/** What qualifies a run's numbers. */
export function Badges({ run }: { run: RunLine }) {
  const nFailed = run.status === 'complete' ? countFailed(run) : 0;
  return (
    <>
      {run.verification !== null && run.verification.verdict !== 'verified' && (
        <span className={`badge ${run.verification.verdict === 'unverified' ? 'bad' : 'caution'}`}>
          {run.verification.verdict}
        </span>
      )}
      {run.status !== 'complete' && <span className="badge caution">{words(run.status)}</span>}
      {run.shard !== null && (
        <span className="badge bad">
          part {run.shard.index} of {run.shard.of}
        </span>
      )}
      {nFailed > 0 && <span className="badge caution">{casesText(nFailed)} not scored</span>}
      {run.simulated && <span className="badge caution">simulated</span>}
      {run.imported && <span className="badge">imported</span>}
      {run.sensitivity === 'protected' && <span className="badge">protected</span>}
    </>
  );
}

function countFailed({ ledger }: RunLine): number {
  return Object.entries(ledger).reduce((sum, [name, n]) => (name.startsWith('failed') ? sum + n : sum), 0);
}
