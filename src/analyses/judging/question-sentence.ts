import { bracketed, decimals, percent, whole } from '../../reports/charts/number-text.ts';
import { shown } from '../../reports/document/blocks.ts';
import type { JudgeHeadline, JudgeStatus } from '../../rubrics/calibration/judge-gate-status.ts';
import { itemEffect } from './item-effect.ts';

interface SaidItem {
  /** `required` or `forbidden`. */
  readonly kind: string;
  readonly verdict: string;
  readonly isScored: boolean;
  readonly isCritical: boolean;
}

interface QuestionSentenceParts {
  readonly model: string;
  /** How the rows ended: `answered`, `abstained`, `failed_timeout`, ... */
  readonly ledger: Readonly<Record<string, number>>;
  /** All rows of the run; those not asked yet included. */
  readonly n: number;
  /** Every item of every answer. */
  readonly items: readonly SaidItem[];
  /** How often each question was asked. */
  readonly repeats: number;
  /** Whether rows are still to come. */
  readonly isRunning: boolean;
  readonly judge: { readonly status: JudgeStatus; readonly headline: JudgeHeadline };
  /** Scores corrected for the judge's errors by people's labels. */
  readonly corrected: readonly CorrectedValue[];
}

interface CorrectedValue {
  readonly label: string;
  readonly value: number;
  readonly lower: number | null;
  readonly upper: number | null;
}

/**
 * What happened in a run on open questions, in one plain sentence; null where there is nothing to say.
 *
 * @example
 * ```ts
 * const item = { verdict: 'present', isScored: true, isCritical: false };
 * questionSentence({
 *   model: 'demo/model',
 *   ledger: { answered: 2, failed_timeout: 1 },
 *   n: 3,
 *   items: [{ ...item, kind: 'required' }, { ...item, kind: 'required', verdict: 'absent' }, { ...item, kind: 'forbidden' }],
 *   repeats: 1,
 *   isRunning: false,
 *   judge: { status: 'not_calibrated', headline: 'raw_first' },
 *   corrected: [],
 * }) // => 'demo/model answered 2 of 3 questions (1 failed); its answers have 1 of the 2 required items (50.0\u00a0%); they make 1 of the 1 forbidden claims; people have not confirmed the judge.'
 * ```
 */
export function questionSentence(parts: QuestionSentenceParts): string | null {
  const { model, ledger, n, items, repeats, isRunning, judge, corrected } = parts;
  if (n === 0) return null;
  const noun = repeats > 1 ? 'time' : 'question';
  const failed = Object.entries(ledger).reduce(
    (sum, [name, count]) => (name.startsWith('failed') ? sum + count : sum),
    0,
  );
  const scored = items.filter(({ isScored }) => isScored);
  const required = scored.filter(({ kind }) => kind === 'required');
  const forbidden = scored.filter(({ kind }) => kind === 'forbidden');
  const critical = scored.filter(({ isCritical }) => isCritical);
  const countItems = (of: readonly SaidItem[], verdict: string) =>
    of.filter((item) => item.verdict === verdict).length;
  const isRaw = judge.headline === 'raw_first';
  const said = countItems(required, 'present');
  const denied = countItems(required, 'contradicted');
  const clauses = shown([
    `${isRunning ? 'has so far answered' : 'answered'} ${ledger.answered ? whole(ledger.answered) : 'none'} of ${whole(n)} ${noun}${n === 1 ? '' : 's'}${failed === 0 ? '' : ` (${whole(failed)} failed)`}`,
    (ledger.abstained ?? 0) > 0 && `it deferred ${whole(ledger.abstained!)}`,
    // The counts are the judge's own.
    isRaw &&
      required.length > 0 &&
      `its answers have ${whole(said)} of the ${whole(required.length)} required items (${percent(said / required.length)})${denied === 0 ? '' : ` and contradict ${whole(denied)}`}`,
    isRaw &&
      forbidden.length > 0 &&
      `they make ${whole(countItems(forbidden, 'present'))} of the ${whole(forbidden.length)} forbidden claims`,
    isRaw &&
      critical.length > 0 &&
      `they fail ${whole(critical.filter((item) => itemEffect(item) === 'against').length)} of the ${whole(critical.length)} critical items`,
    items.length > scored.length &&
      `${whole(items.length - scored.length)} of ${whole(items.length)} items have no verdict`,
    scored.length > 0 && judge.status === 'not_calibrated' && 'people have not confirmed the judge',
    judge.headline === 'corrected_first' &&
      `people disagreed with the judge; corrected by their labels, ${corrected.map(correctedText).join(', ')}`,
    judge.headline === 'no_score' && 'people disagreed with the judge, so there is no score',
  ]);
  return `${model} ${clauses.join('; ')}.`;
}

function correctedText({ label, value, lower, upper }: CorrectedValue): string {
  return `${label} is ${decimals(value)}${bracketed({ lower, upper })}`;
}
