import type { TextSpan } from '../core/index.ts';
import type { NormalisedText } from './normalised-text.ts';
import { UNSPACED_SCRIPTS } from './unspaced-scripts.ts';

const UNITS = [
  'kg g mg μg mcg ug ng pg l dl ml μl fl mol mmol μmol umol nmol pmol meq mosm iu u units? mmhg kpa',
  String.raw`cm mm m\^?2 m s sec min h hr hours? days? weeks? months? years? bpm kcal j`,
  'tablets? drops? puffs?',
].flatMap((line) => line.split(' '));

/** A space, or a line break or cell border that the folding has made one. */
const GAP = String.raw`[ \n]`;
const IN_WORD = String.raw`(?!${UNSPACED_SCRIPTS})[\p{L}\p{N}\p{M}_]`;

/** Not the head of an arrow ("5 mg -> 10 mg"), nor the end of an HTML tag ("<br>5 mg"). */
const GREATER = '(?<!-|</?[a-z]{1,6} ?/?)>';
const MINUS = String.raw`(?<![\p{L}\p{N}])-`;
const SIGNS = `(?:(?:[<=~≈±]|${GREATER}){1,2}${GAP}?){0,2}(?:${MINUS})?`;

/** A space groups digits only within a line: the cells "| 1 | 500 mg |" are two numbers. */
const GROUPED = String.raw`\p{Nd}{1,3}(?:[ ,']\p{Nd}{3}(?!\p{Nd}))+`;
const NUMBER = String.raw`(?:(?<!\.)[.·٫])?(?:${GROUPED}|\p{Nd}+)(?:[.,·٫']\p{Nd}+)*(?:\^-?\p{Nd}+)?`;
/** The digits of a name (BCL2) or a version are no number. */
const NUMBER_BEGINS = String.raw`(?<!${IN_WORD}|\p{Nd}[.,·٫'])`;

const UNIT = `${GAP}?(?:%|(?:° ?[cf]|${UNITS.join('|')})(?!${IN_WORD}))`;
const WORD = String.raw`(?!${UNSPACED_SCRIPTS})\p{L}(?:(?!${UNSPACED_SCRIPTS})[\p{L}\p{N}\p{M}])*(?:\^\p{Nd}+)?`;
const CHAIN = `${GAP}?/${GAP}?${WORD}|${GAP}per${GAP}${WORD}`;
const JOIN = `${GAP}?(?:-|±|/|x|×|to|per)${GAP}?`;

const WITH_UNIT = `${NUMBER}(?:${UNIT})?(?:${CHAIN})*`;
// After the first number everything is optional, so a match never has to be given up, and takes
// linear time.
const RUN = `${SIGNS}${NUMBER_BEGINS}${WITH_UNIT}(?:${JOIN}${SIGNS}${WITH_UNIT})*`;
const FIRST = new RegExp(`((?<!${IN_WORD})between${GAP})?${RUN}`, 'gu');
const AND = new RegExp(`${GAP}and${GAP}${RUN}`, 'uy');

/**
 * Finds the quantities of a text in order, each with its sign, its unit, everything that it is
 * divided by, and the numbers joined to it: "<5 mg", "2-5 mg/kg/day", "3 x 5 mg",
 * "between 2 and 5 mg", "45 ml/min/1.73 m2".
 */
export function findQuantities(folded: NormalisedText, original: string): TextSpan[] {
  const text = withLineBreaks(folded, original);
  const spans: TextSpan[] = [];
  FIRST.lastIndex = 0;
  for (let found = FIRST.exec(text); found !== null; found = FIRST.exec(text)) {
    const { index, 1: between = '' } = found;
    AND.lastIndex = FIRST.lastIndex;
    const isBetween = between !== '' && AND.test(text);
    if (isBetween) FIRST.lastIndex = AND.lastIndex;
    spans.push({ start: isBetween ? index : index + between.length, end: FIRST.lastIndex });
  }
  return spans;
}

/**
 * The folded text with a line feed for white space that has a line break or the border of a table
 * cell in it.
 */
function withLineBreaks({ text, starts, ends }: NormalisedText, original: string): string {
  return text.replace(/ /g, (space, at: number) =>
    /[\r\n|]/.test(original.slice(starts[at], ends[at])) ? '\n' : space,
  );
}
