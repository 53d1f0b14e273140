import pc from 'picocolors';
import type { Comparison, Flip, PairedComparison } from '../results/index.ts';
import { borderlessTable, right } from './borderless-table.ts';
import {
  answersText,
  BEHAVIOUR_COLUMNS,
  CORRECTNESS_COLUMNS,
  COST_COLUMNS,
  modelMarks,
  pairedText,
} from './compare-columns.ts';
import { compareMethodText } from './compare-method-text.ts';
import { plain } from './plain-text.ts';

const MOST_FLIPS = 20;

/** A comparison for people: the models side by side, then each against the baseline in words, then the records on which they part. */
export function compareText(comparison: Comparison): string {
  const { models, primaryEndpoint, warnings, notPaired, pairs, method } = comparison;
  const level = Math.round(method.level * 1000) / 10;
  const endpoint = primaryEndpoint === null ? '' : `primary endpoint: ${plain(primaryEndpoint.metric)}; `;
  const marked = models.flatMap((model) => {
    const marks = modelMarks(model);
    return marks.length === 0 ? [] : [`  ${plain(model.name)}: ${marks.join(', ')}`];
  });
  return [
    `${pc.bold(`${plain(comparison.suiteName)}: ${models.length} models`)} (${endpoint}${level} % intervals; nobody is ranked)`,
    ...(comparison.suiteHashes.length === 0 ? [] : [`suite hash ${comparison.suiteHashes.join(', ')}`]),
    '',
    ...[CORRECTNESS_COLUMNS, [...BEHAVIOUR_COLUMNS, ...COST_COLUMNS]].map((columns) =>
      modelsTable(comparison, columns),
    ),
    ...(marked.length === 0 ? [] : [...marked, '']),
    ...warnings.map(({ message }) => `${pc.yellow('!')} ${plain(message)}`),
    ...(warnings.length === 0 ? [] : ['']),
    ...pairs.flatMap((pair) => pairLines(pair, primaryEndpoint?.metric ?? null)),
    ...notPaired.map(({ model, message }) => `${plain(model)} is in the table only: ${plain(message)}`),
    ...(notPaired.length === 0 ? [] : ['']),
    ...(pairs.length === 0
      ? ['No two runs can be paired, so there is no comparison.']
      : [compareMethodText(comparison)]),
    '',
  ].join('\n');
}

function modelsTable({ models }: Comparison, columns: typeof CORRECTNESS_COLUMNS): string {
  const head = columns.map(({ title }) => right(title));
  const rows = models.map((model) => [
    plain(model.name),
    ...columns.map((column) => right(column.cell(model))),
  ]);
  return `${borderlessTable('model', head, rows)}\n`;
}

function pairLines(pair: PairedComparison, primary: string | null): string[] {
  const rows = pair.endpoints.map((endpoint) => [
    `  ${plain(endpoint.label)}${endpoint.metric === primary ? ' *' : ''}`,
    right(value(endpoint.baselineValue)),
    right(value(endpoint.modelValue)),
    right(String(endpoint.n)),
    plain(endpoint.inWords),
  ]);
  const { onlyBaselineRight, onlyModelRight } = pair.flips;
  return [
    pc.bold(`${plain(pair.model)} against ${plain(pair.baseline)}`),
    pairedText(pair),
    borderlessTable('', [right('baseline'), right('model'), right('n'), 'model minus baseline'], rows),
    ...(pair.endpoints.some(({ metric }) => metric === primary) ? ['  * primary endpoint'] : []),
    '',
    ...flipLines(`only ${plain(pair.baseline)} right`, onlyBaselineRight),
    '',
    ...flipLines(`only ${plain(pair.model)} right`, onlyModelRight),
    '',
  ];
}

function flipLines(title: string, flips: readonly Flip[]): string[] {
  if (flips.length === 0) return [`${title}: 0`];
  const rows = flips
    .slice(0, MOST_FLIPS)
    .map(({ id, groundTruth, baseline, model }) => [
      `  ${plain(id)}`,
      plain(String(groundTruth ?? 'none')),
      plain(answersText(baseline)),
      plain(answersText(model)),
    ]);
  const more =
    flips.length > MOST_FLIPS ? [`  and ${flips.length - MOST_FLIPS} more (--json lists them)`] : [];
  return [borderlessTable(`${title}: ${flips.length}`, ['truth', 'baseline', 'model'], rows), ...more];
}

function value(number: number | null): string {
  return number === null ? '-' : number.toFixed(3);
}
