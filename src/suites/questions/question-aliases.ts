import { nearNames, quoted } from '../../core/index.ts';
import type { Rubric } from '../../rubrics/index.ts';
import type { CheckedQuestions } from './check-questions.ts';
import type { Path, QuestionSource } from './question-source.ts';

type Aliases = Readonly<Record<string, readonly string[]>>;

/** The phrases for a rubric's instructions: those of all questions first, then the question's own. */
export function aliasesOf(rubric: Rubric, given: readonly Aliases[]): Aliases {
  const known = instructionsOf(rubric);
  const merged = new Map<string, string[]>();
  for (const [typed, phrases] of given.flatMap((aliases) => Object.entries(aliases))) {
    const instruction = typed.trim();
    if (known.has(instruction)) merged.set(instruction, [...(merged.get(instruction) ?? []), ...phrases]);
  }
  return Object.fromEntries(
    [...merged].map(([instruction, phrases]) => [instruction, [...new Set(phrases)]]),
  );
}

/** Phrases for an instruction that no rubric has would never be looked for: a typo. */
export function strayAliases(
  checked: CheckedQuestions,
  questions: readonly { readonly rubric: Rubric }[],
  global: Rubric,
  source: QuestionSource,
): string[] {
  const everywhere = new Set(
    [global, ...questions.map(({ rubric }) => rubric)].flatMap((rubric) => [...instructionsOf(rubric)]),
  );
  return [
    ...strays(checked.aliases, everywhere, ['aliases'], source),
    ...checked.questions.flatMap(({ aliases }, i) =>
      strays(aliases, instructionsOf(questions[i]!.rubric), ['questions', i, 'aliases'], source),
    ),
  ];
}

function strays(aliases: Aliases, known: ReadonlySet<string>, path: Path, source: QuestionSource): string[] {
  return Object.keys(aliases)
    .filter((typed) => !known.has(typed.trim()))
    .map((typed) => {
      const [near] = nearNames(typed.trim(), [...known]);
      const hint = near === undefined ? 'write it as the rubric has it' : `did you mean ${quoted(near)}?`;
      return `${source.place([...path, typed])}: aliases for ${quoted(typed)}, which is not an instruction of its rubric; ${hint}`;
    });
}

function instructionsOf(rubric: Rubric): Set<string> {
  return new Set(
    rubric.metricTraits.flatMap(({ tpInstructions, tnInstructions }) => [
      ...tpInstructions,
      ...tnInstructions,
    ]),
  );
}
