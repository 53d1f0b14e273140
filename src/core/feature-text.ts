import type { FeatureValue, PatientRecord } from './patient-record.ts';

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
  return Object.entries(features)
    .map(([name, value]) => {
      if (Array.isArray(value) && value.some((item) => typeof item === 'object' && item !== null)) {
        return `${written(name, WORDS)}:\n${value.map((item) => `  - ${inline(item)}`).join('\n')}`;
      }
      return `${written(name, WORDS)}: ${typeof value === 'string' ? written(value, WORDS) : inline(value)}`;
    })
    .join('\n');
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
