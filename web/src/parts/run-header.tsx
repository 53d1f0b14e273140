import type { RunLine } from '../api.ts';
import { hrefOf } from '../router.ts';
import { moment, words } from './words.ts';

type Tab = 'overview' | 'records' | 'questions';

/** The head of every page about one run: what was run, and the pages there are. */
export function RunHeader({ run, tab }: { run: RunLine; tab: Tab }) {
  const tabs: readonly (readonly [Tab, string, string])[] =
    run.kind === 'questions'
      ? [['questions', 'Answers and rubrics', hrefOf(['runs', run.id, 'questions'])]]
      : [
          ['overview', 'Overview', hrefOf(['runs', run.id])],
          ['records', 'Records', hrefOf(['runs', run.id, 'records'])],
        ];
  return (
    <div className="run-header">
      <h1>{run.model}</h1>
      <p className="under">
        {run.suite}
        {run.task === null || run.suite.endsWith(run.task) ? '' : ` · ${run.task}`}
        {run.arm === null ? '' : ` · arm ${run.arm}`} · {moment(run.created_at)} <Badges run={run} />
      </p>
      <nav className="tabs" aria-label="Pages of this run">
        {tabs.map(([name, title, href]) => (
          <a key={name} href={href} aria-current={name === tab ? 'page' : undefined}>
            {title}
          </a>
        ))}
        {run.kind === 'labels' && (
          <a href={hrefOf(['compare'], new URLSearchParams({ a: run.id }))}>Compare with …</a>
        )}
      </nav>
    </div>
  );
}

/** What a reader must know before the numbers. */
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
