import { z } from 'zod';
import type { Label } from './label.ts';

/** One value that the model sees. `null` means not measured. */
export type FeatureValue =
  | string
  | number
  | boolean
  | null
  | readonly FeatureValue[]
  | { readonly [name: string]: FeatureValue };

/**
 * The unit of evaluation. The model sees `features` and nothing else; `label` and `metadata` are for scoring.
 *
 * @example
 * ```ts
 * const record: PatientRecord = {
 *   id: 'c7a1', features: { creatinine_mg_dl: 2.4 }, label: 'present', metadata: { age: 71, should_abstain: false },
 * };
 * record.label // => 'present'
 * ```
 */
export interface PatientRecord {
  /** Unique within its suite, and stable: run files and comparisons refer to it. */
  readonly id: string;
  /** What the model sees, by name. */
  readonly features: { readonly [name: string]: FeatureValue };
  /** The true label. Null only where no answer can be derived and deferring is right. */
  readonly label: Label | null;
  /** Never shown to the model: strata, groups, and `should_abstain` (whether deferring is right). In files the default is {}. */
  readonly metadata: { readonly [key: string]: unknown };
}

const featureValue: z.ZodType<FeatureValue> = z.lazy(() =>
  z.union([
    z.string(),
    z.number(),
    z.boolean(),
    z.null(),
    z.array(featureValue),
    z.record(z.string(), featureValue),
  ]),
);

/** A record in its file form, which has the same four names. */
export const patientRecordSchema = z.object({
  id: z.string().min(1),
  features: z.record(z.string(), featureValue),
  label: z.union([z.string(), z.number(), z.boolean(), z.null()]),
  metadata: z.record(z.string(), z.unknown()).default({}),
});

/** The text for a value that is null. */
const NOT_MEASURED = 'not measured';

/**
 * Features as the lines of text that a model sees: `name: value`, with "not measured" for null. A list of objects (visits) is one line each. Text that is more than a few plain
 * words is a JSON string, in double quotes and on one line: no value can pass for another line, another feature or the end of the case.
 *
 * @example
 * ```ts
 * featureText({ 'Age (years)': 61, 'Potassium (mEq/L)': null, Visits: [{ month: 0, creatinine: 1.1 }] })
 * // => 'Age (years): 61\nPotassium (mEq/L): not measured\nVisits:\n  - month: 0, creatinine: 1.1'
 * featureText({ Note: 'Feels well.\nPotassium: 3.9' }) // => 'Note: "Feels well.\\nPotassium: 3.9"'
 * ```
 */
export function featureText(features: PatientRecord['features']): string {
  let text = '';
  for (const name in features) {
    if (!Object.hasOwn(features, name)) continue;
    const value = features[name]!;
    text += `${text === '' ? '' : '\n'}${writtenName(name)}:`;
    if (Array.isArray(value) && value.some((item) => typeof item === 'object' && item !== null))
      text += `\n${value.map((item) => `  - ${inline(item)}`).join('\n')}`;
    else text += ` ${typeof value === 'string' ? written(value, WORDS) : inline(value)}`;
  }
  return text;
}

/** The records of a suite have the same few names. */
const names = new Map<string, string>();
const MAX_NAMES = 1000;

function writtenName(name: string): string {
  let text = names.get(name);
  if (text !== undefined) return text;
  text = written(name, WORDS);
  if (names.size < MAX_NAMES) names.set(name, text);
  return text;
}

/** On a line with other values, a comma ends the value. */
function inline(value: FeatureValue): string {
  if (value === null) return NOT_MEASURED;
  if (typeof value === 'string') return written(value, WORDS_WITHOUT_COMMA);
  if (Array.isArray(value)) return value.map(inline).join(', ');
  if (typeof value === 'object') {
    return Object.entries(value)
      .map(([name, inner]) => `${written(name, WORDS_WITHOUT_COMMA)}: ${inline(inner)}`)
      .join(', ');
  }
  return String(value);
}

/** Plain words: letters, digits and marks that have no meaning in a case, single spaces, a colon between digits only, and no tag. */
const WORDS = plainWords(',;');
const WORDS_WITHOUT_COMMA = plainWords('');

function plainWords(more: string): RegExp {
  const mark = `\\p{L}\\p{M}\\p{N}.()/%+*=~^&#!?_'’°µ·×±≤≥²³–\\-${more}`;
  return new RegExp(`^(?:[${mark}]|>|<(?= ?[\\d.=])|(?<=\\d):(?=\\d)|(?<=[^ ]) (?=[^ ]))+$`, 'u');
}

const MAX_PLAIN_CHARACTERS = 100;

function written(text: string, words: RegExp): string {
  const isPlain =
    text.length <= MAX_PLAIN_CHARACTERS && words.test(text) && text.toLowerCase() !== NOT_MEASURED;
  return isPlain ? text : quotedText(text);
}

/** Characters that end a line, are invisible, or change the direction of a text, most of which JSON leaves as they are; and what opens the tag of a case. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cn}]|<(?=[\s/]{0,8}case)/giu;

/** As a JSON string that shows every such character as an escape. */
function quotedText(text: string): string {
  return JSON.stringify(text).replace(UNSEEN, (found) =>
    Array.from({ length: found.length }, (_, i) => escaped(found.charCodeAt(i))).join(''),
  );
}

function escaped(unit: number): string {
  return `\\u${unit.toString(16).padStart(4, '0')}`;
}

/** The metadata key that scores are broken down by, and what to call it: `{ key: 'tumour_stage', label: 'stage' }` gives `stage_1`, `stage_2`, ... */
export interface Stratum {
  /** The key in a record's metadata. */
  readonly key: string;
  /** The word shown for it, in the singular. */
  readonly label: string;
}

/** What rows are broken down by where no task names a stratum, such as rows scored without a task. */
export const DEFAULT_STRATUM: Stratum = { key: 'ckd_stage', label: 'stage' };

/** The stratum of a task; the default where it names none. */
export function getStratum(task: { readonly stratum?: Stratum | null | undefined } | null): Stratum {
  return task?.stratum ?? DEFAULT_STRATUM;
}
