import { useMemo } from 'react';
import { type PublishedFigures, reliabilityDiagram, whole } from '../../../src/viewer/browser.ts';
import type { RunPayload } from '../api.ts';
import { Chart } from '../parts/chart.tsx';
import { GroupCharts } from './group-charts.tsx';
import { DeferralMatrix } from './matrices.tsx';

/** The charts of a result that was published without its rows: there are no records to list. */
export function PublishedCharts({
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
