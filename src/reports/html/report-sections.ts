import type { GateVerdict, RunReport } from '../../results/index.ts';
import type { ChartDocument } from '../charts/index.ts';
import { headlineCards, sentences } from './cards.ts';
import { reportingChecklist } from './checklist.ts';
import { calibrationCharts, riskCoverageFigure } from './confidence-charts.ts';
import { executionTable } from './execution.ts';
import { groupCharts } from './groups.ts';
import { type Content, html } from './html.ts';
import { ledgerFigure } from './ledger.ts';
import { confusionMatrix, deferralMatrix } from './matrices.ts';
import { metricsTable } from './metrics-table.ts';
import type { Section } from './page.ts';
import { promptTemplates } from './prompts.ts';
import { provenance } from './provenance.ts';
import { verdictTable } from './verdicts.ts';

/** The parts of a report, in the order in which they are read. */
export function reportSections(
  report: RunReport,
  verdicts: readonly GateVerdict[],
  document: ChartDocument,
): Section[] {
  const { card, figures } = report;
  const needsRows = (draw: (parts: { figures: NonNullable<typeof figures> }) => Content): Content =>
    figures === null
      ? html`<p>This run came without rows, so there is nothing to draw here.</p>`
      : draw({ figures });
  const parts = { card, name: report.backendName, document };
  return [
    { id: 'headline', title: 'Headline', body: [sentences(report), headlineCards(report)] },
    ...(verdicts.length === 0 ? [] : [{ id: 'gates', title: 'Conditions', body: verdictTable(verdicts) }]),
    { id: 'ledger', title: 'How every row ended', body: ledgerFigure(card.ledger, document) },
    {
      id: 'calibration',
      title: 'Is confidence what it says?',
      body: needsRows(({ figures: drawn }) => calibrationCharts({ ...parts, figures: drawn })),
    },
    {
      id: 'risk-coverage',
      title: 'Does it know which answers to doubt?',
      body: needsRows(({ figures: drawn }) => riskCoverageFigure({ ...parts, figures: drawn })),
    },
    {
      id: 'confusion',
      title: 'Truth and answer',
      body: needsRows(({ figures: { confusion } }) => confusionMatrix(confusion)),
    },
    {
      id: 'deferral',
      title: 'Does it defer where it should?',
      body: needsRows(({ figures: { deferral } }) =>
        deferral === null
          ? html`<p>No row says whether deferring was called for (metadata.should_abstain), so deferral cannot be judged.</p>`
          : deferralMatrix(deferral, card),
      ),
    },
    {
      id: 'groups',
      title: 'Stages and subgroups',
      body: needsRows(({ figures: drawn }) => groupCharts(drawn, card, document)),
    },
    { id: 'metrics', title: 'All metrics', body: metricsTable(card) },
    { id: 'execution', title: 'Execution: time, tokens, cost', body: executionTable(report) },
    { id: 'provenance', title: 'Method and provenance', body: provenance(report) },
    { id: 'prompts', title: 'Prompt templates', body: promptTemplates(report) },
    { id: 'checklist', title: 'Reporting checklist', body: reportingChecklist(report) },
  ];
}
