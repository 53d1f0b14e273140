import { basename } from 'node:path';
import { stringify } from 'yaml';
import { z } from 'zod';
import { isObject } from '../../core/collections.ts';
import { KrisisError } from '../../core/errors.ts';
import { quoted } from '../../core/plain-text.ts';
import { readText } from '../../rubrics/rubric.ts';
import { mismatch, problemLines, turnFields, turns, words } from '../schema-problem.ts';
import type { Sensitivity } from '../suite.ts';
import { keyText } from './question-source.ts';
import { parseQuestionSuite } from './question-suite.ts';

/** Which conversations and criteria: all, those criteria that physicians agreed on, or the file of hard conversations. */
export const HEALTHBENCH_SUBSETS = ['all', 'consensus', 'hard'] as const;
export type HealthBenchSubset = (typeof HEALTHBENCH_SUBSETS)[number];

/** How a file of HealthBench becomes a suite. */
export interface HealthBenchOptions {
  /** `consensus` keeps criteria tagged `level:cluster`. `hard` is a file of its own, of which everything is kept. Default: `all`. */
  readonly subset?: HealthBenchSubset | undefined;
  /** Default: `healthbench/` and the subset. */
  readonly name?: string | undefined;
  /** Default: `protected`, as for every file of questions; the published data are `public`. */
  readonly sensitivity?: Sensitivity | undefined;
}

/** A suite in the form of a file of questions, and what became of the conversations. */
export interface HealthBenchSuite {
  readonly file: {
    readonly name: string;
    readonly sensitivity: Sensitivity;
    readonly questions: readonly Readonly<Record<string, unknown>>[];
  };
  readonly nMultiTurn: number;
  /** Criteria with points above 0. */
  readonly nWanted: number;
  /** Criteria with points below 0. */
  readonly nHarmful: number;
  /** Criteria that repeat another of their conversation: one item now, with the points of both. */
  readonly nMerged: number;
  /** Conversations that cannot be scored, and why. */
  readonly leftOut: readonly { readonly id: string; readonly line: number; readonly reason: string }[];
}

const tags = z.array(z.string({ error: 'a text' }), { error: 'a list of texts' }).default([]);

/** One line of the published format. Fields that are not named here are ignored. */
const schema = z.object({
  prompt: turns(z.object(turnFields), 'a list of turns with role and content'),
  prompt_id: words('an id'),
  rubrics: z.array(
    z.object({
      criterion: words('what the answer is graded by'),
      points: z
        .number({ error: 'a number' })
        .refine((points) => points !== 0, 'a number above 0 for what is wanted, below 0 for what is harmful'),
      tags,
    }),
    { error: 'a list of criteria with points' },
  ),
  example_tags: tags,
  canary: z.string().nullish(),
  ideal_completions_data: z.object({ ideal_completion: z.string().nullish() }).nullish(),
});

type Conversation = z.output<typeof schema>;
type Criterion = Conversation['rubrics'][number];

/** Reads a file in the format of HealthBench. */
export async function readHealthBench(
  path: string,
  options: HealthBenchOptions = {},
): Promise<HealthBenchSuite> {
  return parseHealthBench(await readText(path, 'a file of HealthBench (JSONL)'), { ...options, place: path });
}

/**
 * Makes a file of questions from conversations in the format of HealthBench, one JSON object per line. A criterion with points above 0 becomes a required item, one below 0 a forbidden item; `axis:` tags become
 * the item's axis, tags of the conversation (`theme:`) the question's.
 *
 * @example
 * ```ts
 * const line = {
 *   prompt_id: 'k1',
 *   prompt: [{ role: 'user', content: 'My potassium is 6.3. What now?' }],
 *   rubrics: [{ criterion: 'Advises an ECG', points: 7, tags: ['axis:accuracy'] }],
 *   example_tags: ['theme:emergency_referrals'],
 * };
 * const { file } = parseHealthBench(JSON.stringify(line));
 * [file.name, file.questions[0].question] // => ['healthbench/all', 'My potassium is 6.3. What now?']
 * ```
 *
 * @throws KrisisError that says what is wrong with which lines.
 */
