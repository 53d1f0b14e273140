import { KrisisError } from '../../core/errors.ts';
import { shown } from '../../core/plain-text.ts';
import { readText } from '../rubric.ts';
import { type Fields, inFile, isNumber, oneOf, optionalText, readFields, valueOr } from '../traits/fields.ts';
import type { RubricItem } from '../traits/metric-trait.ts';
import { textKey } from '../traits/metric-trait-rules.ts';
import { VERDICTS, type Verdict } from '../verdict.ts';

/** What a person says of one item of one answer. The item is named by its id, or by its trait and its line. */
export interface HumanLabel {
  readonly questionId: string;
  readonly item: { readonly id: string } | { readonly trait: string; readonly instruction: string };
  readonly verdict: Verdict;
  /** Who labelled. Labels of one item by different raters are double ratings. Default: not stated, one person. */
  readonly rater?: string;
  /** The probability with which the item was drawn to be labelled, above 0 and at most 1. Default: not stated; the item may have been picked by hand. */
  readonly inclusionProbability?: number;
  /** Line in the file, from 1. */
  readonly line: number;
}

/** Whether a label names an item: by its id, or by its trait and its line. */
export function isNamedItem(
  item: Pick<RubricItem, 'id' | 'traitName' | 'instruction'>,
  named: HumanLabel['item'],
): boolean {
  if ('id' in named) return item.id === named.id;
  return (
    textKey(item.traitName) === textKey(named.trait) &&
    textKey(item.instruction) === textKey(named.instruction)
  );
}

/** Allowed, and read by people only. */
const remark = (fields: Fields, key: string) => fields.value(key);

const probability = valueOr(
  null,
  'a probability above 0 and at most 1',
  (value): value is number | null => value === null || (isNumber(value) && value > 0 && value <= 1),
);

const SHAPE = {
  fields: {
    questionId: optionalText,
    itemId: optionalText,
    trait: optionalText,
    instruction: optionalText,
    verdict: oneOf(VERDICTS),
    rater: optionalText,
    inclusionProbability: probability,
    note: remark,
  },
};

/**
 * Reads labels from JSONL, one object per line: `question_id`, `item_id` (or `trait` and `instruction`), `verdict`. A line may also have `rater`, `inclusion_probability` (of items
 * drawn at random) and `note`.
 *
 * @example
 * ```ts
 * parseHumanLabels('{"question_id":"q1","item_id":"7e90e03876","verdict":"present"}')
 * // => [{ questionId: 'q1', item: { id: '7e90e03876' }, verdict: 'present', line: 1 }]
 * ```
 */
export function parseHumanLabels(text: string, where = 'labels'): HumanLabel[] {
  const labels = text
    .split('\n')
    .flatMap((line, i) => (line.trim() === '' ? [] : [readLabel(line, i + 1, where)]));
  if (labels.length === 0)
    throw new KrisisError(`${where}: no labels; expected one JSON object per line`, {
      code: 'ERR_HUMAN_LABELS',
      value: text,
    });
  return labels;
}

/** The same from a file: `const labels = await readHumanLabels('labels.jsonl')`. */
export async function readHumanLabels(path: string): Promise<HumanLabel[]> {
  return parseHumanLabels(await readText(path, 'a JSONL file of human labels'), path);
}

function readLabel(text: string, line: number, where: string): HumanLabel {
  const refuse = (what: string, value: unknown): never => {
    throw new KrisisError(`${where}:${line}: ${what}`, { code: 'ERR_HUMAN_LABELS', value });
  };
  let given: unknown;
  try {
    given = JSON.parse(text);
  } catch {
    refuse(`${shown(text)} is not JSON; expected one object per line`, text);
  }
  const { fields, read } = readFields(given, SHAPE, inFile);
  const { questionId, itemId, trait, instruction, verdict, rater, inclusionProbability } = read;
  if (!questionId) fields.problems.push('question_id is not given; expected the id of the question');
  const byId = itemId !== null && trait === null && instruction === null;
  const byLine = itemId === null && trait !== null && instruction !== null;
  if (!byId && !byLine) fields.problems.push('expected either item_id, or both trait and instruction');
  if (fields.problems.length > 0) refuse(fields.problems.join('; '), given);
  const item = byId ? { id: itemId! } : { trait: trait!, instruction: instruction! };
  return {
    questionId: questionId!,
    item,
    verdict,
    ...(rater !== null && { rater }),
    ...(inclusionProbability !== null && { inclusionProbability }),
    line,
  };
}
