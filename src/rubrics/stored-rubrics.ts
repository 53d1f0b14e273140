import { Rubric } from './rubric.ts';

type ByName<T> = Record<string, T>;

/** What the manifest of a run holds of its rubrics. */
interface StoredRubrics {
  readonly rubrics: ByName<unknown> | null;
  readonly rubricsOf: ByName<string[]> | null;
  readonly aliasesOf: ByName<ByName<string[]>> | null;
}

/** What is stored of a question: its rubric, and other ways to state its items. */
interface RubricQuestion {
  readonly id: string;
  readonly rubric: Rubric;
  readonly aliases: Readonly<ByName<readonly string[]>>;
}

/** Rubrics by their hash, and which questions are judged by which, so that a run can be scored again without the file of questions. Adds to what the run holds already. */
export function rubricsManifest(
  questions: readonly RubricQuestion[],
  earlier: StoredRubrics = { rubrics: null, rubricsOf: null, aliasesOf: null },
): StoredRubrics {
  const rubrics = { ...earlier.rubrics };
  const rubricsOf = { ...earlier.rubricsOf };
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
    rubricsOf,
    aliasesOf: { ...earlier.aliasesOf, ...Object.fromEntries(aliases) },
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
  return (questionId) => (manifest.rubricsOf?.[questionId] ?? []).flatMap((hash) => rubrics.get(hash) ?? []);
}
