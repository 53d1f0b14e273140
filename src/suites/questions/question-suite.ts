import { z } from 'zod';
import { contentHash } from '../../core/canonical-json.ts';
import type { Shape } from '../../core/codec.ts';
import { KrisisError } from '../../core/errors.ts';
import { nearNames } from '../../core/near-names.ts';
import { getStratum, type PatientRecord } from '../../core/patient-record.ts';
import { quoted } from '../../core/plain-text.ts';
import { Rubric } from '../../rubrics/rubric.ts';
import type { TraitFunctions } from '../../rubrics/traits/trait.ts';
import { describeRecords, describeSuite } from '../describe-records.ts';
import { type Exclusions, excludedVersion } from '../exclusions.ts';
import type { Sensitivity, Suite } from '../suite.ts';
import type { AnyTask, TextTask } from '../task.ts';
import { withoutRecords } from '../without-records.ts';
import { type CheckedQuestions, checkQuestions, questionError } from './check-questions.ts';
import { codeSource, type Path, type QuestionSource } from './question-source.ts';

const SPEAKERS = { user: 'User', assistant: 'Assistant' } as const;

/** A conversation as one text, for judges and readers: `User: Hello`, a blank line, `Assistant: Good morning`. A model is sent the turns themselves. */
function conversationText(turns: NonNullable<Question['messages']>): string {
  return turns.map(({ role, content }) => `${SPEAKERS[role]}: ${content}`).join('\n\n');
}

const storedTurnsSchema = z
  .array(z.object({ role: z.enum(['user', 'assistant']), content: z.string() }))
  .min(1);

/**
 * The turns that a run file stored with a question; null where it holds none, or something else.
 *
 * @example
 * ```ts
 * storedTurns([{ role: 'user', content: 'Hello' }]) // => [{ role: 'user', content: 'Hello' }]
 * storedTurns([{ role: 'system', content: 'Hello' }]) // => null
 * ```
 */
export function storedTurns(value: unknown): Question['messages'] {
  return storedTurnsSchema.safeParse(value).data ?? null;
}

/** Something to ask, and what its answer is judged by. */
export interface Question {
  readonly id: string;
  /** What is asked; of a conversation, all turns as one text. */
  readonly question: string;
  /** The turns of a conversation, the last one the user's. Default: null, for a single question. */
  readonly messages: Shape<typeof storedTurnsSchema> | null;
  /** An answer of the author's. Neither the model nor the judge sees it. */
  readonly reference: string | null;
  /** The rubric of all questions and the question's own in one. */
  readonly rubric: Rubric;
  readonly tags: readonly string[];
  /** Whether declining is right. Default: null, not known. */
  readonly shouldAbstain: boolean | null;
  readonly sources: readonly string[];
  /** Other ways to say an instruction, for a judge without a model. */
  readonly aliases: Readonly<Record<string, readonly string[]>>;
}

/** Open questions with their rubrics: a suite whose records hold one question each. */
export interface QuestionSuite extends Suite<TextTask> {
  /** Default: `protected`. */
  readonly sensitivity: Sensitivity;
  readonly questions: readonly Question[];
  /** The rubric of all questions. */
  readonly rubric: Rubric;
  /** SHA-256 of all that is asked or judged. Names, tags, sources and references may be corrected without becoming another suite. */
  readonly hash: string;
  without(list: Exclusions): QuestionSuite;
}

/** The instructions that every model gets before the question. Part of a run's identity: another wording is another run. */
const ANSWER_INSTRUCTIONS =
  'You answer questions of patients and clinicians. Answer in plain text, as fully as the question needs and no longer. When a question cannot be answered safely from what is given, say so, and say what is missing.';

/** A suite of either kind: records with a label, or open questions. {@link isQuestionSuite} says which. */
export type AnySuite = Suite | QuestionSuite;

/**
 * Whether a suite holds open questions, answered in text, rather than records with a label.
 *
 * @example
 * ```ts
 * isQuestionSuite(await findSuite('open/bcl2', {})) // => true
 * ```
 */
export function isQuestionSuite(suite: Suite<AnyTask>): suite is QuestionSuite {
  return suite.task.kind === 'text';
}

/**
 * A suite from an object in the form of a file. `where` is what an error begins with; `functions` are the user's, for callable traits.
 *
 * @example
 * ```ts
 * const suite = parseQuestionSuite({
 *   name: 'ward7/advice',
 *   questions: [{
 *     id: 'ibuprofen',
 *     question: 'May I take ibuprofen with kidney disease?',
 *     rubric: { metric_traits: [{ name: 'advice', metrics: ['recall'], tp_instructions: ['Names paracetamol'] }] },
 *   }],
 * });
 * suite.sensitivity // => 'protected'
 * suite.questions[0].rubric.getMetricTraitNames() // => ['advice']
 * ```
 *
 * @throws KrisisError that says all that is wrong.
 */
export function parseQuestionSuite(
  object: unknown,
  where = 'questions',
  functions: TraitFunctions = {},
): QuestionSuite {
  return questionSuiteFrom(codeSource(object, where), functions);
}

