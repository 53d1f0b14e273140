import { createContext, use } from 'react';
import type { RunLine } from '../api.ts';
import { hrefOf } from '../router.ts';
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
        <OutsideText text={run.suite} />
        {run.task === null || run.suite.endsWith(run.task) ? '' : ` · ${run.task}`}
        {run.arm === null ? '' : ` · arm ${run.arm}`} · {moment(run.created_at)} <Badges run={run} />
      </p>
      <nav className="tabs" aria-label="Pages of this run">
        {tabs.map(({ path, title }) => (
          <a key={path} href={hrefOf(path, { id: run.id })} aria-current={path === here ? 'page' : undefined}>
            {title}
          </a>
        ))}
        {run.kind === 'labels' && <a href={hrefOf('compare', { a: run.id })}>Compare with …</a>}
      </nav>
    </div>
  );
}

/** What qualifies a run's numbers. */
export function Badges({ run }: { run: RunLine }) {
  return (
    <>
      {run.status !== 'complete' && <span className="badge caution">{words(run.status)}</span>}
      {run.simulated && <span className="badge caution">simulated</span>}
      {run.imported && <span className="badge">imported</span>}
      {run.sensitivity === 'protected' && <span className="badge">protected</span>}
    </>
  );
}
