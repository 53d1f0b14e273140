import type { Comparison } from '../../analyses/comparison/comparison.ts';
import { shownItemScores } from '../../analyses/judging/item-scores-section.ts';
import { isJudged } from '../../analyses/judging/judged-result.ts';
import { correctedScore } from '../../analyses/review/corrected-score.ts';
import { plain } from '../../core/plain-text.ts';
import type { Score } from '../../core/score.ts';
import { between, decimals, restsOn } from '../../reports/charts/number-text.ts';
import { levelText, pText } from '../../reports/words.ts';
import { methodText } from '../method-text.ts';
import type { RunResult } from '../run-result.ts';
import { headlineScores } from '../sections/headline-scores.ts';
import { verificationAlert } from '../unproven-file.ts';

/** The headline numbers as a LaTeX table for a paper; needs the package booktabs. */
export function renderLatex(report: RunResult): string {
  const rows = listScores(report).map(({ label, value, interval, bounds, nSuccesses, nEvaluated }) =>
    [
      label,
      value === null ? '--' : `${decimals(value)}${bounds === null ? '' : ` [${between(bounds)}]`}`,
      between(interval) ?? '--',
      restsOn(nSuccesses, nEvaluated),
    ]
      .map(latexText)
      .join(' & '),
  );
  const alert = verificationAlert(report);
  return tabular({
    comments: [...(alert === null ? [] : [alert]), ...report.warnings.map(({ message }) => message)],
    caption: `${report.backendName} on ${report.suiteName}. ${methodText(report)}`,
    columns: ['lrrr', 'metric & value & interval & $n$'],
    rows,
  });
}

/** The scores of every model that lead, with intervals, then the paired differences, each with its test. */
export function comparisonLatex(comparison: Comparison): string {
  const { models, pairs, baseline, suiteName, method, warnings } = comparison;
  const values = models.flatMap(({ name, scores }) =>
    headlineScores(scores, comparison.primaryEndpoint?.metric ?? null).map((score) => [
      name,
      score.label,
      score.value === null ? '--' : decimals(score.value),
      between(score.interval) ?? '--',
      restsOn(score.nSuccesses, score.nEvaluated),
      '',
    ]),
  );
  const differences = pairs.flatMap(({ model, endpoints }) =>
    endpoints.map(({ label, difference, interval, n, p, pHolm }) => [
      `${model} minus ${baseline}`,
      label,
      difference === null ? '--' : decimals(difference),
      between(interval) ?? '--',
      restsOn(null, n),
      p === null ? '--' : `${pText(p)}${pHolm === null || pHolm === p ? '' : ` (${pText(pHolm)})`}`,
    ]),
  );
  const lines = (rows: readonly string[][]) => rows.map((cells) => cells.map(latexText).join(' & '));
  return tabular({
    comments: warnings.map(({ message }) => message),
    caption: `Models on ${suiteName}, and paired differences on the same ${method.unit}s; ${levelText(method.level)} intervals. p in brackets: adjusted by Holm.`,
    columns: ['llrrrr', 'model & metric & value & interval & $n$ & $p$'],
    rows: [
      ...lines(values),
      ...(values.length > 0 && differences.length > 0 ? [RULE] : []),
      ...lines(differences),
    ],
  });
}

const RULE = '\\midrule';

function tabular(table: {
  readonly comments: readonly string[];
  readonly caption: string;
  readonly columns: readonly [kinds: string, titles: string];
  readonly rows: readonly string[];
}): string {
  return [
    ...table.comments.map((comment) => `% ${plain(comment)}`),
    '\\begin{table}',
    `\\caption{${latexText(table.caption)}}`,
    `\\begin{tabular}{${table.columns[0]}}`,
    '\\toprule',
    `${table.columns[1]} \\\\`,
    RULE,
    ...table.rows.map((row) => (row === RULE ? row : `${row} \\\\`)),
    '\\bottomrule',
    '\\end{tabular}',
    '\\end{table}',
    '',
  ].join('\n');
}

function listScores(report: RunResult): readonly Score[] {
  if (isJudged(report))
    return [
      ...report.judging.metricTraits.flatMap(({ name, metrics }) =>
        Object.entries(metrics).map(([metric, { pooled }]) => ({ ...pooled, label: `${name}: ${metric}` })),
      ),
      ...(report.review?.items?.corrected ?? []).flatMap((found) =>
        found.corrected === null ? [] : [{ ...correctedScore(found), bounds: null }],
      ),
      ...shownItemScores(report.judging.itemScores),
      ...report.judging.abstention.filter(
        ({ name }) => name === 'answer_rate' || name === 'deferral_alignment',
      ),
    ];
  return headlineScores(report.card.scores, report.primaryEndpoint?.metric ?? null);
}

const COMMANDS: Readonly<Record<string, string>> = {
  '\\': '\\textbackslash{}',
  '^': '\\textasciicircum{}',
  '~': '\\textasciitilde{}',
  '<': '\\textless{}',
  '>': '\\textgreater{}',
  '|': '\\textbar{}',
};

/**
 * Text that LaTeX prints as it is.
 *
 * @example
 * ```ts
 * latexText('50 % of {x_1}') // => '50 \\% of \\{x\\_1\\}'
 * ```
 */
export function latexText(text: string): string {
  return plain(text).replace(/[\\^~<>|&%$#_{}]/g, (character) => COMMANDS[character] ?? `\\${character}`);
}
