import type { RunPayload, ScoreLine } from '../api.ts';

/** What a number calls for. `harm`: harms above zero. `worse`: no harm, but worse than the suite's guideline. `plain`: nothing. */
export type CardState = 'harm' | 'worse' | 'plain';

/** Rules of the guideline, the one that defers where it should first. */
const GUIDELINES = ['baseline/guideline-defer', 'baseline/guideline'];

export function cardState(score: ScoreLine, baselines: RunPayload['baselines']): CardState {
  if (score.harm && (score.value ?? 0) > 0) return 'harm';
  return isWorseThanGuideline(score, baselines) ? 'worse' : 'plain';
}

/** False where either has no value. */
export function isWorseThanGuideline(
  { name, value, better }: ScoreLine,
  baselines: RunPayload['baselines'],
): boolean {
  const [guideline] = GUIDELINES.flatMap(
    (rule) => baselines.find(({ model }) => model === rule)?.scores[name]?.value ?? [],
  );
  if (value === null || better === null || guideline === undefined) return false;
  return better === 'lower' ? value > guideline : value < guideline;
}
