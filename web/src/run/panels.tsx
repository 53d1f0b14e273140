import type { ReactNode } from 'react';
import {
  baselineSection,
  decisionCurveSection,
  decisionSection,
  flowSection,
  type Section,
  thresholdSection,
} from '../../../src/viewer/browser.ts';
import type { RunPayload } from '../api.ts';
import { HumanReview } from '../parts/human-review.tsx';
import { ReportSection } from '../parts/report-blocks.tsx';
import { Charts } from './charts.tsx';
import { Headline } from './headline.tsx';
import { HowRowsEnded } from './how-rows-ended.tsx';
import type { RunPanel } from './panel.ts';
import { RunDetails } from './run-details.tsx';
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
