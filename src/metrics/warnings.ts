import { counted } from '../core/wording.ts';
import { MIN_LABELS, MIN_QUESTIONS } from '../statistics/methods/corrected-mean.ts';
import { statusOfScore } from './act/confidence-status.ts';
import type { MissedBy } from './act/tally-decisions.ts';
import type { NullBand } from './calibration/null-band.ts';
import type { MetricScore } from './metric.ts';
import type { Scorecard } from './score.ts';
import { type ScoredUnit, scoredUnit } from './scored-unit.ts';
import type { Warning } from './warning.ts';

const FEW_FOR_COMPARISON = 400;
const HIGH_INVALID_RATE = 0.05;

function failedText({ name, details }: MetricScore): string {
  const article = /^[AEIOU]/.test(String(details.error)) ? 'an' : 'a';
  const place = details.at ? ` at ${details.at}` : '';
  return `The metric ${name} threw ${article} ${details.error}${place} and has no value; the other metrics are not affected.`;
}

/** What a correction rests on, or why there is none. */
function correctionWarning({ value, reason, nEvaluated, details }: MetricScore): [string, string] {
  const checks = counted(nEvaluated, 'checked answer');
  if (value !== null)
    return [
      'corrected_if_random',
      `The corrected score rests on ${checks}. It holds if they are a random sample of all answers, which Krisis cannot see, and if people do not err.`,
    ];
  const alike = details.checked_like_others as { checked: number; others: number } | null;
  const why =
    reason === 'checked_answers_differ'
      ? `they are not a random sample: their mean score is ${alike!.checked.toFixed(3)}, and that of the other answers ${alike!.others.toFixed(3)} (p below 0.001). Score the cases they were drawn from in a file of their own`
      : reason === 'too_few_checked_answers'
        ? `a correction needs ${MIN_LABELS}, of ${MIN_QUESTIONS} cases`
        : 'they give no estimate';
  return ['not_corrected', `Scores are not corrected by ${checks}: ${why}.`];
}

