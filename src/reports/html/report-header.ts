import { basename } from 'node:path';
import type { RunReport } from '../../results/index.ts';
import { rowsOf } from '../charts/index.ts';
import { type Content, html, type Markup } from './html.ts';
import { inWords } from './words.ts';

/** What was run, when and with what, and the words that change how everything below is read. */
export function reportHeader(report: RunReport): Markup {
  const { task, card, path } = report;
  const facts: [string, Content][] = [
    ['Suite', html`<code>${report.suiteName}</code>`],
    ['Task', task === null ? 'not stated' : taskText(task)],
    ['Arm', report.arm ?? 'not stated'],
    ['Model', html`<code>${report.backendName}</code>`],
    ['Started', dateText(report.createdAt)],
    ['Status', inWords(report.status)],
    [
      'Rows',
      `${rowsOf(card.n)}, ${card.nScored === card.n ? 'all scored' : `${rowsOf(card.nScored)} scored`}`,
    ],
    ['Krisis', report.krisisVersion === null ? 'version not stated' : `version ${report.krisisVersion}`],
    ...(path === null ? [] : [['Run file', html`<code>${basename(path)}</code>`] as [string, Content]]),
  ];
  const badges = badgesOf(report);
  return html`<h1>${report.backendName} on ${report.suiteName}</h1>
${badges.length === 0 ? null : html`<ul class="badges">${badges.map(([kind, text]) => html`<li class="badge ${kind}">${text}</li>`)}</ul>`}
<dl class="facts">${facts.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;
}

function taskText({ id, labels, positiveLabel, ordered }: NonNullable<RunReport['task']>): string {
  const positive = positiveLabel === null ? '' : `, positive: ${positiveLabel}`;
  return `${id} (${labels.join(', ')}${ordered ? ', ordered' : ''}${positive})`;
}

/** `2026-03-01T12:30:00.000Z` as people write it; anything else as it is. */
export function dateText(date: string | null): string {
  if (date === null) return 'not stated';
  const iso = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d)(?::\d\d(?:\.\d+)?)?Z$/.exec(date);
  return iso === null ? date : `${iso[1]} ${iso[2]} UTC`;
}

function badgesOf({ extras, imported, sensitivity, status, card }: RunReport): [string, string][] {
  const badges: [string, string][] = [];
  if (extras.simulated) badges.push(['caution', 'simulated model']);
  if (imported !== null) badges.push(['plain', `imported from ${imported.format}`]);
  if (sensitivity === 'protected') badges.push(['plain', 'protected data']);
  if (status !== 'complete') badges.push(['bad', `incomplete: ${inWords(status)}`]);
  else if (card.nScored < card.n) badges.push(['caution', `${rowsOf(card.n - card.nScored)} not scored`]);
  return badges;
}
