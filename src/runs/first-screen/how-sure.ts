import { detectableDifference } from '../../analyses/detectable-difference/detectable-difference.ts';
import type { UnusableReplies } from '../../analyses/failures/failures.ts';
import { adviceText, forGood, replyText } from '../../analyses/failures/section.ts';
import { statusOfScore } from '../../metrics/act/confidence-status.ts';
import { scoredUnit } from '../../metrics/scored-unit.ts';
import { isHarmWarning } from '../../metrics/warning.ts';
import { decimals, whole } from '../../reports/charts/number-text.ts';
import { list, section, shown } from '../../reports/document/blocks.ts';
import type { Section } from '../../reports/document/document.ts';
import { counted, findScore } from '../../reports/words.ts';
import type { ScreenSubject } from './fit-screen.ts';

/** Warnings that a line of this section says already, or that say nothing about a decision. */
const SAID: ReadonlySet<string> = new Set([
  'few_rows',
  'ece_within_noise',
  'missing_confidence',
  'cached_replies',
  'unscored_rows',
  'nothing_scored',
  'invalid_rate_high',
  'stopped',
  'incomplete',
]);

/** How far the numbers can be relied on: sample size, calibration, failed, unreadable and cached replies, and what else a reader must know. */
export function howSure(
  subject: ScreenSubject,
  { most, more }: { readonly most: number; readonly more: string },
): Section | null {
  const warnings = subject.warnings
    .filter((warning) => !isHarmWarning(warning) && !SAID.has(warning.code))
    .map(({ message }) => message);
  const lines = [...failedLines(subject), ...sureLines(subject), ...warnings];
  if (lines.length === 0) return null;
  const left = lines.length - most;
  return section({ id: 'sure', title: 'HOW SURE' }, [
    list(left > 0 ? [...lines.slice(0, most), `${counted(left, 'more note')}: ${more}`] : lines),
  ]);
}

/** What failed, and why: before anything that rests on the rest. */
export function failedLines({
  failures = [],
  card,
  status = 'complete',
  stoppedBecause = null,
}: ScreenSubject): readonly string[] {
  const nUnscored = card.n - card.nScored;
  const causes = forGood(failures).filter(({ nRows }) => nRows > 0 || status !== 'complete');
  return shown([
    status === 'interrupted' && 'Interrupted: the numbers are of the cases that were answered.',
    status === 'running' && 'Still running: the numbers are of the cases that were answered.',
    status === 'waiting' && 'Waiting for bulk jobs: the numbers are of the answers that are here.',
    // The code of the cause is for programs.
    status === 'stopped' && `Stopped: ${stoppedBecause?.replace(/^[a-z_]+: /, '')}.`,
    nUnscored > 0 &&
      `${whole(nUnscored)} of ${counted(card.n, scoredUnit(card))} ${nUnscored === 1 ? 'has' : 'have'} no answer that can be scored.`,
    ...causes
      .slice(0, 2)
      .map(
        ({ example, ...failure }) =>
          `Failed: ${adviceText({ ...failure, example })}.${stoppedBecause?.includes(example ?? '') ? '' : exampleText(example)}`,
      ),
  ]);
}

function sureLines(subject: ScreenSubject): readonly string[] {
  const { card, unusableReplies = [] } = subject;
  return shown([
    sampleText(subject),
    card.nScored > 0 && calibrationText(subject),
    ...unusableReplies.slice(0, 1).map((replies) => unreadableText(replies)),
  ]);
}

/** Why replies could not be used, with one of them. */
export function unreadableText(replies: UnusableReplies): string {
  return `Unreadable, counted as wrong: ${replyText(replies)}.${exampleText(replies.example)}`;
}

/** One line, also of text without spaces. */
const MAX_EXAMPLE = 72;

function exampleText(example: string | null): string {
  if (example === null) return '';
  return ` For example: ${example.length > MAX_EXAMPLE ? `${example.slice(0, MAX_EXAMPLE)}...` : example}`;
}

/** From which difference two models can be told apart. */
function sampleText({ card, detectable, status, judging }: ScreenSubject): string | null {
  if (card.nScored === 0 || status === 'stopped_early') return null;
  const { n, differences } = detectable ?? detectableDifference(card.nIndependent, card.method.level);
  const { difference, discordant } = differences.at(-1)!;
  const disagree = `if models disagree on ${Math.round(100 * discordant)} %`;
  const unit = judging ? 'question' : 'case';
  const cases = `${whole(n)} ${n === 1 ? `${unit} shows` : `${unit}s show`}`;
  return difference === null
    ? `${cases} no difference from another model, ${disagree}.`
    : `${cases} differences of ${decimals(100 * difference, 1)} points or more, ${disagree}.`;
}

/** How stated confidence compares with the share that is right, and whether it orders answers. */
function calibrationText({ card }: Pick<ScreenSubject, 'card'>): string | null {
  const gap = findScore(card, 'overconfidence_strict');
  if (gap === undefined || (gap.value === null && gap.reason !== 'no_usable_confidence')) return null;
  if (gap.value === null) return 'No confidence was stated, so there is nothing to say of calibration.';
  const points = decimals(Math.abs(100 * gap.value), 1);
  const { interval } = gap;
  const isShown = interval !== null && (interval.lower > 0 || interval.upper < 0);
  const side = gap.value > 0 ? 'above' : 'below';
  const within =
    interval === null
      ? ''
      : ` (${decimals(100 * interval.lower, 1)} to ${decimals(100 * interval.upper, 1)})`;
  const auroc = findScore(card, 'auroc_confidence_strict');
  const status = auroc === undefined ? null : statusOfScore(auroc).status;
  const ranks =
    status === null
      ? ''
      : `; it ${RANKS[status]}${auroc?.value == null ? '' : ` (AUROC ${decimals(auroc.value, 2)})`}`;
  return `Confidence is ${points} points ${side} the share that is right${within}${isShown ? '' : ', which may be chance'}${ranks}.`;
}

const RANKS = {
  informative: 'is higher where the answer is right',
  uninformative: 'does not tell right from wrong',
  inverted: 'is higher where the answer is wrong',
} as const;
