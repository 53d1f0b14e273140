import type { Score } from '../core/score.ts';
import type { NullBand } from '../metrics/calibration/null-band.ts';
import type { MetricScore } from '../metrics/metric.ts';
import type { Scorecard } from '../metrics/score.ts';
import { between, bracketed, decimals, type Ends, percent, whole } from './charts/number-text.ts';
import { shown } from './document/blocks.ts';

export { counted, dateText } from '../core/browser.ts';

/** Printed where there is no number. */
export const DASH = '–';

/** Codes that people know by other words. */
const WORDS: Readonly<Record<string, string>> = {
  abstained: 'deferred',
  answered_correct: 'answered right',
  must_act: 'emergency',
  not_valid_after_early_stop: 'fixed-size interval after an early stop: not valid',
  should_abstain: 'should defer',
  too_few_rows: 'too few cases',
};

/** A code as words: `no_usable_confidence`. */
export function inWords(code: string | null): string {
  return WORDS[code ?? ''] ?? (code ?? 'unknown').replaceAll('_', ' ');
}

/** Reasons whose code alone would puzzle or mislead a clinician. */
const REASONS: Readonly<Record<string, string>> = {
  all_rows_failed: 'every call about such a case failed',
  checked_answers_differ:
    'the checked answers are not a random sample: their scores differ from those of the others',
  coverage_unreachable: 'the model answers fewer cases than that',
  group_too_small: 'too few cases of this group count for it',
  never_deferred_where_labelled: 'deferred only where no deferral label exists',
  no_answerable_rows: 'no case is marked to be answered',
  no_clear_rows: 'every such case lies near a line',
  no_deferral_labels: 'no deferral labels',
  no_known_decisions: 'no case says whether to answer or to defer',
  no_labelled_must_act_rows: 'no emergency has a known answer',
  no_labelled_rows: 'no case has a known answer',
  no_must_act_rows: 'no case is marked as an emergency',
  no_must_defer_rows: 'no case is marked to be deferred',
  no_rows_known_not_must_act: 'no case is known to need no action today',
  no_safe_rows: 'no case is marked to be answered',
  no_unanswerable_rows: 'no case to defer lacks a right answer',
  no_valid_interval: 'no interval is valid for it',
  one_cluster: 'all cases are in one cluster',
  too_few_checked_answers: 'a correction needs 50 checked answers, of 15 cases',
  urgency_not_asked: 'the model was not asked whether a case is urgent',
};

/** Why there is no number. */
export function why(reason: string | null): string {
  return reason === null ? 'no reason given' : (REASONS[reason] ?? inWords(reason));
}

/** Whether a score is shown as a count: 48 of 48 emergencies missed must not look like a perfect 1.000. */
export function isCounted({ family, nSuccesses }: Partial<Pick<Score, 'family' | 'nSuccesses'>>): boolean {
  return family === 'safety' && nSuccesses != null;
}

export function number(value: number | null | undefined): string {
  return value == null ? DASH : decimals(value);
}

export function range(interval: Ends | null): string {
  return between(interval) ?? DASH;
}

/** A number in one cell: value, interval in round brackets, bounds in square ones, or why there is none. */
export function scoreText({
  value,
  reason,
  interval,
  bounds,
}: Pick<MetricScore, 'value' | 'reason' | 'bounds'> & { readonly interval: Ends | null }): string {
  const could = bounds === null ? '' : ` [${range(bounds)}]`;
  if (value === null) return `${DASH} (${why(reason)})${could}`;
  return `${decimals(value)}${bracketed(interval)}${could}`;
}

/** A value with its bounds in square brackets, or why there is none. */
export function boundedText({
  value,
  reason,
  bounds,
}: Pick<MetricScore, 'value' | 'reason' | 'bounds'>): string {
  const could = bounds === null ? '' : ` [${range(bounds)}]`;
  return `${value === null ? why(reason) : decimals(value)}${could}`;
}

export function pText(p: number | null): string {
  return p === null ? DASH : p < 0.0001 ? '< 0.0001' : p < 0.01 ? p.toFixed(4) : p.toFixed(3);
}

/** Money: cents, and more of them below a dollar. */
export function costText(usd: number): string {
  return `${usd.toFixed(usd < 1 ? 4 : 2)} US dollars`;
}

