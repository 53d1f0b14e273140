import { Rubric } from '../rubrics/index.ts';
import type { Question } from '../suites/index.ts';
import type { Manifest } from './run-file.ts';

/** Rubrics by their hash, and which questions are judged by which, as the run file keeps them: so that it can be scored again without the file of questions. */
export function rubricsManifest(questions: readonly Question[], earlier: Manifest = {}): Manifest {
  const rubrics = { ...((earlier.rubrics as Record<string, unknown> | undefined) ?? {}) };
  const rubricsOf = { ...((earlier.rubrics_of as Record<string, readonly string[]> | undefined) ?? {}) };
  for (const { id, rubric } of questions) {
    rubrics[rubric.hash] ??= rubric.toJSON();
    rubricsOf[id] = [...new Set([...(rubricsOf[id] ?? []), rubric.hash])];
  }
  const aliasesOf = {
    ...((earlier.aliases_of as Record<string, unknown> | undefined) ?? {}),
    ...Object.fromEntries(
      questions.flatMap(({ id, aliases }) => (Object.keys(aliases).length > 0 ? [[id, aliases]] : [])),
    ),
  };
  return { rubrics, rubrics_of: rubricsOf, aliases_of: aliasesOf };
}

/** The rubrics that a question of a run was judged by, in the order in which they were added. */
export function storedRubrics(manifest: Manifest): (questionId: string) => readonly Rubric[] {
  const rubrics = new Map(
    Object.entries((manifest.rubrics as Record<string, unknown> | undefined) ?? {}).map(([hash, object]) => [
      hash,
      Rubric.parse(object, `rubric ${hash.slice(0, 8)}`),
    ]),
  );
  const rubricsOf = (manifest.rubrics_of as Record<string, readonly string[]> | undefined) ?? {};
  return (questionId) => (rubricsOf[questionId] ?? []).flatMap((hash) => rubrics.get(hash) ?? []);
}
