import { useMemo } from 'react';
import {
  confidenceHistogram,
  deferralPolicies,
  dotPlot,
  type Figures,
  type GroupDot,
  type PublishedFigures,
  reliabilityDiagram,
  riskCoverageChart,
  whole,
} from '../../../src/viewer/browser.ts';
import type { RunPayload, ScoreLine } from '../api.ts';
import { Chart } from '../parts/chart.tsx';
import { ReportTable } from '../parts/report-blocks.tsx';
import { scoreTitle, words } from '../parts/words.ts';
import { go, hrefOf } from '../router.ts';
import { binLink, type ChartedRun, dotLink, pointLink, stepLink } from './chart-links.ts';
import { DecisionTable } from './decision-table.tsx';
import { ConfusionMatrix, DeferralMatrix } from './matrices.tsx';
import type { PanelProps } from './panel.ts';
import { scoreOfLine } from './score-of-line.ts';
import { Threshold } from './threshold.tsx';

/** The charts of the report; every mark links to the records it counts. */
export function Charts({ payload, query }: PanelProps) {
  const { run, figures, published } = payload;
  if (figures === null && published) return <PublishedCharts payload={payload} published={published} />;
  if (figures === null)
    return <p className="empty">This run has no rows to draw. It may have been imported without them.</p>;
  // A run that was imported without rows has scores all the same.
  if (payload.n_scored === 0 && !run.imported) return null;
  return <DrawnCharts payload={payload} figures={figures} query={query} />;
}

function DrawnCharts({ payload, figures, query }: PanelProps & { readonly figures: Figures }) {
  const { run, scores, confidence_steps: steps } = payload;
  const { facets, subgroups, stratum, references } = payload;
  const charted: ChartedRun = useMemo(
    () => ({ id: run.id, figures, facets, subgroups, stratum }),
    [run.id, figures, facets, subgroups, stratum],
  );
  const usable = figures.riskCoverage.nUsable;
  const at = stepAt(steps, query.get('threshold'));
  const chosen = steps[at];
  const drawn = useMemo(
    () => ({
      reliability: reliabilityDiagram([{ name: run.model, figures }], document, (bin) =>
        binLink(charted, bin),
      ),
      histogram: confidenceHistogram(figures.confidence, document, (step, side) =>
        stepLink(charted, step, side),
      ),
    }),
    [charted, figures, run.model],
  );
  const risk = riskCoverageChart([{ name: run.model, figures, references }], document, {
    linkOf: (point) => pointLink(charted, point),
    chosen: chosen === undefined ? null : chosen.n / chosen.n_judged,
  });
  const choose = (place: number) =>
    go(hrefOf('runs/:id', { id: run.id, threshold: steps[place]!.threshold }), { replace: true });
  return (
    <>
      <section aria-labelledby="confidence-title">
        <h2 id="confidence-title">Confidence</h2>
        {usable === 0 ? (
          <p className="empty">
            No answer has a usable confidence, so there is no reliability, risk or threshold to show.
          </p>
        ) : (
          <>
            <Threshold run={charted} payload={payload} at={at} choose={choose} />
            <div className="charts">
              <Chart
                title="Risk and coverage"
                svg={risk}
                caption="Answers are accepted in order of confidence, highest first; coverage is the share of all scored rows. The vertical line is the threshold. Select a column to list its accepted answers."
              />
              <Chart
                title="Reliability"
                svg={drawn.reliability}
                caption={`Share of right answers by stated confidence, ${run.status === 'stopped_early' ? 'without intervals (fixed-size interval after an early stop: not valid)' : 'with Wilson intervals'}; ${whole(usable)} answers. Below the diagonal the model is overconfident. Select a column to list its answers.`}
              />
              <Chart
                title="Stated confidence"
                svg={drawn.histogram}
                caption="Answers by stated confidence. Select a bar to list its answers."
              />
            </div>
          </>
        )}
      </section>
      <section aria-labelledby="matrices-title">
        <h2 id="matrices-title">Answers and decisions</h2>
        <div className="matrices">
          <ConfusionMatrix run={charted} />
          <div>
            {payload.flow && <DecisionTable id={run.id} counts={payload.flow.kinds} />}
            {figures.deferral !== null && (
              <ReportTable table={deferralPolicies({ scores: scores.map(scoreOfLine) })} />
            )}
          </div>
        </div>
      </section>
      <GroupCharts
        dots={figures.dots}
        stratum={stratum}
        scores={scores}
        primary={run.headline?.name ?? null}
        run={charted}
      />
    </>
  );
}

/** The step of a threshold in the address. Without one, all answers are accepted; a number between two steps selects the stricter. */
function stepAt(steps: RunPayload['confidence_steps'], threshold: string | null): number {
  const last = steps.length - 1;
  if (threshold === null || !Number.isFinite(Number(threshold))) return last;
  const place = steps.findLastIndex((step) => step.threshold >= Number(threshold));
  return Math.max(0, place);
}

