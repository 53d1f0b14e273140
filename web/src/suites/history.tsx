import { useMemo } from 'react';
import {
  controlChart,
  controlLimits,
  decimals,
  type HistoryPoint,
  historyChart,
  visibleText,
  whole,
} from '../../../src/viewer/browser.ts';
import type { ScoreLine } from '../api.ts';
import { Chart } from '../parts/chart.tsx';
import { OutsideText } from '../parts/outside-text.tsx';
import { Badges } from '../parts/run-header.tsx';
import { moment, number, range, words } from '../parts/words.ts';
import { go, hrefOf } from '../router.ts';
import { hrefOfRun } from '../run-kinds.ts';
import { runName } from '../runs/chosen-runs.tsx';
import { type ScoredRun, seriesOf } from './scored-run.ts';

interface HistoryProps {
  readonly suite: string;
  /** Newest first. */
  readonly runs: readonly ScoredRun[];
  readonly query: URLSearchParams;
}

/** A score over the runs of one model, the oldest first. Model and score are in the address. */
export function History({ suite, runs, query }: HistoryProps) {
  const series = Map.groupBy(
    runs.filter(({ scores }) => scores.length > 0),
    ({ run }) => seriesOf(run),
  );
  const longest = [...series].toSorted(([, a], [, b]) => b.length - a.length)[0];
  const wanted = query.get('model');
  const name = wanted !== null && series.has(wanted) ? wanted : longest?.[0];
  const chosen = (series.get(name ?? '') ?? []).toReversed();
  const metrics = metricsOf(chosen);
  const metric = metrics.find((one) => one.name === query.get('metric')) ?? metrics[0];
  if (name === undefined || metric === undefined) return null;
  const show = (next: { model?: string; metric?: string }) =>
    go(hrefOf('suites/:suite', { suite, model: name, metric: metric.name, ...next }), { replace: true });
  return (
    <section aria-labelledby="history-title">
      <h2 id="history-title">History</h2>
      <div className="bar">
        <label>
          <span className="quiet">model</span>{' '}
          <select value={name} onChange={({ target }) => show({ model: target.value })}>
            {[...series].map(([one, { length }]) => (
              <option key={one} value={one}>
                {visibleText(`${one} (${length === 1 ? '1 run' : `${length} runs`})`)}
              </option>
            ))}
          </select>
        </label>
        <label>
          <span className="quiet">score</span>{' '}
          <select value={metric.name} onChange={({ target }) => show({ metric: target.value })}>
            {metrics.map((one) => (
              <option key={one.name} value={one.name}>
                {visibleText(one.label)}
              </option>
            ))}
          </select>
        </label>
      </div>
      {chosen.length < 2 ? (
        <p className="empty">
          There is one run of <OutsideText text={name} />. A second run of the same suite and model starts a
          history.
        </p>
      ) : (
        <Series runs={chosen} metric={metric} />
      )}
    </section>
  );
}

/** The primary endpoint first, then the order of the newest run. */
function metricsOf(runs: readonly ScoredRun[]): ScoreLine[] {
  const newest = runs.at(-1);
  const primary = newest?.run.headline?.name;
  return (newest?.scores ?? []).toSorted((a, b) => Number(b.name === primary) - Number(a.name === primary));
}

interface SeriesProps {
  /** Oldest first. */
  readonly runs: readonly ScoredRun[];
  readonly metric: Pick<ScoreLine, 'name' | 'label'>;
}

