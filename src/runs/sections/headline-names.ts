import type { MetricFacts } from '../../core/score.ts';

const USABLE = 'usable_answer_rate';

interface Named {
  readonly name: string;
  readonly value: number | null;
  readonly facts?: MetricFacts | undefined;
}

/**
 * The score of a headline or a column. Files of other frameworks have no share of usable answers:
 * their answer rate, which includes invalid replies, takes its place.
 */
export function shownScore<S extends Named>(scores: readonly S[], name: string): S | undefined {
  return (
    scores.find((score) => score.name === name) ?? scores.find(({ facts }) => facts?.standsInFor === name)
  );
}

/** How many replies were invalid or refused, shown beside the usable answers; null beside any other score, and where there are none. */
export function invalidBeside<S extends Named>(
  scores: readonly S[],
  { name, facts }: Named,
  countOf: (score: S) => number | null | undefined,
): number | null {
  if (name !== USABLE && facts?.standsInFor !== USABLE) return null;
  const found = scores.find((score) => score.name === 'invalid_rate');
  return (found && countOf(found)) || null;
}
