import type { ScoreLine } from '../api.ts';
import { OutsideText } from '../parts/outside-text.tsx';
import { Badges } from '../parts/run-header.tsx';
import { Count, IntervalStrip, Ticks } from '../parts/score.tsx';
import { levelText, moment, number, range, scoreTitle, words } from '../parts/words.ts';
import { hrefOfRun, RUN_KINDS } from '../run-kinds.ts';
import { runName } from '../runs/chosen-runs.tsx';
import type { ScoredRun } from './scored-run.ts';

/** A line per run: the scores that lead, with interval and n; emergencies and harms first, the primary endpoint last. */
export function ModelsTable({ runs }: { runs: readonly ScoredRun[] }) {
  const columns = columnsOf(runs);
  if (columns.length === 0)
    return <p className="empty">No run of this suite has ended yet; scores appear here when one has.</p>;
  const nVersions = new Set(runs.map(({ run }) => run.suite_hash)).size;
  const level = runs.flatMap(({ scores }) => scores).find(({ interval }) => interval !== null)
    ?.interval?.level;
  return (
    <>
      {nVersions > 1 && (
        <p className="notice">
          These runs used {nVersions} versions of the suite, with different records. Scores of different
          records are not comparable; the column “records” names the version.
        </p>
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard */}
      <section className="scroll" tabIndex={0} aria-label="Models">
        <table className="models">
          <caption className="unseen">Scores of all models</caption>
          <thead>
            <tr>
              <th scope="col">model</th>
              {columns.map(({ name, label, isPrimary }) => (
                <th key={name} scope="col">
                  {scoreTitle(label)}
                  {isPrimary && <span className="tag line">primary endpoint</span>}
                  {isPrimary && <Ticks />}
                </th>
              ))}
              {nVersions > 1 && <th scope="col">records</th>}
              <th scope="col">started</th>
            </tr>
          </thead>
          <tbody>
            {runs
              .map((scored) => scored.run)
              .map((run, place) => (
                <tr key={run.id}>
                  <th scope="row">
                    <a className="strong" href={hrefOfRun(run)}>
                      <OutsideText text={runName(run)} />
                    </a>
                    <span className="line quiet">
                      {run.notes.name !== null && <OutsideText text={`${run.model} `} />}
                      {run.arm !== null && `arm ${run.arm} `}
                      <Badges run={run} />
                    </span>
                  </th>
                  {columns.map(({ name, isPrimary }) => (
                    <td key={name} className="score">
                      <Value
                        score={shownScores(runs[place]!).find((score) => score.name === name)}
                        strip={isPrimary}
                      />
                    </td>
                  ))}
                  {nVersions > 1 && (
                    <td>
                      <code>{run.suite_hash?.slice(0, 8) ?? 'unknown'}</code>
                    </td>
                  )}
                  <td>{moment(run.created_at)}</td>
                </tr>
              ))}
          </tbody>
        </table>
      </section>
      {level !== undefined && (
        <p className="quiet small">
          In brackets: {levelText(level)} intervals. Bounds: what unscored rows could have led to.
        </p>
      )}
    </>
  );
}

/** A rubric may have any number of traits. */
const MAX_TRAITS = 8;

interface Column extends Pick<ScoreLine, 'name' | 'label'> {
  readonly isPrimary: boolean;
}

/** The scores of a run that the table shows, in order: those that lead. */
function shownScores({ run, scores }: ScoredRun): readonly ScoreLine[] {
  return RUN_KINDS[run.kind].leadsWith === 'first' ? scores.slice(0, MAX_TRAITS) : run.leading;
}

/** The scores that any of the runs shows, each before the one that it precedes in its run. */
function columnsOf(runs: readonly ScoredRun[]): Column[] {
  const columns: Column[] = [];
  for (const scored of runs) {
    let before = columns.length;
    for (const { name, label } of shownScores(scored).toReversed()) {
      const place = columns.findIndex((column) => column.name === name);
      const isPrimary = name === scored.run.headline?.name;
      if (place < 0) columns.splice(before, 0, { name, label, isPrimary });
      else before = place;
    }
  }
  return columns;
}

function Value({ score, strip }: { score: ScoreLine | undefined; strip: boolean }) {
  if (score === undefined) return <span className="quiet">–</span>;
  if (score.value === null) return <span className="quiet">{words(score.reason ?? 'no value')}</span>;
  return (
    <>
      <Count score={score} />
      <span className="line">
        {score.n_successes !== null && number(score.value)}{' '}
        <span className="quiet keep">
          {score.interval === null ? '(no interval)' : `(${range(score.interval)})`}
        </span>
      </span>
      {strip && <IntervalStrip score={score} />}
    </>
  );
}
