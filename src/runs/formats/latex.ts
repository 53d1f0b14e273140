import { shownItemScores } from '../../analyses/judging/item-scores-section.ts';
import { isJudged } from '../../analyses/judging/judged-result.ts';
import { correctedScore } from '../../analyses/review/corrected-score.ts';
import { plain } from '../../core/plain-text.ts';
import type { Score } from '../../core/score.ts';
import { between, decimals, restsOn } from '../../reports/charts/number-text.ts';
import { methodText } from '../method-text.ts';
import type { RunResult } from '../run-result.ts';
import { headlineScores } from '../sections/headline-scores.ts';
import { verificationAlert } from '../unproven-file.ts';

/** The headline numbers as a LaTeX table for a paper; needs the package booktabs. */
export function renderLatex(report: RunResult): string {
  const rows = scoresOf(report).map(({ label, value, interval, bounds, nSuccesses, nEvaluated }) =>
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
  const caption = latexText(`${report.backendName} on ${report.suiteName}. ${methodText(report)}`);
  return [
    ...(alert === null ? [] : [`% ${alert}`]),
    ...report.warnings.map(({ message }) => `% ${plain(message)}`),
    '\\begin{table}',
    `\\caption{${caption}}`,
    '\\begin{tabular}{lrrr}',
    '\\toprule',
    'metric & value & interval & $n$ \\\\',
    '\\midrule',
    ...rows.map((row) => `${row} \\\\`),
    '\\bottomrule',
    '\\end{tabular}',
    '\\end{table}',
    '',
  ].join('\n');
}

function scoresOf(report: RunResult): readonly Score[] {
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
