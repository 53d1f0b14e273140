import type { Comparison, EndpointComparison, PairedComparison } from '../results/index.ts';
import {
  BEHAVIOUR_COLUMNS,
  CORRECTNESS_COLUMNS,
  COST_COLUMNS,
  modelMarks,
  pairedText,
  pText,
} from './compare-columns.ts';
import { compareMethodText } from './compare-method-text.ts';
import { markdownTable } from './comparison-table.ts';
import { markdownText } from './markdown-text.ts';
import type { ReportOptions } from './report-options.ts';

/** A comparison that pastes into a paper or a pull request. */
export function compareMarkdown(comparison: Comparison, { verdicts = [] }: ReportOptions = {}): string {
  const { models, warnings, notPaired, pairs } = comparison;
  const columns = [...CORRECTNESS_COLUMNS, ...BEHAVIOUR_COLUMNS, ...COST_COLUMNS];
  const rows = models.map((model) => {
    const marks = modelMarks(model);
    const name = `${markdownText(model.name)}${marks.length === 0 ? '' : ` (${marks.join(', ')})`}`;
    return [name, ...columns.map((column) => column.cell(model))];
  });
  const notes = [
    ...warnings.map(({ message }) => message),
    ...notPaired.map(({ model, message }) => `${model} is in the table only: ${message}`),
  ];
  const parts = [
    `# ${markdownText(comparison.suiteName)}: ${models.length} models\n`,
    markdownTable(['model', ...columns.map(({ title }) => title)], rows),
    ...(notes.length === 0 ? [] : [notes.map((note) => `- ${markdownText(note)}\n`).join('')]),
    ...pairs.map((pair) => pairPart(pair, comparison)),
    ...(verdicts.length === 0
      ? []
      : [
          `## Conditions\n\n${verdicts.map(({ text, status, message }) => `- **${status}** ${markdownText(text)}: ${markdownText(message)}\n`).join('')}`,
        ]),
    `${pairs.length === 0 ? 'No two runs can be paired, so there is no comparison.' : compareMethodText(comparison)}\n`,
    ...(comparison.suiteHashes.length === 0
      ? []
      : [`Suite hash: ${comparison.suiteHashes.map((hash) => `\`${hash}\``).join(', ')}\n`]),
  ];
  return parts.join('\n');
}

function pairPart(pair: PairedComparison, { primaryEndpoint, method }: Comparison): string {
  const level = Math.round(method.level * 1000) / 10;
  const titles = [
    'endpoint',
    'n',
    'baseline',
    'model',
    `difference (${level} % interval)`,
    'p',
    'p (Holm)',
    'detectable',
  ];
  const rows = pair.endpoints.map((endpoint) => [
    `${markdownText(endpoint.label)}${endpoint.metric === primaryEndpoint?.metric ? ' (primary)' : ''}`,
    String(endpoint.n),
    number(endpoint.baselineValue),
    number(endpoint.modelValue),
    difference(endpoint),
    pText(endpoint.p),
    pText(endpoint.pHolm),
    number(endpoint.minimumDetectableDifference),
  ]);
  const { onlyBaselineRight, onlyModelRight } = pair.flips;
  return [
    `## ${markdownText(pair.model)} against ${markdownText(pair.baseline)}\n`,
    `${pairedText(pair)}. Only the baseline is right on ${onlyBaselineRight.length}, only the model on ${onlyModelRight.length}.\n`,
    markdownTable(titles, rows),
    pair.endpoints
      .map(({ label, inWords }) => `- ${markdownText(label)}: ${markdownText(inWords)}\n`)
      .join(''),
  ].join('\n');
}

function difference({ difference: value, interval }: EndpointComparison): string {
  if (value === null) return '-';
  const range = interval === null ? '' : ` (${interval.lower.toFixed(3)} to ${interval.upper.toFixed(3)})`;
  return `${value.toFixed(3)}${range}`;
}

function number(value: number | null): string {
  return value === null ? '-' : value.toFixed(3);
}
