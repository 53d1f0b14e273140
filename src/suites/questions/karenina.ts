import { z } from 'zod';
import { quoted } from '../../core/plain-text.ts';
import { mismatch } from '../schema-problem.ts';
import { invalidQuestions, keyText, type QuestionSource } from './question-source.ts';

const property = z.object({ name: z.string(), value: z.unknown().optional() });
const rating = z.object({
  name: z.string({ error: 'a text' }),
  description: z.string().nullish(),
  additionalType: z.string({ error: 'the kind of the trait' }),
  bestRating: z.number().nullish(),
  worstRating: z.number().nullish(),
  additionalProperty: z.array(property).nullish(),
});
const schema = z.object({
  '@type': z.literal('DataFeed', { error: 'DataFeed' }),
  name: z.string({ error: 'a text' }),
  rating: z.array(rating, { error: 'a list of traits' }).nullish(),
  dataFeedElement: z.array(
    z.object({
      '@id': z.string({ error: 'an id' }),
      item: z.object({
        text: z.string({ error: 'the question' }),
        acceptedAnswer: z.object({ text: z.string().nullish() }).nullish(),
        hasPart: z.unknown().optional(),
        rating: z.array(rating, { error: 'a list of traits' }).nullish(),
        keywords: z.array(z.string()).nullish(),
        additionalProperty: z.array(property).nullish(),
      }),
    }),
    { error: 'a list of questions' },
  ),
});
type Rating = z.infer<typeof rating>;

/** Whether a text is a checkpoint of Karenina: a schema.org DataFeed of questions. */
export function isKareninaCheckpoint(text: string): boolean {
  return /^\s*\{/.test(text) && /"@type"\s*:\s*"DataFeed"/.test(text) && /"dataFeedElement"\s*:/.test(text);
}

/**
 * Makes a file of questions from a checkpoint of Karenina. Traits keep their kind: those that a judge decides, patterns, and lists of instructions. Answer templates and callable traits are
 * Python code, which is never executed: `notes` names them, and each question that nothing else could judge.
 *
 * @example
 * ```ts
 * const trait = { name: 'Cites', additionalType: 'karenina:GlobalRegexTrait', additionalProperty: [{ name: 'pattern', value: '\\d' }] };
 * const feed = { '@type': 'DataFeed', name: 'demo', rating: [trait], dataFeedElement: [{ '@id': 'q1', item: { text: 'Why?' } }] };
 * const { source, notes } = readKareninaCheckpoint(JSON.stringify(feed), 'demo.jsonld');
 * [source.value.questions[0].question, notes] // => ['Why?', []]
 * ```
 */
export function readKareninaCheckpoint(text: string, file: string) {
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch (cause) {
    throw invalidQuestions(`${file}: not JSON: ${(cause as Error).message}`, { cause });
  }
  const parsed = schema.safeParse(content);
  if (!parsed.success) {
    const [{ path, message }] = parsed.error.issues as [z.core.$ZodIssue];
    throw invalidQuestions(`${file}: ${keyText(path)} ${mismatch(content, path, message)}`);
  }
  const feed = parsed.data;
  const notes: string[] = [];
  const shared = readTraits(feed.rating ?? [], '', notes);
  const hasShared = Object.keys(shared).length > 0;
  const questions = feed.dataFeedElement.flatMap(({ '@id': id, item }) => {
    const where = `question ${quoted(id)}: `;
    if (item.hasPart !== undefined) notes.push(`${where}its answer template is Python, and is left out`);
    if (item.additionalProperty?.some(({ name }) => name.includes('verification_results')))
      notes.push(`${where}its stored results are left out`);
    const rubric = readTraits(item.rating ?? [], where, notes);
    if (!hasShared && Object.keys(rubric).length === 0) {
      notes.push(`${where}left out: it has no trait that could judge an answer`);
      return [];
    }
    const reference = item.acceptedAnswer?.text?.trim();
    return [
      {
        id: id.replace(/\s+/g, '-').slice(0, 120),
        question: item.text,
        ...(reference && { reference }),
        ...(item.keywords?.length && { tags: item.keywords }),
        ...(Object.keys(rubric).length > 0 && { rubric }),
      },
    ];
  });
  if (questions.length === 0)
    throw invalidQuestions(
      `${file}: none of its ${feed.dataFeedElement.length} questions has a trait that can be carried over:\n${notes.map((note) => `  ${note}`).join('\n')}`,
    );
  const value = {
    name: `karenina/${feed.name.toLowerCase().replace(/[^a-z0-9.-]+/g, '-')}`,
    ...(hasShared && { rubric: shared }),
    questions,
  };
  const source: QuestionSource & { readonly value: typeof value } = {
    value,
    place: () => file,
    key: (path) => keyText(path),
  };
  return { source, notes };
}

/** The traits of a rubric by their kinds, in the form of our rubric files. */
function readTraits(ratings: readonly Rating[], where: string, notes: string[]): Record<string, object[]> {
  const traits: Record<string, object[]> = {};
  for (const one of ratings) {
    const kind = one.additionalType.replace(/^karenina:(Global|QuestionSpecific)/, '');
    const fields = Object.fromEntries((one.additionalProperty ?? []).map(({ name, value }) => [name, value]));
    const found = readTrait(kind, one, fields);
    const about = `${where}trait ${quoted(one.name)}`;
    if (typeof found === 'string') {
      notes.push(`${about}: left out, ${found}`);
      continue;
    }
    if (Object.entries(fields).some(([name, value]) => name.startsWith('deep_judgment') && value === true))
      notes.push(`${about}: deep judgment is left out`);
    const [key, trait] = found;
    traits[key] = [...(traits[key] ?? []), trait];
  }
  return traits;
}

const METRIC_KEYS = [
  'evaluation_mode',
  'metrics',
  'tp_instructions',
  'tn_instructions',
  'repeated_extraction',
];

/** A trait in our form, or why there is none. */
function readTrait(
  kind: string,
  { name, description, bestRating, worstRating }: Rating,
  fields: Readonly<Record<string, unknown>>,
): readonly [key: string, trait: object] | string {
  const named = { name, ...(description && { description }) };
  const direction =
    typeof fields.higher_is_better === 'boolean' ? { higher_is_better: fields.higher_is_better } : {};
  if (kind === 'RegexTrait') {
    if (typeof fields.pattern !== 'string') return 'it has no pattern';
    const { pattern, case_sensitive, invert_result } = fields;
    return [
      'regex_traits',
      {
        ...named,
        pattern,
        ...(typeof case_sensitive === 'boolean' && { case_sensitive }),
        ...(typeof invert_result === 'boolean' && { invert_result }),
        ...direction,
      },
    ];
  }
  if (kind === 'RubricTrait' || kind === 'LLMRubricTrait') {
    const [min, max] = [worstRating ?? 0, bestRating ?? 1];
    if (fields.kind === 'literal' || fields.classes !== undefined)
      return 'its classes cannot be carried over';
    const scale = min === 0 && max === 1 ? { kind: 'boolean' } : { kind: 'score', min, max };
    return ['llm_traits', { ...named, ...scale, ...direction }];
  }
  if (kind === 'MetricRubricTrait' || kind === 'MetricTrait') {
    const own = Object.entries(fields).filter(([key, value]) => METRIC_KEYS.includes(key) && value != null);
    return ['metric_traits', { ...named, ...Object.fromEntries(own) }];
  }
  return kind === 'CallableTrait' ? 'it is Python code' : `its kind ${quoted(kind)} is not known`;
}
