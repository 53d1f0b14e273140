import { nearNames } from '../../core/near-names.ts';
import { quoted, shown } from '../../core/plain-text.ts';
import { readCheck, type TypedCheck } from '../checks/typed-check.ts';
import {
  complain,
  type Fields,
  flag,
  inCode,
  isNumber,
  optionalText,
  readFields,
  valueOr,
} from './fields.ts';
import { FULL_MATRIX_METRICS, TRAIT_METRICS, type TraitMetric } from './trait.ts';

const SUBJECT = "(?:the |this |an )?(?:answer|response|reply|model|text|it)?'?s? *";
const VERB =
  "(?:(?:do|does|did|must|should|may|can|could|will|would|is|are|was|has|have)(?: not|n['’]t)|cannot|never|not|no|nothing|without|fails? to|omits?|omission of|avoids?|lacks?|lack of|refrains? from|neglects? to|refuses? to|leaves? out|absence of|free of)";
const NEGATED = new RegExp(`^${SUBJECT}${VERB}\\b`, 'iu');

/**
 * Whether an instruction says what an answer does not do. As a forbidden item that is a double negative: "does not mention X" is absent when X is mentioned.
 * A false claim that has a "not" of its own is no such thing: its "not" comes after the verb that introduces the claim.
 *
 * @example
 * ```ts
 * isNegated('Does not mention dialysis') // => true
 * isNegated('No mention of dialysis') // => true
 * isNegated('States that NSAIDs do not harm the kidney') // => false
 * isNegated('Notes that potassium is high') // => false
 * ```
 */
export function isNegated(instruction: string): boolean {
  return NEGATED.test(instruction.trim());
}

/** What an item can carry besides its instruction. None of it is shown to a judge. */
export interface ItemFields {
  /** Weight in the weighted score: above 0 for a required item, below 0 for a forbidden one. Default: 1 and -1. */
  readonly points?: number;
  /** One failed critical item fails the question. Default: false. */
  readonly critical?: boolean;
  /** The axis that the item belongs to, such as accuracy or communication. Default: none. */
  readonly axis?: string;
  /** Other groups that it belongs to. Default: none. */
  readonly tags?: readonly string[];
  /** How severe the harm is if a required item is left out or contradicted, or a forbidden one is said; above 0. Default: 1. */
  readonly harm?: number;
  /** Where the item comes from: guideline and year. Default: none. */
  readonly source?: string;
  /** What code checks on the value that the judge copies from the answer. Default: none; the judge decides. */
  readonly check?: TypedCheck;
}

/** An item with fields of its own, in place of a plain line. */
export interface ItemOptions extends ItemFields {
  /** What the answer should say, or must not say. */
  readonly instruction: string;
}

/** Whether an entry of a list is meant as an item with fields. YAML also makes an object of a line with ": " in it. */
function isItemObject(entry: unknown): entry is Readonly<Record<string, unknown>> {
  return typeof entry === 'object' && entry !== null && Object.hasOwn(entry, 'instruction');
}

const text = (fields: Fields, key: string) => optionalText(fields, key) ?? undefined;

/** The fields of an item. Those that say nothing are left out, so that an item without fields hashes as a plain line. */
const itemShape = (kind: 'required' | 'forbidden') => ({
  fields: {
    // It is read before the other fields.
    instruction: () => undefined,
    points: (fields: Fields) => readPoints(fields, kind),
    critical: (fields: Fields, key: string) => flag(false)(fields, key) || undefined,
    axis: text,
    tags: readTags,
    harm: valueOr(undefined, 'a number above 0', (value): value is number => isNumber(value) && value > 0),
    source: text,
    check: (fields: Fields, key: string) => {
      const check = fields.value(key);
      return check === undefined ? undefined : (readCheck(check, fields.problems) ?? undefined);
    },
  },
});
const ITEM_SHAPES = { required: itemShape('required'), forbidden: itemShape('forbidden') };

function readPoints(fields: Fields, kind: 'required' | 'forbidden'): number | undefined {
  const points = fields.value('points');
  if (points === undefined) return undefined;
  if (!isNumber(points) || points === 0) {
    complain(fields, 'points', 'a number, above 0 for what is wanted and below 0 for what is harmful');
  } else if (kind === 'required' && points < 0) {
    fields.problems.push(
      `points is ${points} on a required item; expected points above 0: move an item that is harmful if said to the forbidden ones`,
    );
  } else if (kind === 'forbidden' && points > 0) {
    fields.problems.push(
      `points is ${points} on a forbidden item; expected points below 0: move an item that is wanted to the required ones`,
    );
  } else return points;
  return undefined;
}

