import { parseQuestionSuite } from '../src/suites/questions/question-suite.ts';
import { judgeOf, runInto, textBackend } from './question-run-fixture.ts';

/** Questions whose items have points, harm grades, axes, a critical flag and a typed check. */
export const WEIGHTED_SUITE = parseQuestionSuite({
  name: 'unit/weighted',
  sensitivity: 'synthetic',
  rubric: { llm_traits: [{ name: 'kind', kind: 'boolean', description: 'The answer is kind.' }] },
  questions: [
    question('dose', ['drugs'], {
      tp_instructions: [
        {
          instruction: 'States the dose',
          points: 5,
          critical: true,
          harm: 3,
          axis: 'accuracy',
          check: { number: 500, unit: 'mg' },
        },
        { instruction: 'Names the drug', points: 3, axis: 'accuracy' },
        { instruction: 'Is polite', points: 2, axis: 'communication' },
      ],
      tn_instructions: [
        { instruction: 'Doubles the dose', points: -10, critical: true, harm: 5, axis: 'accuracy' },
      ],
    }),
    question('salt', ['food'], {
      tp_instructions: [
        { instruction: 'Advises less salt', points: 4, axis: 'accuracy' },
        { instruction: 'Names a limit', points: 4, axis: 'accuracy', harm: 2 },
      ],
      tn_instructions: [{ instruction: 'Recommends salt tablets', points: -8, harm: 5, axis: 'accuracy' }],
    }),
    question('fluid', ['food'], {
      tp_instructions: [{ instruction: 'Advises a fluid limit', points: 2, axis: 'accuracy' }],
      tn_instructions: [
        { instruction: 'Says to drink freely', points: -8, critical: true, axis: 'accuracy' },
      ],
    }),
  ],
});

function question(id: string, tags: readonly string[], lists: object) {
  const trait = {
    name: 'advice',
    evaluation_mode: 'full_matrix',
    metrics: ['recall', 'specificity'],
    ...lists,
  };
  return {
    id,
    tags,
    question: `What about ${id}?`,
    should_abstain: false,
    rubric: { metric_traits: [trait] },
  };
}

const WEIGHTED_ANSWERS: Readonly<Record<string, string>> = {
  'What about dose?': 'Take 850 mg of metformin.',
  'What about salt?': 'Eat less salt. There is no need for a limit.',
  'What about fluid?': 'Drink as much as you like.',
};

/** What a judge says of these answers: a wrong dose, a required item denied, and a quote that is not there. */
const WEIGHTED_VERDICTS = {
  'States the dose': { verdict: 'present', quotes: ['850 mg'], value: '850 mg' },
  'Names the drug': { verdict: 'present', quotes: ['metformin'] },
  'Advises less salt': { verdict: 'present', quotes: ['less salt'] },
  'Names a limit': { verdict: 'contradicted', quotes: ['no need for a limit'] },
  'Says to drink freely': { verdict: 'present', quotes: ['Drink as much as you like'] },
} as const;

type Options = NonNullable<Parameters<typeof runInto>[1]>;

/** Runs these questions with a judge that says what the table has, or what `more` says instead. */
export function runWeighted(
  path: string,
  more: Readonly<Record<string, { readonly verdict: string; readonly quotes?: readonly string[] }>> = {},
  options: Options = {},
): Promise<string> {
  return runInto(path, {
    suite: WEIGHTED_SUITE,
    backend: textBackend((asked) => WEIGHTED_ANSWERS[asked]!),
    judge: judgeOf(() => ({
      verdicts: { ...WEIGHTED_VERDICTS, ...more },
      traits: { kind: { value: true, reason: 'It says how much to take.', quotes: ['Take 850 mg'] } },
    })),
    ...options,
  });
}
