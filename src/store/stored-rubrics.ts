import { Rubric } from '../rubrics/index.ts';
import type { Question } from '../suites/index.ts';
import type { Manifest, ManifestUpdate } from './manifest.ts';

type StoredRubrics = Pick<Manifest, 'rubrics' | 'rubrics_of' | 'aliases_of'>;

/** Rubrics by their hash, and which questions are judged by which, so that a run can be scored again without the file of questions. Adds to what the run holds already. */
export function rubricsManifest(
  questions: readonly Question[],
  earlier: StoredRubrics = { rubrics: null, rubrics_of: null, aliases_of: null },
): Pick<ManifestUpdate, keyof StoredRubrics> {
  const rubrics = { ...earlier.rubrics };
  const rubricsOf = { ...earlier.rubrics_of };
  for (const { id, rubric } of questions) {
    rubrics[rubric.hash] ??= rubric.toJSON();
    rubricsOf[id] = [...new Set([...(rubricsOf[id] ?? []), rubric.hash])];
  }
  const aliases = questions.flatMap(({ id, aliases }) =>
    Object.keys(aliases).length > 0
      ? [[id, Object.fromEntries(Object.entries(aliases).map(([item, ways]) => [item, [...ways]]))] as const]
      : [],
  );
  return {
    rubrics,
    rubrics_of: rubricsOf,
    aliases_of: { ...earlier.aliases_of, ...Object.fromEntries(aliases) },
  };
}

/** The rubrics that a question of a run was judged by, in the order in which they were added. */
export function storedRubrics(manifest: StoredRubrics): (questionId: string) => readonly Rubric[] {
  const rubrics = new Map(
    Object.entries(manifest.rubrics ?? {}).map(([hash, object]) => [
      hash,
      Rubric.parse(object, `rubric ${hash.slice(0, 8)}`),
    ]),
  );
  return (questionId) => (manifest.rubrics_of?.[questionId] ?? []).flatMap((hash) => rubrics.get(hash) ?? []);
}
