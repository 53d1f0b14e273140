import { plain } from '../../core/plain-text.ts';
import type { Score } from '../../core/score.ts';
import { decimals, type Ends, restsOn } from '../../reports/charts/number-text.ts';
import { borderlessTable } from '../../reports/layout/borderless-table.ts';
import type { TextColumn } from '../../reports/layout/column-widths.ts';
import { findScore, isCounted, unsafeParts } from '../../reports/words.ts';
import type { RunResult } from '../../runs/run-result.ts';
import { leadingNames } from '../../runs/sections/headline-scores.ts';

const MANY_INVALID = 0.05;

type Listed = Pick<RunResult, 'backendName' | 'card' | 'extras' | 'primaryEndpoint'>;

/** Models side by side, in the order given: models are not ranked by one number. */
export function modelsTable(runs: readonly Listed[], width: number): string {
  // Where all models have the same number of rows, the title says it.
  const isSame = new Set(runs.map(({ card }) => card.nScored)).size === 1;
  const columns = [
    { title: 'model', isNumber: false, cells: runs.map(({ backendName }) => plain(backendName)) },
    {
      title: 'n',
      isNumber: true,
      isSpare: isSame,
      cells: runs.map(({ card }) => String(card.nScored)),
    },
    ...scoreColumns(runs),
  ];
  return `${borderlessTable(columns, width).join('\n')}\n`;
}

/** The scores that lead, in their order; last, what unsafe decisions consist of. */
export function scoreColumns(runs: readonly Listed[]): TextColumn[] {
  const scores = runs.map(({ card }) => card.scores);
  const primary = runs[0]?.primaryEndpoint?.metric ?? null;
  const names = leadingNames(scores, primary).filter((name) => !isPartOfUnsafe(name, scores));
  const parts = runs.map(({ card }) => {
    const text = unsafeParts(findScore(card, 'unsafe_decision_rate'));
    return text === null ? '' : `unsafe: ${text}`;
  });
  return [
    ...names.map((name, i) => ({
      title: titleAfter(findLabel(name, scores), findLabel(names[i - 1] ?? '', scores)),
      isNumber: true,
      // A score that qualifies another is read beside it, and the other has the interval.
      cells: scores.map((own) => {
        const score = own.find((each) => each.name === name);
        return scoreCell(score?.facts?.qualifies ? { ...score, interval: null } : score);
      }),
    })),
    ...usableColumn(runs),
    ...(parts.some((text) => text !== '') ? [{ title: 'in parts', isNumber: false, cells: parts }] : []),
  ];
}

/** The parts of unsafe decisions are named together. */
function isPartOfUnsafe(name: string, scores: readonly Listed['card']['scores'][]): boolean {
  const whole = scores.flat().find((score) => score.name === name)?.facts?.partOf;
  return scores.some((own) => own.some((score) => score.name === whole && unsafeParts(score) !== null));
}

/** Invalid replies of a model with a prompt are not answers, and show only where there are many. */
function usableColumn(runs: readonly Listed[]): TextColumn[] {
  const hasInvalid = runs.some(
    ({ card, extras }) =>
      (extras.n_prompts_captured ?? 1) > 0 && (findScore(card, 'invalid_rate')?.value ?? 0) > MANY_INVALID,
  );
  const cells = runs.map(({ card }) => scoreCell(findScore(card, 'usable_answer_rate')));
  return hasInvalid ? [{ title: 'Usable Answers', isNumber: true, cells }] : [];
}

function findLabel(name: string, scores: readonly Listed['card']['scores'][]): string {
  return scores.flat().find((score) => score.name === name)?.label ?? name;
}

/** `Decision Accuracy (clear cases)` after `Decision Accuracy` is `clear cases`. */
function titleAfter(label: string, before: string): string {
  return before !== '' && label.startsWith(`${before} (`) ? label.slice(before.length + 2, -1) : label;
}

type Shown = Pick<Score, 'value'> &
  Partial<Pick<Score, 'family' | 'nSuccesses' | 'nEvaluated' | 'bounds'>> & {
    readonly interval: Ends | null;
  };

/**
 * A score in a table of models or tasks: harms and costs as counts, everything else as a value; then the interval, and the bounds in square brackets.
 * The ends have the same three digits as everywhere, without the zero before the point.
 *
 * @example
 * ```ts
 * scoreCell({ value: 0.8134, interval: { lower: 0.7831, upper: 0.8389 } }) // => '0.813 (.783-.839)'
 * scoreCell({ value: 0, family: 'safety', nSuccesses: 0, nEvaluated: 48, interval: { lower: 0, upper: 0.0741 } }) // => '0/48 (.000-.074)'
 * ```
 */
export function scoreCell(score: Shown | undefined): string {
  if (score === undefined) return '-';
  const { value, interval, bounds = null } = score;
  const could = bounds === null ? '' : ` [${compactRange(bounds)}]`;
  if (value === null) return `-${could}`;
  const shown = isCounted(score) ? restsOn(score.nSuccesses, score.nEvaluated ?? 0) : decimals(value);
  const within = interval === null ? '' : ` (${compactRange(interval)})`;
  return `${shown}${within}${could}`;
}

function compactRange({ lower, upper }: Ends): string {
  const ends = [lower, upper].map((end) => (end === null ? '?' : decimals(end)));
  // A hyphen between negative numbers cannot be read.
  return ends.some((end) => end.startsWith('-'))
    ? ends.join(' to ')
    : ends.map((end) => end.replace(/^0(?=\.)/, '')).join('-');
}
