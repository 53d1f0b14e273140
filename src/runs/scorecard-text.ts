import { earlyStop } from '../analyses/early-stop/section.ts';
import { failures, unusable } from '../analyses/failures/section.ts';
import { withSchema } from '../core/json-schema.ts';
import type { Label } from '../core/label.ts';
import type { Scorecard } from '../metrics/score.ts';
import { scorecardObject } from '../metrics/scorecard.ts';
import { isHarmWarning, type Warning } from '../metrics/warning.ts';
import { warningsFor } from '../metrics/warnings.ts';
import { paragraph, section, shown } from '../reports/document/blocks.ts';
import type { Section } from '../reports/document/document.ts';
import { renderText, type TextDocument } from '../reports/formats/text.ts';
import { counted, ledgerText } from '../reports/words.ts';
import { cachedRepliesText } from './execution.ts';
import { intervalMethod } from './method-text.ts';
import type { RunResult } from './run-result.ts';
import { subgroups } from './sections/groups.ts';
import { metrics } from './sections/metrics.ts';
import { sentences } from './sections/run-sentence.ts';

export interface ScorecardOptions
  extends Partial<
    Pick<RunResult, 'failures' | 'unusableReplies' | 'status' | 'stopEarly' | 'repeats' | 'extras'>
  > {
  /** Where the rows came from. */
  readonly source: string;
  /** The positive label of the task. Default: none is named. */
  readonly positiveLabel?: Label | null | undefined;
  /** Who answered. Default: the model. */
  readonly model?: string | undefined;
  /** Default: the warnings of the scores alone. */
  readonly warnings?: readonly Warning[] | undefined;
}

/** A scorecard for people: what happened, what it means, every number with its interval and n, and what to beware of. */
export function scorecardText(
  card: Scorecard,
  { width, ...options }: ScorecardOptions & { readonly width?: number | undefined },
): string {
  return renderText(scorecardDocument(card, options), width);
}

/** A scorecard as strict JSON. */
export function scorecardJson(card: Scorecard): string {
  return `${JSON.stringify(withSchema('score', scorecardObject(card)), null, 2)}\n`;
}

/** The numbers of rows that were scored, without a run around them. */
export function scorecardDocument(card: Scorecard, options: ScorecardOptions): TextDocument {
  const { source, positiveLabel, model = 'The model', warnings = warningsFor(card) } = options;
  const failed = failures({ failures: options.failures ?? [], status: options.status ?? 'complete' });
  const { stopEarly = null, status = 'complete', repeats = 1 } = options;
  const stopped = earlyStop({ stopEarly, status, repeats, ledger: card.ledger });
  const own = isEmpty(card)
    ? [failed, NOTHING_SCORED]
    : [
        section({ id: 'headline', title: 'Headline' }, sentences(card, model, { status, repeats })),
        stopped,
        failed,
        unusable({ unusableReplies: options.unusableReplies ?? [] }),
        metrics(card.scores, card.method.level),
        card.subgroups.length === 0 ? null : subgroups(card),
        methodSection(intervalMethod(card)),
      ];
  return {
    summary: [...cardSummary(source, card, positiveLabel), ...cachedSummary(options)],
    alerts: listMessages(warnings.filter(isHarmWarning), card),
    warnings: listMessages(
      warnings.filter((warning) => !isHarmWarning(warning)),
      card,
    ),
    sections: shown(own),
  };
}

/** Whether no row of a card can be scored. */
export function isEmpty({ n, nScored }: Pick<Scorecard, 'n' | 'nScored'>): boolean {
  return n > 0 && nScored === 0;
}

export const NOTHING_SCORED = section({ id: 'headline', title: 'Headline' }, [
  paragraph('No case was scored, so there are no metrics.', { tone: 'lead' }),
]);

/** That nothing was scored is said in place of the metrics. */
export function listMessages(warnings: readonly Warning[], card: Pick<Scorecard, 'n' | 'nScored'>): string[] {
  const isSaid = (name: string) => name === 'nothing_scored' && isEmpty(card);
  return warnings.flatMap(({ code: name, message }) => (isSaid(name) ? [] : [message]));
}

export function methodSection(text: string): Section {
  return section({ id: 'method', title: 'Method' }, [paragraph(text, { tone: 'small' })]);
}

export function cardSummary(
  source: string,
  card: Scorecard,
  positiveLabel: Label | null | undefined,
): string[] {
  const positive = positiveLabel == null ? '' : ` (positive: ${positiveLabel})`;
  const task = card.task === null ? '' : `, task ${card.task}${positive}`;
  return [`${source}: ${counted(card.n, 'case')}${task}`, ledgerText(card.ledger)];
}

/** That answers are old goes before every number. */
export function cachedSummary({ extras }: Partial<Pick<RunResult, 'extras'>>): string[] {
  const cached = extras === undefined ? null : cachedRepliesText(extras);
  return cached === null ? [] : [cached];
}
