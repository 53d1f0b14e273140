import type { Score } from '../../core/score.ts';
import { builtInMetric } from '../../metrics/registry.ts';
import { bracketed, whole } from '../../reports/charts/number-text.ts';
import { shown } from '../../reports/document/blocks.ts';
import type { Card } from '../../reports/document/document.ts';
import { levelText, number, range, readNullBand, unsafeParts, why, yardsticks } from '../../reports/words.ts';
import type { SuiteBaseline } from '../run-result.ts';
import { invalidBeside } from './headline-names.ts';

interface CardParts {
  readonly scores: readonly Score[];
  /** Those of the first screen, in order. */
  readonly headlines: readonly Score[];
  readonly baselines: readonly SuiteBaseline[];
  /** The primary endpoint; null where there is none. */
  readonly primary: string | null;
}

/** The cards on the first screen of a run. The card of a strict score names the plain one. */
export function firstCards(parts: CardParts): Card[] {
  const hasStrict = ({ name }: Score) => parts.headlines.some((score) => score.name === `${name}_strict`);
  return parts.headlines.filter((score) => !hasStrict(score)).map((score) => headlineCard(score, parts));
}

function headlineCard(score: Score, { scores, baselines, primary }: CardParts): Card {
  const { value, interval, bounds } = score;
  const isCount = score.nSuccesses != null && value !== null;
  const read = isCount ? `${number(value)}, ` : '';
  const invalid = invalidBeside(scores, score, ({ nSuccesses }) => nSuccesses);
  const lines = [
    interval &&
      `${read}${levelText(interval.level)} ${interval.method === 'anytime_valid' ? 'anytime-valid ' : ''}interval ${range(interval)}`,
    interval === null &&
      value !== null &&
      (score.intervalReason === 'no_valid_interval'
        ? `${read}no interval is valid for it: read it against chance`
        : `${read}no interval: ${why(score.intervalReason)}`),
    !isCount && `n = ${whole(score.nEvaluated)}`,
    unsafeParts(score),
    invalid !== null && `${whole(invalid)} unusable`,
    plainBeside(score, scores),
    bounds && `bounds with unscored cases ${range(bounds)}`,
    ...(value !== null && readNullBand(score) !== null ? yardsticks(score) : []),
    value === null ? `no value: ${why(score.reason)}` : score.reads,
  ];
  const known = builtInMetric(score.name);
  const metric = known?.name === score.name ? known : undefined;
  const better = metric?.better ?? null;
  const isHarm = metric?.harm === true && (value ?? 0) > 0;
  return {
    metric: score.name,
    better,
    state: isHarm ? 'harm' : isWorseThanGuideline(score, better, baselines) ? 'worse' : null,
    strip: makeStrip(score),
    title: score.label,
    value: isCount ? `${whole(score.nSuccesses!)} of ${whole(score.nEvaluated)}` : number(value),
    isPrimary: primary === score.name,
    lines: shown(lines).filter((line) => line !== ''),
    beside: [...policiesBeside(score), ...baselinesBeside(score.name, baselines)],
  };
}

/** Rules of the guideline, the one that defers where it should first. */
const GUIDELINES = ['baseline/guideline-defer', 'baseline/guideline'];

/** False where either has no value. */
function isWorseThanGuideline(
  { name, value }: Score,
  better: Card['better'],
  baselines: readonly SuiteBaseline[],
): boolean {
  const [guideline] = GUIDELINES.flatMap(
    (rule) => baselines.find(({ model }) => model === rule)?.scores[name]?.value ?? [],
  );
  if (value === null || better === null || guideline === undefined) return false;
  return better === 'lower' ? value > guideline : value < guideline;
}

function makeStrip(score: Score): Card['strip'] {
  const { value, interval } = score;
  if (value === null) return null;
  const { lower, upper } = interval ?? { lower: value, upper: value };
  const noise = readNullBand(score)?.null_p95 ?? null;
  return lower < 0 || upper > 1 ? null : { value, lower, upper, noise };
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
function policiesBeside({ nEvaluated, facts }: Score): Card['beside'] {
  if (nEvaluated === 0) return [];
  return Object.entries(facts?.constantPolicies ?? {}).flatMap(([policy, value]) =>
    value === undefined ? [] : [{ name: `${policy} deferring`, value }],
  );
}

function baselinesBeside(metric: string, baselines: readonly SuiteBaseline[]): Card['beside'] {
  return baselines.flatMap(({ model, scores }) => {
    const value = scores[metric]?.value ?? null;
    return value === null ? [] : [{ name: model.replace('baseline/', ''), value }];
  });
}
