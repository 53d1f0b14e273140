import type { ReactNode } from 'react';
import {
  baselineSection,
  decisionCurveSection,
  decisionSection,
  flowSection,
  metricSection,
  type Section,
  thresholdSection,
  whole,
} from '../../../src/viewer/browser.ts';
import type { RunPayload } from '../api.ts';
import { HumanReview } from '../parts/human-review.tsx';
import { Json } from '../parts/json.tsx';
import { LedgerBar, LedgerLegend } from '../parts/ledger.tsx';
import { Blocks, ReportSection } from '../parts/report-blocks.tsx';
import { duration, money, words } from '../parts/words.ts';
import { Charts } from './charts.tsx';
import { Headline } from './headline.tsx';
import type { PanelProps, RunPanel } from './panel.ts';
import { leadingLines, scoreOfLine } from './score-of-line.ts';

/** The panels of a run's page, in their order. A new one is an entry here; one that throws does not take the others with it. */
export const PANELS: readonly RunPanel[] = [
  { id: 'headline', show: (props) => <Headline {...props} /> },
  {
    id: 'early-stop',
    show: ({ payload: { stop_early: section } }) => section && <ReportSection section={section} />,
  },
  { id: 'baselines', show: ({ payload }) => reportSection(payload, baselineSection) },
  { id: 'ledger', show: (props) => <HowRowsEnded {...props} /> },
  { id: 'charts', show: (props) => <Charts {...props} /> },
  {
    id: 'deployable-threshold',
    show: ({ payload }) => thresholdPanel(payload),
  },
  { id: 'decision-curve', show: ({ payload }) => reportSection(payload, decisionCurveSection) },
  { id: 'decisions', show: ({ payload }) => reportSection(payload, decisionSection) },
  { id: 'flow', show: ({ payload }) => payload.flow && reportSection(payload, flowSection) },
  {
    id: 'review',
    show: ({ payload: { run, review, panel } }) => <HumanReview run={run} review={review} panel={panel} />,
  },
  { id: 'details', show: (props) => <RunDetails {...props} /> },
];

function thresholdPanel({ run: { status }, threshold }: RunPayload): ReactNode {
  const section = thresholdSection({ status, threshold: () => threshold });
  return section && <ReportSection section={section} />;
}

type Described = ReturnType<typeof describedBy>;

/** A section of the report; nothing where the run has no rows to show. */
function reportSection(payload: RunPayload, build: (run: Described) => Section | null): ReactNode {
  if (payload.n_scored === 0) return null;
  const section = build(describedBy(payload));
  return section && <ReportSection section={section} />;
}

/** The payload in the form that the report's sections take. */
function describedBy(payload: RunPayload) {
  const { run, figures, baselines, flow, decisions, decisions_at_prevalence, method, n_scored } = payload;
  return {
    backendName: run.model,
    figures,
    baselines,
    flow,
    decisions,
    decisionsAtPrevalence: decisions_at_prevalence,
    headlines: leadingLines(payload.scores).map(scoreOfLine),
    card: { scores: payload.scores.map(scoreOfLine), nScored: n_scored, method },
  };
}

function HowRowsEnded({ payload: { run } }: PanelProps) {
  return (
    <section aria-labelledby="ledger-title">
      <h2 id="ledger-title">How {whole(run.n)} rows ended</h2>
      <LedgerBar of={run} />
      <LedgerLegend of={run} id={run.id} />
      <p className="quiet small">
        Cost {money(run.cost_usd)}, time {duration(run.elapsed_seconds)}. Rows that failed or were not run are
        not scored; invalid and refused replies count as wrong.
      </p>
    </section>
  );
}

/** The details behind the headline: every metric, execution, provenance and prompts. */
function RunDetails({ payload }: PanelProps) {
  const { scores, method, execution, provenance, templates } = payload;
  return (
    <section aria-labelledby="details-title">
      <h2 id="details-title">Everything else</h2>
      {scores.length > 0 && (
        <details className="panel">
          <summary>All {scores.length} metrics</summary>
          <Blocks blocks={metricSection(scores.map(scoreOfLine), method.level).blocks} />
        </details>
      )}
      <details className="panel">
        <summary>Execution</summary>
        <Json value={execution} />
      </details>
      <details className="panel">
        <summary>Provenance</summary>
        <Json value={provenance} />
      </details>
      {templates.length > 0 && (
        <details className="panel">
          <summary>Prompt templates ({templates.length}), patient data redacted</summary>
          {templates.map(({ prompt_mode: mode, prompt }) => (
            <div key={`${mode}${JSON.stringify(prompt)}`}>
              <h3>{words(mode)}</h3>
              <Json value={prompt} />
            </div>
          ))}
        </details>
      )}
    </section>
  );
}