function readTags(fields: Fields): string[] | undefined {
  const tags = fields.value('tags') ?? [];
  if (Array.isArray(tags) && tags.every((tag) => typeof tag === 'string' && tag.trim() !== ''))
    return tags.length === 0 ? undefined : [...new Set(tags.map((tag: string) => tag.trim()))];
  complain(fields, 'tags', 'a list of names');
  return undefined;
}

/** Texts are the same when they differ in case or outer white space only. */
export function textKey(text: string): string {
  return text.trim().toLowerCase();
}

/** The metrics of a trait, each once, in the order given. */
export function readMetrics(fields: Fields): TraitMetric[] {
  const mode = fields.value('evaluationMode') ?? 'tp_only';
  const value = fields.value('metrics');
  if (!Array.isArray(value) || value.length === 0) {
    complain(fields, 'metrics', `a list with at least one of ${TRAIT_METRICS.join(', ')}`);
    return [];
  }
  const metrics: TraitMetric[] = [];
  for (const name of new Set<unknown>(value)) {
    const known = TRAIT_METRICS.find((metric) => metric === name);
    if (known === undefined) fields.problems.push(unknownMetric(name));
    else if (mode === 'tp_only' && FULL_MATRIX_METRICS.includes(known)) {
      fields.problems.push(
        `metric ${quoted(known)} counts true negatives, which tp_only has none of; set ${fields.spell('evaluationMode')} to full_matrix and list the forbidden claims in ${fields.spell('tnInstructions')}, or remove it`,
      );
    } else metrics.push(known);
  }
  return metrics;
}

function unknownMetric(name: unknown): string {
  const near = typeof name === 'string' ? nearNames(name.trim().toLowerCase(), TRAIT_METRICS)[0] : undefined;
  const hint = near === undefined ? '' : `; write ${quoted(near)}`;
  return `metric ${shown(name)} is not known${hint}; the metrics are ${TRAIT_METRICS.join(', ')}, in lower case`;
}

/** One list of items, trimmed: a line, or an instruction with fields. `missing` is what to say when it is required and empty; null where it may be. */
export function readItems(
  fields: Fields,
  key: 'tpInstructions' | 'tnInstructions',
  missing: string | null,
): (string | ItemOptions)[] {
  const value = fields.value(key);
  if (value === undefined && missing === null) return [];
  if (!Array.isArray(value)) {
    complain(fields, key, missing ?? 'a list of lines');
    return [];
  }
  if (value.length === 0 && missing !== null) complain(fields, key, missing);
  const kind = key === 'tpInstructions' ? 'required' : 'forbidden';
  const seen = new Map<string, number>();
  return value.flatMap((entry: unknown, i) => {
    const place = `${fields.spell(key)}[${i}]`;
    const line = isItemObject(entry) ? entry.instruction : entry;
    if (typeof line !== 'string') {
      fields.problems.push(
        `${place} is ${shown(entry)}; expected a line of text (in YAML put quotes around a line that has ": " in it), or an object with instruction`,
      );
      return [];
    }
    if (line.trim() === '') {
      fields.problems.push(`${place} is blank (${quoted(line)}); write what to look for, or remove it`);
      return [];
    }
    const first = seen.get(textKey(line));
    if (first !== undefined) {
      fields.problems.push(
        `${place} ${quoted(line.trim())} repeats ${fields.spell(key)}[${first}]; it would count twice: remove one`,
      );
      return [];
    }
    seen.set(textKey(line), i);
    if (!isItemObject(entry)) return [line.trim()];
    const { fields: own, read } = readFields(entry, ITEM_SHAPES[kind], inCode);
    fields.problems.push(...own.problems.map((problem) => `${place}: ${problem}`));
    return [Object.keys(read).length === 0 ? line.trim() : { ...read, instruction: line.trim() }];
  });
}

/** The text of an item. */
export function getInstruction(item: string | ItemOptions): string {
  return typeof item === 'string' ? item : item.instruction;
}

/** A line cannot be required and forbidden at once. */
export function refuseSharedLines(
  fields: Fields,
  required: readonly (string | ItemOptions)[],
  forbidden: readonly (string | ItemOptions)[],
): void {
  const keys = new Set(required.map((item) => textKey(getInstruction(item))));
  for (const line of forbidden.map(getInstruction)) {
    if (!keys.has(textKey(line))) continue;
    fields.problems.push(
      `${quoted(line)} is in ${fields.spell('tpInstructions')} and in ${fields.spell('tnInstructions')}; an item is required or forbidden: remove it from one`,
    );
  }
}