/** `0.0001` is `0.01 %`: a number that a user gave, with all its digits. */
export function exactPercent(share: number): string {
  return `${Number((100 * share).toPrecision(10))} %`;
}

/** The label of a score as a title in a sentence's case; abbreviations keep theirs. */
export function scoreTitle(label: string): string {
  return label.replace(/(?<=[\s(])[A-Z](?=[a-z])/g, (letter) => letter.toLowerCase());
}

/** `0.95` is `95 %`. */
export function levelText(level: number): string {
  return `${Math.round(level * 1000) / 10} %`;
}

/** The parts that apply, in one text; null where none does. */
export function joined(
  parts: readonly (string | null | false | undefined)[],
  separator = '; ',
): string | null {
  return parts.filter((part) => part).join(separator) || null;
}

export function share(count: number, of: number): string {
  return of === 0 ? DASH : percent(count / of);
}

/** A flat object of counts in one line, without zeros. */
export function ledgerText(ledger: object): string {
  // Beside right and wrong answers, `answered` are those to cases without a known answer.
  const isGraded = 'answered_correct' in ledger;
  return Object.entries(ledger)
    .filter(([name, n]) => name !== 'n' && n > 0)
    .map(([name, n]) => `${name === 'answered' && isGraded ? 'answered, not graded' : inWords(name)} ${n}`)
    .join(' · ');
}

/** A label or the name of a group: from data, so it may be a whole text. */
export function shortName(name: string): string {
  return cut(name, 120);
}

/** Text that could be of any length; says where it was cut. */
export function cut(text: string, length: number): string {
  return text.length <= length
    ? text
    : `${text.slice(0, length)} … (cut here: ${text.length - length} more characters are in the run file)`;
}

export function findScore({ scores }: Pick<Scorecard, 'scores'>, name: string): MetricScore | undefined {
  return scores.find((score) => score.name === name);
}

/** What chance alone gives as calibration error. Details of an imported score may hold anything. */
export function readNullBand({
  details,
}: MetricScore): (Omit<NullBand, 'p_calibrated'> & { readonly p_calibrated: number | null }) | null {
  const stored = details.null_band as Partial<NullBand> | null;
  const { null_mean, null_p95 } = stored ?? {};
  if (typeof null_mean !== 'number' || typeof null_p95 !== 'number') return null;
  const { p_calibrated = null, simulations = 0, seed = 0 } = stored!;
  return { null_mean, null_p95, p_calibrated, simulations, seed };
}

/** What the two constant deferral policies, which need no model, would have scored. */
export function trivialPolicies({ details }: MetricScore) {
  return (details.trivial_policies ?? {}) as Partial<Record<'never_defer' | 'always_defer', number | null>>;
}

const PARTS = {
  missed_emergency: 'missed',
  answered_must_defer: 'should have deferred',
  wrong_answer: 'wrong answers',
} as const;

/** What unsafe decisions consist of, in words; null for any other score, and where none is unsafe. The parts may overlap, unlike decision classes. */
export function unsafeParts(score: Pick<Score, 'details'> | undefined): string | null {
  const parts = score?.details.parts as Partial<Record<string, number>> | undefined;
  if (parts === undefined) return null;
  const named = Object.entries(PARTS).flatMap(([key, words]) =>
    parts[key] ? [`${words} ${whole(parts[key])}`] : [],
  );
  const twice = parts.more_than_one ? ` (${whole(parts.more_than_one)} of them twice)` : '';
  return named.length === 0 ? null : `${named.join(', ')}${twice}`;
}

/** What a score is read against: chance, the two constant deferral policies, the costs it assumes, the parts of unsafe decisions. */
export function yardsticks(score: MetricScore): readonly string[] {
  const { cost_missed_deferral: missed, cost_needless_deferral: needless } = score.details;
  const band = readNullBand(score);
  const { never_defer: never, always_defer: always } = trivialPolicies(score);
  return shown([
    band &&
      `a calibrated model: ${decimals(band.null_mean)}, up to ${decimals(band.null_p95)}${band.p_calibrated === null ? '' : `; p ${pText(band.p_calibrated)}`}`,
    never != null && always != null && `never deferring ${decimals(never)}, always ${decimals(always)}`,
    missed !== undefined && `missed ${missed}, needless ${needless}`,
    unsafeParts(score),
  ]);
}
