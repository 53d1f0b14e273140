import { contentHash } from '../../core/index.ts';
import type { RunReport } from '../../results/index.ts';
import { methodText } from '../method-text.ts';
import { type Content, html, type Markup } from './html.ts';
import { factTable } from './table.ts';
import { valueText } from './value-text.ts';

/** A description of another framework's may hold anything. */
const MAX_FIELDS = 100;
/** Said already, above. */
const SAID = ['warnings', 'name', 'task', 'suite_hash', 'sensitivity', 'primary_endpoint', 'seed'];

/** How the numbers were made, and out of what, with the hashes that let another check it. */
export function provenance(report: RunReport): Markup {
  const described = Object.entries(report.suite).filter(([key]) => !SAID.includes(key));
  return html`<h3>Method</h3>
${factTable('Method', methodFacts(report))}
<h3>Run</h3>
${factTable('Run', runFacts(report))}
<h3>Suite</h3>
${
  described.length === 0
    ? html`<p>The run says nothing of its suite but its name.</p>`
    : factTable(
        'Suite',
        described.slice(0, MAX_FIELDS).map(([key, value]) => [html`<code>${key}</code>`, valueText(value)]),
      )
}
${described.length > MAX_FIELDS ? html`<p>${described.length - MAX_FIELDS} more fields are in the run file.</p>` : null}`;
}

function methodFacts(report: RunReport): [string, Content][] {
  const { card, primaryEndpoint: endpoint, arm } = report;
  const otherArm =
    endpoint !== null && arm !== null && endpoint.arm !== arm ? ` (this run is of arm ${arm})` : '';
  return [
    [
      'primary endpoint',
      endpoint === null
        ? 'none was named'
        : `${endpoint.metric}, arm ${endpoint.arm}${otherArm}: ${endpoint.why}`,
    ],
    ['intervals', methodText(report)],
    [
      'confidence outside 0 to 1',
      card.method.confidence_policy === 'clip' ? 'clipped' : 'treated as missing, and counted',
    ],
  ];
}

function runFacts(report: RunReport): [string, Content][] {
  const { imported, egress, extras } = report;
  const hash = (text: string) => html`<code>${text}</code>`;
  return [
    ['suite hash (SHA-256)', report.suiteHash === null ? 'not known' : hash(report.suiteHash)],
    ['suite seed', report.seed === null ? 'not stated' : String(report.seed)],
    ['sensitivity of the data', report.sensitivity ?? 'not stated'],
    [
      'where questions went',
      egress === null ? 'nowhere outside this process, or not stated' : valueText(egress),
    ],
    ['model', hash(report.backendName)],
    [
      'parameters',
      Object.keys(report.parameters).length === 0 ? 'none were set' : valueText(report.parameters),
    ],
    [
      'prompt templates (SHA-256)',
      extras.prompt_templates.length === 0
        ? 'none captured'
        : extras.prompt_templates
            .slice(0, 20)
            .map(({ prompt }, i) => html`${i === 0 ? null : html`<br>`}${hash(contentHash(prompt ?? null))}`),
    ],
    ...(imported === null
      ? []
      : ([
          [
            'imported from',
            `${imported.source} (${imported.format}), ${imported.hasRows ? 'with its rows' : 'without rows'}`,
          ],
          ['imported file (SHA-256)', hash(imported.sha256)],
        ] as [string, Content][])),
  ];
}
