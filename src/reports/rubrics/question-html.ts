import { basename } from 'node:path';
import type { QuestionReport } from '../../results/index.ts';
import { type Content, dateText, html, inWords, type Markup, page } from '../html/index.ts';
import type { ReportOptions } from '../report-options.ts';
import { EVIDENCE_STYLE } from './evidence-style.ts';
import { judgeText, NOT_CALIBRATED } from './judge-words.ts';
import { questionSections } from './question-sections.ts';

/** A run of open questions as one HTML file that needs nothing else: no script, nothing to load. The same run gives the same bytes. */
export function questionHtml(report: QuestionReport, { verdicts = [] }: ReportOptions = {}): string {
  return page({
    title: `${report.backendName} on ${report.suiteName} – Krisis report`,
    header: header(report),
    first: warningBox(report),
    sections: questionSections(report, verdicts),
    footer: html`<p>Made by Krisis${report.krisisVersion === null ? null : ` (run by version ${report.krisisVersion})`}. An evaluation of a model on a benchmark: not a medical device, not a clinical study, and no advice for any patient.</p>`,
    style: EVIDENCE_STYLE,
  });
}

function header(report: QuestionReport): Markup {
  const facts: [string, Content][] = [
    ['Suite', html`<code>${report.suiteName}</code>`],
    ['Model', html`<code>${report.backendName}</code>`],
    ['Judge', judgeText(report)],
    [
      'Questions',
      `${report.nQuestions}${report.repeats === 1 ? '' : `, each asked ${report.repeats} times`}`,
    ],
    ['Started', dateText(report.createdAt)],
    ['Status', inWords(report.status)],
    ['Krisis', report.krisisVersion === null ? 'version not stated' : `version ${report.krisisVersion}`],
    ['Run file', html`<code>${basename(report.path)}</code>`],
  ];
  const badges = badgesOf(report);
  return html`<h1>${report.backendName} on ${report.suiteName}</h1>
${badges.length === 0 ? null : html`<ul class="badges">${badges.map(([kind, text]) => html`<li class="badge ${kind}">${text}</li>`)}</ul>`}
<dl class="facts">${facts.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;
}

function badgesOf({ extras, sensitivity, status, judge, recorded }: QuestionReport): [string, string][] {
  const badges: [string, string][] = [];
  if (extras.simulated) badges.push(['caution', 'simulated model']);
  if (recorded !== null) badges.push(['plain', 'answers recorded elsewhere']);
  if (sensitivity === 'protected') badges.push(['plain', 'protected data']);
  if (status !== 'complete') badges.push(['bad', `incomplete: ${inWords(status)}`]);
  if (judge.judges.length > 0 && judge.calibration === null) badges.push(['caution', NOT_CALIBRATED]);
  return badges;
}

function warningBox({ warnings }: QuestionReport): Markup | null {
  if (warnings.length === 0) return null;
  return html`<section class="first" aria-labelledby="first-title"><h2 id="first-title">What must be known first</h2>
<ul>${warnings.map(({ message }) => html`<li>${message}</li>`)}</ul></section>`;
}
