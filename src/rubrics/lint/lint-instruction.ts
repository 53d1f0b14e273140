import { quoted } from '../../core/index.ts';

const MOST_WORDS = 25;

/** What to do about each kind of finding. */
const SUGGESTIONS = {
  negated_forbidden: 'write the claim that must not be made: "States that ..."',
  unused_forbidden: 'set evaluation_mode to full_matrix, or remove them',
  compound: 'write one line for each, so that half an answer gets half the credit',
  overlap: 'keep one, or say in which words they differ: one sentence should not earn two items',
  vague: 'name the fact, the number or the action that would satisfy it',
  too_long: `say it in ${MOST_WORDS} or fewer; what is background goes into the description of the trait`,
  no_source: 'name the guideline and the year in the description, or in the sources of the question',
  no_description: 'say in the description when it holds and when it does not',
};

/** Something in a rubric that is allowed and probably not meant. */
export interface Finding {
  readonly code: keyof typeof SUGGESTIONS;
  /** The trait and the line: `Coverage: tp_instructions[2]`. */
  readonly where: string;
  readonly message: string;
  readonly suggestion: string;
}

export function finding(code: Finding['code'], where: string, message: string): Finding {
  return { code, where, message, suggestion: SUGGESTIONS[code] };
}

const VAGUE =
  /\b(accurate(?:ly)?|adequate(?:ly)?|appropriate(?:ly)?|clear(?:ly)?|comprehensive(?:ly)?|correct(?:ly)?|detailed|etc|good|important|inaccurate|incorrect(?:ly)?|key|proper(?:ly)?|reasonable|relevant|some(?:thing)?|sufficient(?:ly)?|thorough(?:ly)?|various|(?<!as )well|wrong(?:ly)?)\b/iu;
/** "and" between two bounds, two comparisons or two authors joins one thing. */
const ONE_THING =
  /\bbetween\b[^,;]*?\band\b|\band\s*[<>≤≥=]|\p{Lu}\p{Ll}+ (?:and|&) \p{Lu}\p{Ll}+(?=,| \(?\d{4})/gu;
const JOINED = /\b(and|as well as|along with|and\/or)\b|;/iu;
/** A sentence ends and another begins; "et al. Science" and "vs. Placebo" are no ends. */
const SECOND_SENTENCE = /(?<!\b(?:al|vs|e\.g|i\.e|cf|ca|approx|[Dd]r|[Nn]o|[Ff]ig))[.!?]\s+(?=\p{Lu})/u;

/** What there is to say of one line, required or forbidden. */
export function lintInstruction(line: string): Omit<Finding, 'where'>[] {
  const joined = JOINED.exec(line.replaceAll(ONE_THING, ' '))?.[0];
  const parts = SECOND_SENTENCE.test(line) ? 'two sentences' : joined && quoted(joined);
  const vague = VAGUE.exec(line)?.[0];
  const words = line.split(/\s+/u).length;
  const remark = (code: Finding['code'], message: string) => ({
    code,
    message: `${quoted(line)} ${message}`,
    suggestion: SUGGESTIONS[code],
  });
  return [
    ...(parts ? [remark('compound', `asks for more than one thing (${parts})`)] : []),
    ...(vague ? [remark('vague', `leaves ${quoted(vague)} to the judge`)] : []),
    ...(words > MOST_WORDS ? [remark('too_long', `has ${words} words`)] : []),
  ];
}