/** The suite from questions read from a file or given in code. */
export function questionSuiteFrom(source: QuestionSource, functions: TraitFunctions = {}): QuestionSuite {
  const checked = checkQuestions(source);
  const problems: string[] = [];
  const formatPlace = (path: readonly PropertyKey[]) => `${source.place(path)}: ${source.key(path)}`;
  const attempt = <T>(make: () => T, fallback: T, prefix = ''): T => {
    try {
      return make();
    } catch (error) {
      if (!(error instanceof KrisisError)) throw error;
      problems.push(prefix + error.message);
      return fallback;
    }
  };
  const rubricAt = (path: readonly PropertyKey[], given: unknown) =>
    attempt(() => Rubric.parse(given ?? {}, formatPlace(path), functions), new Rubric());
  const rubric = rubricAt(['rubric'], checked.rubric);
  const questions = checked.questions.map((question, i) => {
    const path = ['questions', i, 'rubric'];
    const own = rubricAt(path, question.rubric);
    const merged = attempt(() => Rubric.merge(rubric, own), own, `${formatPlace(path)}: `);
    return questionFrom(question, merged, checked.aliases);
  });
  if (problems.length === 0) problems.push(...strayAliases(checked, questions, rubric, source));
  if (problems.length === 0) problems.push(...unjudged(questions, source));
  if (problems.length > 0) throw questionError(problems);
  return questionSuite(checked, questions, rubric);
}

function questionSuite(
  { name, sensitivity, system, template }: CheckedQuestions,
  questions: readonly Question[],
  rubric: Rubric,
): QuestionSuite {
  const task: TextTask = {
    kind: 'text',
    id: name,
    labels: [],
    arms: { open: { instructions: system?.trim() ?? ANSWER_INSTRUCTIONS } },
    ...(template !== undefined && { template }),
    defaultArm: 'open',
    primaryEndpoint: null,
  };
  const records = questions.map(questionRecord);
  const suite = { name, task, sensitivity, questions, rubric, hash: hashQuestions(questions) };
  const whole: QuestionSuite = {
    ...suite,
    without(list) {
      const { load, describe } = withoutRecords(this, list);
      const left = this.questions.filter(({ id }) => !list.records.some((record) => record.id === id));
      return { ...this, load, describe, questions: left, hash: excludedVersion(this.hash, list) };
    },
    load: async () => records,
    describe: async () => ({
      ...describeSuite(suite),
      ...describeRecords(records, task.labels, getStratum(task)),
      // A question has no label, and nothing to stratify by.
      labels: [],
      strata: [],
      hash: suite.hash,
    }),
  };
  return whole;
}

/** A question in the form of a record, as run files hold it. */
export function questionRecord({
  id,
  question,
  messages,
  shouldAbstain,
  tags,
}: Pick<Question, 'id' | 'question' | 'shouldAbstain'> &
  Partial<Pick<Question, 'tags' | 'messages'>>): PatientRecord {
  return {
    id,
    features: { question, ...(messages && { messages: messages.map((turn) => ({ ...turn })) }) },
    label: null,
    metadata: { should_abstain: shouldAbstain, ...(tags?.length && { tags: [...tags] }) },
  };
}

function questionFrom(
  { should_abstain, reference, aliases, messages, ...given }: CheckedQuestions['questions'][number],
  rubric: Rubric,
  shared: CheckedQuestions['aliases'],
): Question {
  const [only, ...others] = messages ?? [];
  return {
    ...given,
    question: given.question ?? (others.length === 0 ? only!.content : conversationText(messages!)),
    messages: others.length === 0 ? null : messages!,
    reference: reference ?? null,
    rubric,
    shouldAbstain: should_abstain ?? null,
    aliases: mergeAliases(rubric, [shared, aliases]),
  };
}

/** Every answer is asked whether it declines, so that a question with that label alone is worth asking; one with nothing is not. */
function unjudged(questions: readonly Question[], source: QuestionSource): string[] {
  return questions.flatMap(({ rubric, shouldAbstain }, i) =>
    rubric.traitNames().length > 0 || shouldAbstain !== null
      ? []
      : [
          `${source.place(['questions', i])}: the answer would be judged by nothing; give it a rubric or should_abstain, or the file a rubric for all questions`,
        ],
  );
}

function hashQuestions(questions: readonly Question[]): string {
  return contentHash(
    questions.map(({ id, question, messages, rubric, shouldAbstain, aliases }) => ({
      id,
      question,
      ...(messages && { messages }),
      rubric: rubric.toJSON(),
      should_abstain: shouldAbstain,
      aliases,
    })),
  );
}

/** The phrases for a rubric's instructions: those of all questions first, then the question's own. */
function mergeAliases(rubric: Rubric, given: readonly Question['aliases'][]): Question['aliases'] {
  const known = listInstructions(rubric);
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
function strayAliases(
  checked: CheckedQuestions,
  questions: readonly { readonly rubric: Rubric }[],
  global: Rubric,
  source: QuestionSource,
): string[] {
  const everywhere = new Set(
    [global, ...questions.map(({ rubric }) => rubric)].flatMap((rubric) => [...listInstructions(rubric)]),
  );
  return [
    ...strays(checked.aliases, everywhere, ['aliases'], source),
    ...checked.questions.flatMap(({ aliases }, i) =>
      strays(aliases, listInstructions(questions[i]!.rubric), ['questions', i, 'aliases'], source),
    ),
  ];
}

function strays(
  aliases: Question['aliases'],
  known: ReadonlySet<string>,
  path: Path,
  source: QuestionSource,
): string[] {
  return Object.keys(aliases)
    .filter((typed) => !known.has(typed.trim()))
    .map((typed) => {
      const [near] = nearNames(typed.trim(), [...known]);
      const hint = near === undefined ? 'write it as the rubric has it' : `did you mean ${quoted(near)}?`;
      return `${source.place([...path, typed])}: aliases for ${quoted(typed)}, which is not an instruction of its rubric; ${hint}`;
    });
}

function listInstructions(rubric: Rubric): Set<string> {
  return new Set(
    rubric.metricTraits.flatMap(({ tpInstructions, tnInstructions }) => [
      ...tpInstructions,
      ...tnInstructions,
    ]),
  );
}