function Series({ runs, metric }: SeriesProps) {
  const points = useMemo(
    () => runs.map(({ run, scores }) => ({ run, score: scores.find(({ name }) => name === metric.name) })),
    [runs, metric.name],
  );
  const timeOf = timesOf(runs);
  const control = useMemo(() => controlOf(points), [points]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: times follow from the runs, as the points do
  const svg = useMemo(
    () =>
      historyChart(
        {
          title: metric.label,
          points: points.map(({ run, score }, place) => ({
            ...pointOf(timeOf(run.created_at), score),
            isAlarm: control?.isOut[place] ?? false,
          })),
          ...(control && { limits: control.limits }),
        },
        document,
        (_, place) => {
          const { run, score } = points[place]!;
          return {
            href: hrefOfRun(run),
            label: `${moment(run.created_at)}: ${score?.value == null ? 'no value' : decimals(score.value)}. Open the run`,
          };
        },
      ),
    [points, control, metric.label],
  );
  const versions = new Set(runs.map(({ run }) => run.suite_hash)).size;
  return (
    <>
      {versions > 1 && (
        <p className="notice">
          These runs used {versions} versions of the suite, with different records: a difference can come from
          the records.
        </p>
      )}
      <div className="history">
        <Chart
          title={metric.label}
          svg={svg}
          caption={`Each run with its interval, in the order in which they started. Intervals that overlap do not show that nothing changed; compare two runs for that.${control === null ? '' : ' The lines are action limits around the first run; a diamond is a run beyond them, or the second of three beyond the warning limits. krisis drift decides, by a paired test.'} Select a run to open it.`}
        />
        <table>
          <caption className="unseen">{metric.label} by run</caption>
          <thead>
            <tr>
              <th scope="col">run</th>
              <th scope="col" className="number">
                value
              </th>
              <th scope="col" className="number">
                n
              </th>
            </tr>
          </thead>
          <tbody>
            {points.map(({ run, score }) => (
              <tr key={run.id}>
                <th scope="row">
                  {moment(run.created_at)}
                  {run.notes.name !== null && (
                    <span className="line quiet">
                      <OutsideText text={runName(run)} />
                    </span>
                  )}
                  <span className="line">
                    <Badges run={run} />
                  </span>
                </th>
                <td className="number">
                  {score?.value == null ? (
                    <span className="quiet">{words(score?.reason ?? 'no value')}</span>
                  ) : (
                    <>
                      <strong>{number(score.value)}</strong>{' '}
                      <span className="quiet">{score.interval !== null && `(${range(score.interval)})`}</span>
                    </>
                  )}
                </td>
                <td className="number">{score === undefined ? '–' : whole(score.n)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}

/** Limits around the first run; null where the score is not a share of the same records in all runs. */
function controlOf(
  points: readonly { readonly run: ScoredRun['run']; readonly score: ScoreLine | undefined }[],
): { limits: { name: string; value: number }[]; isOut: boolean[] } | null {
  const [first, ...later] = points;
  const shares = points.map(({ score }) => score?.n_successes ?? null);
  const isSame = ({ run, score }: (typeof points)[number]) =>
    run.shard === null &&
    run.suite_hash !== null &&
    run.suite_hash === first?.run.suite_hash &&
    score?.n === first.score?.n;
  if (first?.score === undefined || later.length === 0 || !points.every(isSame)) return null;
  if (!shares.every((share) => share !== null)) return null;
  const [successes = 0, ...rest] = shares;
  const limits = controlLimits(successes, first.score.n);
  const states = controlChart(successes, first.score.n, rest);
  if (limits === null || states === null) return null;
  return {
    limits: limits.action.map((value) => ({ name: 'action limit', value })),
    isOut: [false, ...states.map((state) => state === 'action' || state === 'two_of_three')],
  };
}

/** Runs of one day differ in the time of the day. */
function timesOf(runs: readonly ScoredRun[]): (createdAt: string) => string {
  const isOneDay = new Set(runs.map(({ run }) => moment(run.created_at).slice(0, 10))).size === 1;
  return (createdAt) => (isOneDay ? moment(createdAt).slice(11) : moment(createdAt).slice(0, 10));
}

function pointOf(date: string, score: ScoreLine | undefined): HistoryPoint {
  return {
    date,
    value: score?.value ?? null,
    lower: score?.interval?.lower ?? null,
    upper: score?.interval?.upper ?? null,
    n: score?.n ?? 0,
  };
}