/** The charts of a result that was published without its rows: there are no records to list. */
function PublishedCharts({
  payload: { run, scores, stratum },
  published,
}: {
  payload: RunPayload;
  published: PublishedFigures;
}) {
  const { reliability, deferral, dots } = published;
  const n = reliability.reduce((sum, { count }) => sum + count, 0);
  const diagram = useMemo(
    () => reliabilityDiagram([{ name: run.model, figures: { reliability } }], document),
    [run.model, reliability],
  );
  return (
    <>
      <p className="quiet small">
        Imported without rows: the charts show what the file states. Intervals are Wilson intervals of the
        published counts.
      </p>
      {n > 0 && (
        <section aria-labelledby="confidence-title">
          <h2 id="confidence-title">Confidence</h2>
          <div className="charts">
            <Chart
              title="Reliability"
              svg={diagram}
              caption={`Share of right answers by stated confidence, with Wilson intervals; ${whole(n)} answers. Below the diagonal the model is overconfident.`}
            />
          </div>
        </section>
      )}
      {deferral !== null && (
        <section aria-labelledby="matrices-title">
          <h2 id="matrices-title">Deferrals</h2>
          <div className="matrices">
            <DeferralMatrix deferral={deferral} />
          </div>
        </section>
      )}
      <GroupCharts
        dots={dots}
        stratum={stratum}
        scores={scores}
        primary={run.headline?.name ?? null}
        run={null}
      />
    </>
  );
}

/** Groups come from the data: there may be as many as rows. */
const MAX_DRAWN = 24;

interface GroupChartsProps {
  readonly dots: readonly GroupDot[];
  readonly stratum: ChartedRun['stratum'];
  readonly scores: readonly ScoreLine[];
  /** The primary endpoint, which is drawn first; null where there is none. */
  readonly primary: string | null;
  /** Where lines lead to; null for a result that was published without rows. */
  readonly run: ChartedRun | null;
}

/** A dot plot for each metric in each kind of group: strata or classes, then subgroups. */
function GroupCharts({ dots, stratum, scores, primary, run }: GroupChartsProps) {
  const kinds = useMemo(() => {
    return [...new Set(dots.map(({ by }) => by))].map((by) => {
      const plots = metricsOf(dots, by, primary).map((metric) => {
        const all = distinct(dots.filter((dot) => dot.by === by && dot.metric === metric));
        const drawn = all.slice(0, MAX_DRAWN);
        const score = scores.find(({ name }) => name === metric);
        const title = scoreTitle(score?.label ?? words(metric));
        const left = all.length - drawn.length;
        return { metric, title, left, dots: drawn, overall: score?.value ?? null };
      });
      return {
        by,
        plots: plots.map((plot) => ({
          ...plot,
          svg: dotPlot(
            { ...plot, beside: plots },
            document,
            run === null ? undefined : (_, line) => dotLink(run, plot.dots[line]!),
          ),
        })),
      };
    });
  }, [dots, run, scores, primary]);
  return kinds.map(({ by, plots }) => (
    <section key={by} aria-labelledby={`by-${by}`}>
      <h2 id={`by-${by}`}>By {titleOf(by, stratum)}</h2>
      <p className="quiet small">
        {dots.some(({ lower }) => lower !== null) ? 'Shares with intervals and n' : 'Shares with n'}; the
        dashed line is all rows.
        {run !== null && ' Select a line of a plot to list its records.'}
      </p>
      <div className="charts three">
        {plots.map(({ metric, title, left, svg }) => (
          <Chart
            key={metric}
            title={title}
            svg={svg}
            caption={
              [metric === primary && 'Primary endpoint.', left > 0 && `${left} more groups are not drawn.`]
                .filter(Boolean)
                .join(' ') || null
            }
          />
        ))}
      </div>
    </section>
  ));
}

function metricsOf(dots: readonly GroupDot[], by: string, primary: string | null): string[] {
  const metrics = new Set(dots.filter((dot) => dot.by === by).map(({ metric }) => metric));
  return [...metrics].sort((a, b) => Number(b === primary) - Number(a === primary));
}

function titleOf(by: string, stratum: ChartedRun['stratum']): string {
  if (by === 'ground_truth') return 'true class';
  return words(by === stratum.key ? stratum.label : by);
}

/** A stratum that is also a subgroup comes twice; the stratum's own dots come first. */
function distinct(dots: readonly GroupDot[]): GroupDot[] {
  const first = new Map(dots.toReversed().map((dot) => [dot.group, dot]));
  return dots.filter((dot) => first.get(dot.group) === dot);
}
