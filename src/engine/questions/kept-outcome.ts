import { oncePer } from '../../core/collections.ts';
import type { VisibleRecord } from '../../models/backend.ts';
import type { Claim } from '../../rubrics/judge/claims.ts';
import type { JudgeOutcome } from '../../rubrics/judge/judge-outcome.ts';
import type { VerifiedQuote } from '../../rubrics/verdict.ts';
import type { Question } from '../../suites/questions/question-suite.ts';
import { isWithheld, type TextPolicy } from '../kept-reply.ts';
import { foldedWords, scrub } from '../scrub.ts';

/** What is stored of a judgement: by a judge, by the user's functions, or as lists of the second protocol. */
export interface Outcome extends Partial<JudgeOutcome> {
  /** Null where they could not be listed. */
  readonly claims?: readonly Claim[] | null;
  readonly buckets?: readonly {
    readonly trait: string;
    readonly lists: Readonly<Record<string, readonly string[]>> | null;
    readonly reason: string | null;
  }[];
}

/**
 * A judgement as the store may have it. About protected records a quote is its offsets, the lists of the second protocol are their lengths, and of what functions of the user's own gave, flags
 * and numbers are kept; with `keepText` texts are kept, with the question's words blocked out.
 */
export function keptOutcome(outcome: Outcome, question: Question, policy: TextPolicy): object {
  if (!policy.isProtected) return outcome;
  const form = isWithheld(policy) ? WITHHELD : blockedOut(question);
  const { items, llmTraits } = question.rubric.judgeQuestions();
  const asked = new Set([
    ...items.map(({ id }) => id),
    ...llmTraits.map(({ name }) => name),
    ...question.rubric.traitNames(),
  ]);
  const known = (name: string | null) => (name !== null && asked.has(name) ? name : null);
  return {
    ...outcome,
    ...(outcome.verdicts && {
      verdicts: outcome.verdicts.map((verdict) => ({
        ...verdict,
        quotes: verdict.quotes.flatMap(form.quote),
        ...(verdict.value !== undefined && { value: form.text(verdict.value).value }),
        ...(verdict.explanation != null && { explanation: form.text(verdict.explanation).value }),
      })),
    }),
    ...(outcome.traits && {
      traits: outcome.traits.map(({ explanation, quotes, ...trait }) => ({
        ...trait,
        ...(typeof trait.value === 'string' &&
          !isClass(question, trait.name, trait.value) &&
          form.text(trait.value)),
        ...(explanation != null && { explanation: form.text(explanation).value }),
        ...(quotes && { quotes: quotes.flatMap(form.quote) }),
      })),
    }),
    ...(outcome.problems && {
      // A judge can name what it was not asked for: that is text of its own.
      problems: outcome.problems.map((problem) => ({
        ...problem,
        id: known(problem.id),
        trait: known(problem.trait),
      })),
    }),
    // Claims are words of the answer.
    ...(outcome.claims && { claims: outcome.claims.map(({ verdict }) => ({ verdict })) }),
    ...(outcome.buckets && {
      buckets: outcome.buckets.map((bucket) => ({
        ...bucket,
        lists: bucket.lists && form.lists(bucket.lists),
      })),
    }),
  };
}

const WITHHELD: ReturnType<typeof blockedOut> = {
  quote: ({ start, end }) => (start === null ? [] : [{ start, end }]),
  text: () => ({ value: null, reason: 'text_withheld' }),
  lists: (lists) => {
    const numbers = new Map<string, number>();
    // The same entry again has the same number: some traits count different entries only.
    const entry = (text: string) => {
      const key = text.trim().toLowerCase();
      if (key === '') return '';
      if (!numbers.has(key)) numbers.set(key, numbers.size + 1);
      return `entry ${numbers.get(key)}`;
    };
    return Object.fromEntries(Object.entries(lists).map(([name, entries]) => [name, entries.map(entry)]));
  },
};

/** How quotes, texts and lists are stored with the question's words blocked out. */
function blockedOut(question: Question) {
  const scrubbed = (text: string) => scrub(text, [toRecord(question)], keptWords(question));
  return {
    quote: ({ text, ...place }: VerifiedQuote): object[] => [{ text: scrubbed(text), ...place }],
    text: (value: string): { value: string | null; reason: string | null } => ({
      value: scrubbed(value),
      reason: null,
    }),
    lists: (lists: Readonly<Record<string, readonly string[]>>) =>
      Object.fromEntries(Object.entries(lists).map(([name, entries]) => [name, entries.map(scrubbed)])),
  };
}

/** A trait whose values are a closed list says nothing but one of them. */
function isClass(question: Question, name: string, value: string): boolean {
  return question.rubric.llmTraits.some(
    (trait) => trait.name === name && trait.kind === 'literal' && trait.classes.includes(value),
  );
}

/** What a model is shown of a question; one object for each, so that what is looked for in answers is worked out once. */
export const toRecord = oncePer(
  ({ id, question }: Pick<Question, 'id' | 'question'>): VisibleRecord => ({
    id,
    features: { question },
  }),
);

const listWords = oncePer(
  (rubric: Question['rubric']): ReadonlySet<string> => foldedWords(JSON.stringify(rubric.toJSON())),
);

/** Words of the rubric: an answer without them could not be judged again. */
export function keptWords({ rubric }: Pick<Question, 'rubric'>): ReadonlySet<string> {
  return listWords(rubric);
}