export function parseHealthBench(
  text: string,
  {
    subset = 'all',
    name,
    sensitivity = 'protected',
    place = 'lines',
  }: HealthBenchOptions & { readonly place?: string } = {},
): HealthBenchSuite {
  const conversations = readLines(text, place);
  const leftOut: HealthBenchSuite['leftOut'][number][] = [];
  const made = conversations.flatMap(({ line, value }) => {
    const criteria = mergedCriteria(
      value.rubrics.filter(({ tags }) => subset !== 'consensus' || tags.includes('level:cluster')),
    );
    const reason = whyUnusable(criteria, subset);
    if (reason === null) return [{ value, criteria }];
    leftOut.push({ id: value.prompt_id, line, reason });
    return [];
  });
  if (made.length === 0)
    throw invalidFile(
      conversations.length === 0
        ? `${place}: has no conversations; expected one JSON object per line, with prompt and rubrics`
        : `${place}: none of its ${conversations.length} conversations can be used: ${leftOut[0]!.reason}`,
    );
  const file = {
    name: name ?? `healthbench/${subset}`,
    sensitivity,
    questions: made.map(({ value, criteria }) => toQuestion(value, criteria, basename(place))),
  };
  // Whatever the file is refused for later is said now.
  parseQuestionSuite(file, place);
  const used = made.flatMap(({ criteria }) => criteria);
  return {
    file,
    nMultiTurn: made.filter(({ value }) => value.prompt.length > 1).length,
    nWanted: used.filter(({ points }) => points > 0).length,
    nHarmful: used.filter(({ points }) => points < 0).length,
    nMerged: used.reduce((sum, { nMerged }) => sum + nMerged, 0),
    leftOut,
  };
}

/** A file of questions as text: JSONL with one question per line, or YAML. */
export function* questionFileText(
  { questions, ...shared }: HealthBenchSuite['file'],
  format: 'jsonl' | 'yaml',
): Generator<string> {
  if (format === 'yaml') {
    yield stringify({ ...shared, questions }, { lineWidth: 110, aliasDuplicateObjects: false });
    return;
  }
  for (const line of [shared, ...questions]) yield `${JSON.stringify(line)}\n`;
}

function invalidFile(message: string, value?: unknown): KrisisError {
  return new KrisisError(message, { code: 'ERR_HEALTHBENCH_FILE', value });
}

/** Whether a text is in the format of HealthBench Professional, which names its fields in another way. */
export function isHealthBenchProfessional(text: string): boolean {
  const [first = ''] = text.trimStart().split('\n', 1);
  return first.startsWith('{') && /"rubric_items"\s*:/.test(first) && /"conversation"\s*:/.test(first);
}

const PROFESSIONAL_TAGS = ['use_case', 'type', 'difficulty', 'specialty'] as const;

/** A line of HealthBench Professional under the names of HealthBench; any other value as it is. Use case, kind, difficulty and specialty become tags. */
function fromProfessional(value: unknown): unknown {
  if (!isObject(value) || !('rubric_items' in value)) return value;
  const { id, conversation, rubric_items: items, physician_response: response } = value;
  return {
    prompt_id: id,
    prompt: isObject(conversation) && 'messages' in conversation ? conversation.messages : conversation,
    rubrics: Array.isArray(items)
      ? items.map((item: unknown) =>
          isObject(item) ? { criterion: item.criterion_text, points: item.points } : item,
        )
      : items,
    example_tags: PROFESSIONAL_TAGS.flatMap((key) =>
      typeof value[key] === 'string' && value[key] !== '' ? [`${key}:${value[key]}`] : [],
    ),
    ...(typeof response === 'string' && { ideal_completions_data: { ideal_completion: response } }),
  };
}

