import type { Score } from '../../core/score.ts';
import { leadingScores, usualEndpoint } from '../../metrics/act/leading-scores.ts';

type Named = Pick<Score, 'name' | 'value' | 'reason' | 'details' | 'facts'>;

/** The scores of the first screen: those that lead, then usable answers and confidence. Without any of them, the first scores there are. */
export function headlineScores<S extends Named>(scores: readonly S[], primary: string | null): readonly S[] {
  const shown = [
    ...new Set([...leadingScores(scores, primary ?? defaultEndpoint(scores)), ...following(scores)]),
  ];
  return shown.length > 0 ? shown : scores.slice(0, 6);
}

/** Whether replies could be used, and whether confidence means anything, strict and plain. */
function following<S extends Named>(scores: readonly S[]): S[] {
  const findPlace = ({ facts }: Named) => facts?.follows ?? Infinity;
  const own = scores.filter(({ facts }) => facts?.follows !== undefined);
  const standIns = scores.filter(
    ({ facts }) => facts?.standsInFor !== undefined && !own.some(({ name }) => name === facts.standsInFor),
  );
  return [...standIns, ...own.toSorted((a, b) => findPlace(a) - findPlace(b))];
}

/** The names of the scores that lead in any of several models, in order. */
export function leadingNames(models: readonly (readonly Named[])[], primary: string | null): string[] {
  const lists = models.map((scores) =>
    leadingScores(scores, primary ?? defaultEndpoint(scores)).map(({ name }) => name),
  );
  // The longest list has the places of all that the others lack.
  return [...new Set(lists.toSorted((a, b) => b.length - a.length).flat())];
}

function defaultEndpoint(scores: readonly Named[]): string {
  return usualEndpoint((name) => scores.some((score) => score.name === name && score.value !== null));
}