/** The warnings that belong to a scorecard. `hasPrompt` is false where rules or functions answered: there is no prompt to check. */
export function warningsFor(
  card: Scorecard,
  { hasPrompt = true }: { readonly hasPrompt?: boolean } = {},
): Warning[] {
  const score = (name: string): MetricScore | undefined => card.scores.find((found) => found.name === name);
  const { warnings, warn } = collector();
  // What could harm a patient comes before what qualifies the numbers.
  warnings.push(...harmWarnings(card));
  const unit = scoredUnit(card);
  const nUnscored = card.n - card.nScored;
  if (nUnscored > 0)
    warn(
      'unscored_rows',
      `${counted(nUnscored, unit)} failed or never ran and ${nUnscored === 1 ? 'is' : 'are'} not scored${card.nScored === 0 ? '' : '; bounds show what they could have changed'}.`,
    );
  if (card.nScored === 0) {
    warn('nothing_scored', 'No case can be scored, so there are no values.');
    return warnings;
  }
  for (const failed of card.scores.filter(({ reason }) => reason === 'metric_failed'))
    warn('metric_failed', failedText(failed));
  if (card.nContradictions > 0) {
    warn(
      'act_and_defer',
      `${counted(card.nContradictions, unit)} ${card.nContradictions === 1 ? 'is' : 'are'} marked both to be acted upon and to be deferred; the deferral label is ignored.`,
    );
  }
  if (card.nIndependent < FEW_FOR_COMPARISON) {
    warn(
      'few_rows',
      `Only ${counted(card.nIndependent, 'case')}: at least ${FEW_FOR_COMPARISON} are needed to compare models, and 1,000 for a headline table.`,
    );
  }
  if (card.method.cluster !== null) {
    warn(
      'clustered',
      card.method.cluster === 'call'
        ? 'Several cases shared a prompt, so their answers may depend on each other: every interval takes calls, not cases, as independent.'
        : unit === 'answer'
          ? 'Answers to the same case may depend on each other: every interval takes them together.'
          : `Cases with the same ${card.method.cluster} may depend on each other: every interval takes them together.`,
    );
  }
  if (card.nWithoutLabel > 0) {
    warn(
      'rows_without_label',
      `${counted(card.nWithoutLabel, unit)} ${card.nWithoutLabel === 1 ? 'has' : 'have'} neither a label nor should_abstain: true. Metrics that need a label leave them out.`,
    );
  }
  const corrected = score('corrected_score');
  if (corrected !== undefined) warn(...correctionWarning(corrected));
  const invalid = score('invalid_rate')?.value ?? 0;
  if (invalid > HIGH_INVALID_RATE) {
    warn(
      'invalid_rate_high',
      `${percent(invalid)} of cases have no usable answer; they count as wrong.${hasPrompt ? ' Check the prompt or the parser before blaming the model.' : ''}`,
    );
  }
  if (card.nInvalidConfidence > 0) {
    warn(
      'invalid_confidence',
      `${counted(card.nInvalidConfidence, unit)} state a confidence outside 0 to 1: treated as missing (percentages? state that their scale is 100).`,
    );
  }
  if (card.nMissingConfidence > 0) {
    const usable = score('expected_calibration_error')?.nEvaluated ?? 0;
    const rest =
      usable === 0
        ? 'there is nothing to say about calibration'
        : `calibration speaks of the other ${usable} only`;
    warn(
      'missing_confidence',
      `${unit === 'case' ? `${counted(card.nMissingConfidence, unit)} answered` : counted(card.nMissingConfidence, unit)} without a confidence: ${rest}.`,
    );
  }
  const ece = score('expected_calibration_error');
  const band = ece?.details.null_band as NullBand | null | undefined;
  if (ece?.value != null && band && ece.value <= band.null_p95) {
    warn(
      'ece_within_noise',
      `ECE ${round(ece.value)} may be chance: perfect calibration gives up to ${round(band.null_p95)} here (p = ${round(band.p_calibrated)}).`,
    );
  }
  const trivial = trivialAlignment(score('deferral_alignment'));
  if (trivial !== null) warn('alignment_trivial', trivial);
  if (card.scores.some((found) => found.reason === 'positive_label_not_given')) {
    warn(
      'positive_label_not_given',
      'Detection metrics need to know which label means that the condition is present: give the positive label.',
    );
  }
  return warnings;
}

/** What is said of deferrals that are no better than a policy that reads no case; null where they are. */
function trivialAlignment(alignment: MetricScore | undefined): string | null {
  const trivial = alignment?.details.trivial_policies as
    | { never_defer: number | null; always_defer: number | null }
    | undefined;
  if (alignment?.value == null || trivial?.never_defer == null || trivial.always_defer == null) return null;
  const best = Math.max(trivial.never_defer, trivial.always_defer);
  if (alignment.value > best) return null;
  const policy = trivial.never_defer >= trivial.always_defer ? 'never deferring' : 'always deferring';
  return `Deferral alignment ${round(alignment.value)} is no better than ${policy} (${round(best)}).`;
}

/** A list of warnings, and how to add one. */
export function collector(): { warnings: Warning[]; warn: (code: string, message: string) => void } {
  const warnings: Warning[] = [];
  return { warnings, warn: (code, message) => warnings.push({ code, message }) };
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}

function round(value: number): string {
  return value.toFixed(3);
}

/** Above this share a harm or a cost is named in words; the recommended gate has the same limits. A missed emergency always is. */
const NOTABLE_SHARE = 0.1;

const HOW_MISSED: Readonly<Record<keyof MissedBy, string>> = {
  deferred: 'deferred',
  refused: 'refused',
  unreadable: 'unreadable',
  answered: 'answered without a flag',
};

/**
 * What a model did that can harm a patient or make it useless, in words, the gravest first. A model without a fault gets none.
 *
 * @example
 * ```ts
 * const rows = [evaluationResult({ groundTruth: 1, abstained: true, urgent: false, metadata: { must_act: true } })];
 * harmWarnings(scoreTable(buildTable(rows))).map(({ message }) => message) // => ['Missed 1 of 1 emergencies: 1 deferred.']
 * ```
 */