function readLines(text: string, place: string): { readonly line: number; readonly value: Conversation }[] {
  const problems: string[] = [];
  const read = text
    .replace(/^\uFEFF/, '')
    .split('\n')
    .flatMap((content, i) => {
      if (content.trim() === '') return [];
      const where = `${place}:${i + 1}`;
      let value: unknown;
      try {
        value = JSON.parse(content);
      } catch (cause) {
        const message = `${where}: not JSON; expected one object per line, with prompt and rubrics`;
        // A file of another kind has nothing but such lines.
        if (i === 0) throw invalidFile(message, cause);
        problems.push(message);
        return [];
      }
      const parsed = schema.safeParse(fromProfessional(value));
      if (parsed.success) return [{ line: i + 1, value: parsed.data }];
      for (const { path, message } of parsed.error.issues)
        problems.push(`${where}: ${keyText(path, 'the line')} ${mismatch(value, path, message)}`);
      return [];
    });
  if (problems.length === 0) return read;
  throw invalidFile(problemLines(problems), problems);
}

/** One item for criteria of the same words: their points add up, as they would if each were met. */
function mergedCriteria(criteria: readonly Criterion[]) {
  const groups = Map.groupBy(criteria, ({ criterion, points }) =>
    JSON.stringify([criterion.toLowerCase(), points > 0]),
  );
  return [...groups.values()].map((group) => ({
    criterion: group[0]!.criterion,
    points: group.reduce((sum, { points }) => sum + points, 0),
    tags: [...new Set(group.flatMap(({ tags }) => tags))],
    nMerged: group.length - 1,
  }));
}

function whyUnusable(criteria: readonly Criterion[], subset: HealthBenchSubset): string | null {
  if (criteria.length === 0)
    return subset === 'consensus' ? 'it has no criterion tagged level:cluster' : 'it has no criteria';
  if (!criteria.some(({ points }) => points > 0)) return 'no criterion has points above 0';
  const harmful = new Set(
    criteria.filter(({ points }) => points < 0).map((one) => one.criterion.toLowerCase()),
  );
  const both = criteria.find(({ points, criterion }) => points > 0 && harmful.has(criterion.toLowerCase()));
  return both === undefined ? null : `the criterion ${quoted(both.criterion)} is wanted and harmful at once`;
}

function toQuestion(
  { prompt_id, prompt, example_tags, canary, ideal_completions_data }: Conversation,
  criteria: readonly Criterion[],
  source: string,
): Readonly<Record<string, unknown>> {
  const reference = ideal_completions_data?.ideal_completion?.trim();
  const harmful = criteria.filter(({ points }) => points < 0).map(toItem);
  const wanted = criteria.filter(({ points }) => points > 0).map(toItem);
  const hasHarmful = harmful.length > 0;
  const trait = {
    name: hasHarmful ? 'criteria' : 'wanted_criteria',
    evaluation_mode: hasHarmful ? 'full_matrix' : 'tp_only',
    metrics: hasHarmful ? ['recall', 'specificity'] : ['recall'],
    tp_instructions: wanted,
    ...(hasHarmful && { tn_instructions: harmful }),
  };
  return {
    id: prompt_id,
    ...(prompt.length === 1 ? { question: prompt[0]!.content } : { messages: prompt }),
    ...(reference && { reference }),
    ...(example_tags.length > 0 && { tags: example_tags }),
    sources: [`${source}, prompt_id ${prompt_id}`, ...(canary ? [`canary: ${canary}`] : [])],
    rubric: { metric_traits: [trait] },
  };
}

const AXIS = 'axis:';

function toItem({ criterion, points, tags }: Criterion): Readonly<Record<string, unknown>> {
  const axes = tags.filter((tag) => tag.startsWith(AXIS));
  const others = [...tags.filter((tag) => !tag.startsWith(AXIS)), ...axes.slice(1)];
  return {
    instruction: criterion,
    points,
    ...(axes[0] !== undefined && { axis: axes[0].slice(AXIS.length) }),
    ...(others.length > 0 && { tags: others }),
  };
}
