import { useMemo } from 'react';
import { dotPlot, type GroupDot } from '../../../src/viewer/browser.ts';
import type { ScoreLine } from '../api.ts';
import { Chart } from '../parts/chart.tsx';
import { scoreTitle, words } from '../parts/words.ts';
import { type ChartedRun, dotLink } from './chart-links.ts';

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
export function GroupCharts({ dots, stratum, scores, primary, run }: GroupChartsProps) {
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