export function harmWarnings(card: Scorecard): Warning[] {
  const { scores, nTwoAnswers, nQuotedAnswers } = card;
  const unit = scoredUnit(card);
  const find = (name: string) => scores.find((score) => score.name === name);
  return [
    missedEmergencies(find('missed_emergency_rate'), find('must_act_silence_rate'), unit),
    ...notable(scores, unit),
    overconfidence(find('overconfidence_strict')),
    uselessConfidence(find('auroc_confidence_strict')),
    unusableReplies('two_answers', nTwoAnswers, 'two different answers'),
    unusableReplies('quoted_from_record', nQuotedAnswers, 'no answer but one quoted from the case'),
  ].flatMap((warning) => warning ?? []);
}

function missedEmergencies(
  missed: MetricScore | undefined,
  silent: MetricScore | undefined,
  unit: ScoredUnit,
): Warning | null {
  const score = missed?.reason === 'urgency_not_asked' ? silent : missed;
  if (score === undefined) return null;
  if (score.reason === 'all_rows_failed')
    return {
      code: 'emergencies_unknown',
      message: 'Every call about an emergency failed, so it is unknown whether the model misses any.',
    };
  const count = score.nSuccesses ?? 0;
  if (score.value === null || count === 0) return null;
  const by = score.details.missed_by as Readonly<MissedBy> | undefined;
  const isByLabel = score.details.emergency_rule === 'label';
  const how = Object.entries(HOW_MISSED).flatMap(([key, words]) => {
    const n = by?.[key as keyof MissedBy] ?? 0;
    return n === 0
      ? []
      : [`${n} ${isByLabel && key === 'answered' ? 'answered with a milder label' : words}`];
  });
  const parts = how.length === 0 ? '' : `: ${how.join(', ')}`;
  return {
    code: 'missed_emergencies',
    message:
      unit === 'case'
        ? `Missed ${count} of ${score.nEvaluated} emergencies${parts}.`
        : `Missed emergencies in ${count} of ${score.nEvaluated} answers${parts}.`,
  };
}

/** In the order in which they lead. */
function notable(scores: readonly MetricScore[], unit: ScoredUnit): Warning[] {
  const named = scores.toSorted((a, b) => (a.facts?.leads ?? Infinity) - (b.facts?.leads ?? Infinity));
  return named.flatMap(({ facts, value, nSuccesses, nEvaluated }) => {
    if (!facts?.notable || value === null || value <= NOTABLE_SHARE) return [];
    const { code, did, ofWhat } = facts.notable;
    const of =
      unit === 'case'
        ? ofWhat
        : ofWhat.replace(/^cases(?= )/, 'answers to cases').replace(/^cases$/, 'answers');
    const share = `${nSuccesses} of ${nEvaluated} ${of} (${(100 * value).toFixed(1)} %)`;
    return [{ code, message: `${did[0]!.toUpperCase()}${did.slice(1)}: ${share}.` }];
  });
}

function overconfidence(score: MetricScore | undefined): Warning | null {
  const { value = null, interval } = score ?? {};
  if (value === null || !interval || interval.lower <= NOTABLE_SHARE) return null;
  return {
    code: 'overconfident',
    message: `Stated confidence is ${Math.round(100 * value)} points higher than the share that is right.`,
  };
}

function uselessConfidence(score: MetricScore | undefined): Warning | null {
  if (score === undefined) return null;
  const { warning } = statusOfScore(score);
  if (warning === 'confidence_inverted')
    return {
      code: warning,
      message: 'Confidence is inverted: it is higher where the model is wrong than where it is right.',
    };
  if (warning === 'confidence_uninformative')
    return { code: warning, message: 'Confidence does not tell right answers from wrong ones.' };
  return null;
}

/** A note may have planted an answer, or the model changed its mind: how often must be seen first. */
function unusableReplies(code: string, n: number, held: string): Warning | null {
  if (n === 0) return null;
  const counted = n === 1 ? '1 reply' : `${n} replies`;
  return {
    code,
    message: `${counted} held ${held} (${code}), and ${n === 1 ? 'counts' : 'count'} as wrong.`,
  };
}
