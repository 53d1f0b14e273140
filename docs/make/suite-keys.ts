import type { z } from 'zod';
import { snakeCase } from '../../src/core/codec.ts';
import { Rubric } from '../../src/rubrics/rubric.ts';
import { QUESTION_FIELDS, SUITE_FIELDS } from '../../src/suites/questions/check-questions.ts';
import { documentedFields } from './documented-fields.ts';
import { code, NOTE, table } from './markdown.ts';

const TABLE = 'src/suites/table/definition.ts';
const TRAITS = 'src/rubrics/traits';

/** Every key of a suite's file: tables, questions, rubrics. */
export async function suiteKeysPage(): Promise<string> {
  return [
    '# Keys of suites, questions and rubrics',
    '',
    NOTE,
    '',
    'The keys of the YAML and JSON files that you write. `krisis check FILE` names a key that does not exist. In TypeScript the keys of a table are the same in camelCase.',
    '',
    '## A table of cases',
    '',
    'For [your own data](your-own-data.md). Paths are relative to the YAML file.',
    '',
    ...keys(TABLE, 'TableDefinition', ['folder']),
    '',
    'A column in `columns` may have these keys:',
    '',
    ...keys(TABLE, 'ColumnDisplay'),
    '',
    '## A file of questions',
    '',
    'For [open questions](open-questions.md).',
    '',
    ...zodKeys(SUITE_FIELDS),
    '',
    'Each question:',
    '',
    ...zodKeys(QUESTION_FIELDS),
    '',
    '## A rubric',
    '',
    'A [rubric](rubrics.md) holds lists of traits under `metric_traits`, `llm_traits`, `regex_traits`, `length_traits` and `callable_traits`. Every trait has a `name`.',
    '',
    '### Metric traits: a checklist that a judge goes through',
    '',
    ...keys(`${TRAITS}/metric-trait.ts`, 'MetricTraitOptions'),
    '',
    'A line of a checklist may be an object with `instruction` and these keys:',
    '',
    ...keys(`${TRAITS}/metric-trait-rules.ts`, 'ItemFields'),
    '',
    '### LLM traits: one value that a judge gives',
    '',
    ...keys(`${TRAITS}/llm-trait.ts`, 'LlmTraitOptions'),
    '',
    '### Regex traits: a pattern in the answer',
    '',
    ...traitKeys('regex_traits'),
    '',
    '### Length traits: how long the answer is',
    '',
    ...traitKeys('length_traits'),
    '',
    '### Callable traits: your own function',
    '',
    'A file holds the name only. The function is given in TypeScript.',
    '',
  ].join('\n');
}

const HEAD = ['key', 'meaning', 'default'] as const;

function keys(file: string, name: string, leftOut: readonly string[] = []): string[] {
  return table(
    HEAD,
    documentedFields(file, name)
      .filter((field) => !leftOut.includes(field.name))
      .map(({ name: key, isOptional, meaning, fallback }) => [
        code(snakeCase(key)),
        asInFiles(meaning),
        isOptional ? fallback || 'none' : 'required',
      ]),
  );
}

function zodKeys(fields: Readonly<Record<string, z.ZodType>>): string[] {
  return table(
    HEAD,
    Object.entries(fields).map(([key, schema]) => {
      if (schema.description === undefined)
        throw new Error(`${key} of a file of questions has no description`);
      const [, meaning, fallback] = /^(.*?)(?:\s*Default: (.*?)\.?)?$/.exec(schema.description)!;
      return [code(key), meaning!, fallback ?? (schema.safeParse(undefined).success ? 'none' : 'required')];
    }),
  );
}

/** Keys that a comment names in code, as files spell them. */
function asInFiles(text: string): string {
  return text.replaceAll(/`([a-z]+(?:[A-Z][a-z]+)+)`/g, (_, key: string) => code(snakeCase(key)));
}

/** What keys of small traits mean, each with its default. */
const TRAIT_KEYS: Readonly<Record<string, readonly [meaning: string, fallback: string]>> = {
  name: ['Unique in its rubric, whatever the case.', 'required'],
  description: ['For readers.', 'none'],
  higher_is_better: ['Whether holding is good.', 'true'],
  pattern: ['A regular expression in the syntax of RE2: no lookaround, no backreferences.', 'required'],
  case_sensitive: ['Whether capital letters count.', 'true'],
  invert: ['True: the trait holds where the pattern is not found.', 'false'],
  unit: ['`words` or `characters`.', '`words`'],
  min: ['The least that is allowed.', 'none'],
  max: ['The most that is allowed.', 'none'],
};

/** The keys of a kind of trait, as the rubric itself lists them when one is misspelled. */
function traitKeys(kind: string): string[] {
  try {
    Rubric.parse({ [kind]: [{ name: 'Any', no_such_key: 1 }] });
  } catch (error) {
    const [, names] = /The fields are (.*)/.exec((error as Error).message)!;
    return table(
      HEAD,
      names!.split(', ').map((name) => {
        const meaning = TRAIT_KEYS[name];
        if (meaning === undefined) throw new Error(`${kind}: ${name} is not explained`);
        return [code(name), ...meaning];
      }),
    );
  }
  throw new Error(`${kind} accepts any key`);
}
