import type { Score } from '../core/index.ts';
import type { SuiteBaseline } from '../results/index.ts';
import { bracketed, restsOn, whole } from './charts/number-text.ts';
import { shown } from './document/blocks.ts';
import { answerableOnly, firstScoresOf, headlineTitle, invalidBeside } from './headline-names.ts';
import { levelText, nullBandOf, number, range, why, yardsticks } from './words.ts';

/** A headline number, and everything that must be read beside it. */
export interface HeadlineCard {
  readonly score: Score;
  readonly title: string;
  readonly isPrimary: boolean;
  /** Interval, n, bounds, the noise floor, what the number says. */
  readonly lines: readonly string[];
  /** What needs no model: constant policies, then the baselines of the suite. */
  readonly beside: readonly { readonly name: string; readonly value: number }[];
}

interface CardParts {
  readonly scores: readonly Score[];
  readonly baselines: readonly SuiteBaseline[];
  /** The primary endpoint; null where there is none. */
  readonly primary: string | null;
}

/** The cards on the first screen of a run. */
export function firstCards(parts: CardParts): HeadlineCard[] {
  return firstScoresOf(parts.scores, parts.primary).map((score) => {
    const card = headlineCard(score, parts);
    const ofAnswered =
      score.name === 'answerable_accuracy' &&
      parts.scores.find(({ name, value }) => name === 'answerable_selective_accuracy' && value !== null);
    if (!ofAnswered) return card;
    const { value, interval, nSuccesses, nEvaluated } = ofAnswered;
    const text = `of those it answered: ${number(value)}${bracketed(interval)}, n = ${restsOn(nSuccesses, nEvaluated)}`;
    return { ...card, lines: [...card.lines, text] };
  });
}

/** A score as a card. */
export function headlineCard(score: Score, { scores, baselines, primary }: CardParts): HeadlineCard {
  const { value, interval, bounds } = score;
  const invalid = invalidBeside(scores, score, ({ nSuccesses }) => nSuccesses);
  const only = answerableOnly(scores, score, ({ nEvaluated }) => nEvaluated);
  const lines = [
    interval &&
      `${levelText(interval.level)} ${interval.method === 'anytime_valid' ? 'anytime-valid ' : ''}interval ${range(interval)}`,
    interval === null &&
      value !== null &&
      (score.intervalReason === 'no_valid_interval'
        ? 'no interval is valid for it: read it against chance'
        : `no interval: ${why(score.intervalReason)}`),
    `n = ${restsOn(score.nSuccesses, score.nEvaluated)}`,
    invalid !== null && `${whole(invalid)} invalid, counted as wrong`,
    only !== undefined && `answerable rows only: ${number(only.value)} (n = ${whole(only.nEvaluated)})`,
    bounds && `bounds with unscored rows ${range(bounds)}`,
    ...(value !== null && nullBandOf(score) !== null ? yardsticks(score) : []),
    value === null ? `no value: ${why(score.reason)}` : score.reads,
  ];
  return {
    score,
    title: headlineTitle(score),
    isPrimary: primary === score.name,
    lines: shown(lines).filter((line) => line !== ''),
    beside: [...policiesBeside(score.name, scores), ...baselinesBeside(score.name, baselines)],
  };
}

/** What always deferring and never deferring score, which follows from the labels alone. */
function policiesBeside(metric: string, scores: readonly Score[]): HeadlineCard['beside'] {
  const nOf = (name: string) => scores.find((score) => score.name === name)?.nEvaluated ?? 0;
  const [defer, labelled] = [nOf('deferral_recall'), nOf('decision_accuracy')];
  const [always, never] = ['always deferring', 'never deferring'];
  if (nOf(metric) === 0) return [];
  switch (metric) {
    case 'decision_accuracy':
      return labelled === 0 ? [] : [{ name: always, value: defer / labelled }];
    case 'answerable_accuracy':
    case 'unsafe_answer_rate':
      return labelled === 0 ? [] : [{ name: always, value: 0 }];
    case 'deferral_recall':
    case 'must_act_silence_rate':
      return [
        { name: never, value: 0 },
        { name: always, value: 1 },
      ];
    default:
      return [];
  }
}

function baselinesBeside(metric: string, baselines: readonly SuiteBaseline[]): HeadlineCard['beside'] {
  return baselines.flatMap(({ model, scores }) => {
    const value = scores[metric]?.value ?? null;
    return value === null ? [] : [{ name: model.replace('baseline/', ''), value }];
  });
}
