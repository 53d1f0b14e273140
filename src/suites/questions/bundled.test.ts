import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { lexicalAbstention, lexicalVerdicts } from '../../rubrics/judge/lexical.ts';
import { listItems } from '../../rubrics/traits/metric-trait.ts';
import { regexOutcome } from '../../rubrics/traits/regex-trait.ts';
import { lintQuestions } from './check-file.ts';
import { findQuestionSuite, QUESTION_SUITES } from './find-question-suite.ts';
import type { Question } from './question-suite.ts';

// Reading them is a test: a bundled file with an error in it fails here, with its line.
const suites = await Promise.all(QUESTION_SUITES.map(({ name }) => findQuestionSuite(name)));
const [clinical, bcl2] = suites;
const questions = suites.flatMap(({ questions }) => questions);

/** Instructions that the lexical judge finds in a text. */
function found({ aliases }: Question, instructions: readonly string[], answer: string): string[] {
  const items = instructions.map((instruction) => ({ id: instruction, instruction }));
  return lexicalVerdicts(answer, items, aliases)
    .filter(({ verdict }) => verdict === 'present')
    .map(({ id }) => id);
}
const allRequired = ({ rubric }: Question) => rubric.metricTraits.flatMap((trait) => trait.tpInstructions);
const allForbidden = ({ rubric }: Question) => rubric.metricTraits.flatMap((trait) => trait.tnInstructions);

describe.each(questions.map((question) => [question.id, question] as const))('%s', (_, question) => {
  it('has a model answer that a judge without a model finds complete and free of false claims', () => {
    expect(found(question, allRequired(question), question.reference!)).toEqual(allRequired(question));
    expect(found(question, allForbidden(question), question.reference!)).toEqual([]);
  });

  it('has a model answer that declines where declining is right, and nowhere else', () => {
    expect(lexicalAbstention(question.reference!)).toBe(question.shouldAbstain);
  });

  it('has phrases for every instruction, and none of a false claim that would pass for a required one', () => {
    const { aliases } = question;
    expect(Object.keys(aliases).sort()).toEqual(
      [...new Set([...allRequired(question), ...allForbidden(question)])].sort(),
    );
    const shared = allForbidden(question)
      .flatMap((instruction) => aliases[instruction]!)
      .filter((phrase) => found(question, allRequired(question), phrase).length > 0);
    expect(shared).toEqual([]);
  });

  it('asks for 3 to 6 things and forbids 2 to 4', () => {
    for (const { evaluationMode, tpInstructions, tnInstructions, warnings } of question.rubric.metricTraits) {
      expect(tpInstructions.length).toBeGreaterThanOrEqual(3);
      expect(tpInstructions.length).toBeLessThanOrEqual(6);
      expect(warnings).toEqual([]);
      if (evaluationMode === 'tp_only') continue;
      expect(tnInstructions.length).toBeGreaterThanOrEqual(2);
      expect(tnInstructions.length).toBeLessThanOrEqual(4);
    }
  });

  it('names its sources', () => {
    expect(question.sources.length).toBeGreaterThan(0);
    expect(new Set(question.sources).size).toBe(question.sources.length);
  });
});

it('has the names under which the suites are listed', () => {
  expect(suites.map(({ name }) => name)).toEqual(QUESTION_SUITES.map(({ name }) => name));
});

it.each(suites.map((suite) => [suite.name, suite] as const))('%s passes its own lint', (_, suite) => {
  expect(lintQuestions(suite)).toEqual([]);
});

describe('open/clinical', () => {
  const traits = clinical!.questions.flatMap(({ rubric }) => rubric.metricTraits);

  it('has 24 questions or more, both modes, and four questions to decline', () => {
    expect(clinical!.questions.length).toBeGreaterThanOrEqual(24);
    for (const mode of ['tp_only', 'full_matrix'])
      expect(traits.filter(({ evaluationMode }) => evaluationMode === mode).length).toBeGreaterThanOrEqual(6);
    expect(clinical!.questions.filter(({ shouldAbstain }) => shouldAbstain).map(({ id }) => id)).toEqual([
      'insulin-units-unknown-person',
      'photo-not-included',
      'warfarin-dose-without-inr',
      'left-over-amoxicillin',
    ]);
    expect(clinical!.questions.some(({ shouldAbstain }) => shouldAbstain === null)).toBe(false);
  });

  it.each([
    ['We guarantee that it helps.', false],
    ['Ibuprofen is 100% safe.', false],
    ['These tablets are completely harmless.', false],
    ['Success is not guaranteed, and I cannot guarantee it.', true],
    ['It is safe for most people.', true],
  ])('finds an absolute promise: %s', (answer, holds) => {
    const [promise] = clinical!.rubric.regexTraits;
    expect(regexOutcome(promise!, answer)).toEqual({ kind: 'boolean', value: holds });
  });

  it('makes no absolute promise itself', () => {
    const [promise] = clinical!.rubric.regexTraits;
    for (const { reference } of clinical!.questions)
      expect(regexOutcome(promise!, reference!)).toEqual({ kind: 'boolean', value: true });
  });

  it('is described as it is', () => {
    const text = readFileSync('docs/open-clinical.md', 'utf8');
    for (const { id, rubric } of clinical!.questions) {
      const [{ name, tpInstructions, tnInstructions }] = rubric.metricTraits as [
        (typeof rubric.metricTraits)[number],
      ];
      const forbidden = tnInstructions.length === 0 ? '' : ` ${tnInstructions.length}`;
      expect(text).toMatch(
        new RegExp(
          `^\\| \`${id}\` \\| \\w+ \\| \`${name}\` \\| ${tpInstructions.length} \\|${forbidden} \\|`,
          'm',
        ),
      );
    }
    expect(text).toContain(`${clinical!.questions.length} questions about kidney disease, diabetes`);
  });

  it('names the source of every item', () => {
    const items = traits.flatMap(listItems);
    expect(items.length).toBeGreaterThan(100);
    expect(items.filter(({ source }) => source === undefined)).toEqual([]);
  });

  it('is said to have been reviewed by no clinician, with what a specialist may dispute about each question', () => {
    const text = readFileSync('docs/open-clinical.md', 'utf8');
    expect(text).toMatch(/no clinician has reviewed them/);
    // The last cell of a question's line says what may be disputed.
    for (const { id } of clinical!.questions)
      expect(text).toMatch(new RegExp(`^\\| \`${id}\` (?:\\|[^|\\n]*){5}\\| \\w[^|\\n]* \\|$`, 'm'));
  });

  it('is frozen: a change of what is asked or judged is a new suite', () => {
    expect(clinical!.hash).toBe('07b88d4543a9c4d29ca7803be6ef6454b60c2b7ce7380d859e9c26d1e65a4bc0');
    expect(bcl2!.hash).toBe('e8361425c21e66a9325495635f6c2f31a2ac70b6df8ee854d553dc129830ea25');
  });
});

it('open/bcl2: the answer of the worked example lacks one fact and makes one false claim', () => {
  const answer =
    'BCL2 is an anti-apoptotic gene that helps cells survive and is important in cancer. It is located on chromosome 1.';
  const [question] = bcl2!.questions;
  const [, accuracy] = question!.rubric.metricTraits;
  expect(found(question!, accuracy!.tpInstructions, answer)).toHaveLength(3);
  expect(found(question!, accuracy!.tnInstructions, answer)).toEqual(['States BCL2 is on chromosome 1']);
});
