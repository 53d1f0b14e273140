import type { QuestionInput } from '../question-schema.ts';

/** An instruction, and phrases by which a judge without a model finds it. */
type Items = Readonly<Record<string, readonly string[]>>;

interface ClinicalQuestion {
  readonly id: string;
  readonly tags: readonly string[];
  readonly question: string;
  /** An answer of ours that asserts all required items and no forbidden one; tests hold it to that. */
  readonly reference: string;
  readonly trait: string;
  /** What is in scope, for the judge. */
  readonly scope: string;
  readonly required: Items;
  /** Without it the trait is `tp_only`. */
  readonly forbidden?: Items;
  readonly shouldAbstain?: boolean;
  readonly sources: readonly string[];
}

const COVERAGE = ['precision', 'recall', 'f1'];
const MATRIX = ['precision', 'recall', 'specificity', 'accuracy', 'f1'];

/** A question in the form of a file. Items stand beside their phrases here, so that neither can be changed without the other. */
export function clinicalQuestion(source: ClinicalQuestion): QuestionInput {
  const { id, question, reference, trait, scope, required, forbidden, sources, tags } = source;
  return {
    id,
    question,
    reference,
    rubric: {
      metric_traits: [
        {
          name: trait,
          description: scope,
          evaluation_mode: forbidden === undefined ? 'tp_only' : 'full_matrix',
          metrics: forbidden === undefined ? COVERAGE : MATRIX,
          tp_instructions: Object.keys(required),
          ...(forbidden === undefined ? {} : { tn_instructions: Object.keys(forbidden) }),
        },
      ],
    },
    tags: [...tags],
    should_abstain: source.shouldAbstain ?? false,
    sources: [...sources],
    aliases: Object.fromEntries(
      Object.entries({ ...required, ...forbidden }).map(([instruction, phrases]) => [
        instruction,
        [...phrases],
      ]),
    ),
  };
}
