import { quoted } from '../../core/index.ts';

/** Something in a rubric that is allowed and probably not meant. */
export interface Finding {
  readonly code:
    | 'negated_forbidden'
    | 'unused_forbidden'
    | 'compound'
    | 'overlap'
    | 'vague'
    | 'too_long'
    | 'no_source'
    | 'no_description';
  /** The trait and the line: `Coverage: tp_instructions[2]`. */
  readonly where: string;
  readonly message: string;
  readonly suggestion: string;
}

type Remark = Omit<Finding, 'where'>;

const MOST_WORDS = 25;
const VAGUE =
  /\b(accurate(?:ly)?|adequate(?:ly)?|appropriate(?:ly)?|clear(?:ly)?|comprehensive(?:ly)?|correct(?:ly)?|detailed|etc|good|important|inaccurate|incorrect(?:ly)?|key|proper(?:ly)?|reasonable|relevant|some(?:thing)?|sufficient(?:ly)?|thorough(?:ly)?|various|(?<!as )well|wrong(?:ly)?)\b/iu;
/** "and" between two bounds, two comparisons or two authors joins one thing. */
const ONE_THING =
  /\bbetween\b[^,;]*?\band\b|\band\s*[<>≤≥=]|\p{Lu}\p{Ll}+ (?:and|&) \p{Lu}\p{Ll}+(?=,| \(?\d{4})/gu;
const JOINED = /\b(and|as well as|along with|and\/or)\b|;/iu;
/** A sentence ends and another begins; "et al. Science" and "vs. Placebo" are no ends. */
const SECOND_SENTENCE = /(?<!\b(?:al|vs|e\.g|i\.e|cf|ca|approx|[Dd]r|[Nn]o|[Ff]ig))[.!?]\s+(?=\p{Lu})/u;

/** What there is to say of one line, required or forbidden. */
export function lintInstruction(line: string): Remark[] {
  const joined = JOINED.exec(line.replaceAll(ONE_THING, ' '))?.[0];
  const parts = SECOND_SENTENCE.test(line) ? 'two sentences' : joined && quoted(joined);
  const vague = VAGUE.exec(line)?.[0];
  const words = line.split(/\s+/u).length;
  const remark = (holds: boolean, code: Finding['code'], message: string, suggestion: string): Remark[] =>
    holds ? [{ code, message: `${quoted(line)} ${message}`, suggestion }] : [];
  return [
    ...remark(
      parts !== undefined,
      'compound',
      `asks for more than one thing (${parts})`,
      'write one line for each, so that half an answer gets half the credit',
    ),
    ...remark(
      vague !== undefined,
      'vague',
      `leaves ${quoted(vague ?? '')} to the judge`,
      'name the fact, the number or the action that would satisfy it',
    ),
    ...remark(
      words > MOST_WORDS,
      'too_long',
      `has ${words} words`,
      `say it in ${MOST_WORDS} or fewer; what is background goes into the description of the trait`,
    ),
  ];
}
