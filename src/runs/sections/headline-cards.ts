import type { Score } from '../../core/index.ts';
import { bracketed, whole } from '../../reports/charts/number-text.ts';
import { shown } from '../../reports/document/blocks.ts';
import {
  isCounted,
  levelText,
  nullBandOf,
  number,
  range,
  unsafeParts,
  why,
  yardsticks,
} from '../../reports/words.ts';
import type { SuiteBaseline } from '../run-result.ts';
import { invalidBeside } from './headline-names.ts';

/** A headline number, and everything that must be read beside it. */
export interface HeadlineCard {
  readonly score: Score;
  readonly title: string;
  /** Counts for harms and costs, a number for anything else. */
  readonly value: string;
  readonly isPrimary: boolean;
  /** Interval, n, bounds, the noise floor, what the number says. */
  readonly lines: readonly string[];
  /** What needs no model: constant policies, then the baselines of the suite. */
  readonly beside: readonly { readonly name: string; readonly value: number }[];
}

interface CardParts {
  readonly scores: readonly Score[];
  /** Those of the first screen, in order. */
  readonly headlines: readonly Score[];
  readonly baselines: readonly SuiteBaseline[];
  /** The primary endpoint; null where there is none. */
  readonly primary: string | null;
}

/** The cards on the first screen of a run. The card of a strict score names the plain one. */
export function firstCards(parts: CardParts): HeadlineCard[] {
  const hasStrict = ({ name }: Score) => parts.headlines.some((score) => score.name === `${name}_strict`);
  return parts.headlines.filter((score) => !hasStrict(score)).map((score) => headlineCard(score, parts));
}

function headlineCard(score: Score, { scores, baselines, primary }: CardParts): HeadlineCard {
  const { value, interval, bounds } = score;
  const isCount = isCounted(score) && value !== null;
  const invalid = invalidBeside(scores, score, ({ nSuccesses }) => nSuccesses);
  const lines = [
    interval &&
      `${isCount ? `${number(value)}, ` : ''}${levelText(interval.level)} ${interval.method === 'anytime_valid' ? 'anytime-valid ' : ''}interval ${range(interval)}`,
    interval === null &&
      value !== null &&
      (score.intervalReason === 'no_valid_interval'
        ? 'no interval is valid for it: read it against chance'
        : `no interval: ${why(score.intervalReason)}`),
    !isCount && restsOnText(score),
    unsafeParts(score),
    invalid !== null && `${whole(invalid)} unusable`,
    plainBeside(score, scores),
    bounds && `bounds with unscored rows ${range(bounds)}`,
    ...(value !== null && nullBandOf(score) !== null ? yardsticks(score) : []),
    value === null ? `no value: ${why(score.reason)}` : score.reads,
  ];
  return {
    score,
    title: score.label,
    value: isCount ? `${whole(score.nSuccesses!)} of ${whole(score.nEvaluated)}` : number(value),
    isPrimary: primary === score.name,
    lines: shown(lines).filter((line) => line !== ''),
    beside: [...policiesBeside(score), ...baselinesBeside(score.name, baselines)],
  };
}

/** `121 of 148` for a share, `n = 148` for anything else. */
function restsOnText({ nSuccesses, nEvaluated }: Score): string {
  return nSuccesses == null ? `n = ${whole(nEvaluated)}` : `${whole(nSuccesses)} of ${whole(nEvaluated)}`;
}

/** A strict score is read beside the plain one, in which a right answer counts even where the case should have been deferred. */
function plainBeside({ name }: Score, scores: readonly Score[]): string | null {
  if (!name.endsWith('_strict')) return null;
  const plain = scores.find((score) => score.name === name.replace(/_strict$/, ''));
  return plain?.value == null
    ? null
    : `${number(plain.value)}${bracketed(plain.interval)} if answers that should have been deferred count as right`;
}

/** What always deferring and never deferring score, which follows from the labels alone. */
function policiesBeside({ nEvaluated, facts }: Score): HeadlineCard['beside'] {
  if (nEvaluated === 0) return [];
  return Object.entries(facts?.constantPolicies ?? {}).flatMap(([policy, value]) =>
    value === undefined ? [] : [{ name: `${policy} deferring`, value }],
  );
}

function baselinesBeside(metric: string, baselines: readonly SuiteBaseline[]): HeadlineCard['beside'] {
  return baselines.flatMap(({ model, scores }) => {
    const value = scores[metric]?.value ?? null;
    return value === null ? [] : [{ name: model.replace('baseline/', ''), value }];
  });
}
