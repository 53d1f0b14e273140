import { quoted } from '../../core/plain-text.ts';
import type { Rubric } from '../rubric.ts';
import { listItems, type MetricRubricTrait } from '../traits/metric-trait.ts';
import { isNegated } from '../traits/metric-trait-rules.ts';

const MAX_WORDS = 25;

/** What to do about each kind of finding. */
const SUGGESTIONS = {
  negated_forbidden: 'write the claim that must not be made: "States that ..."',
  negated_required:
    'list the claim itself under tn_instructions, or write what the answer should say instead: "States that ... is not needed"',
  unused_forbidden: 'set evaluation_mode to full_matrix, or remove them',
  compound: 'write one line for each, so that half an answer gets half the credit',
  overlap: 'keep one, or say in which words they differ: one sentence should not earn two items',
  vague: 'name the fact, the number or the action that would satisfy it',
  too_long: `say it in ${MAX_WORDS} or fewer; what is background goes into the description of the trait`,
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

function finding(code: Finding['code'], where: string, message: string): Finding {
  return { code, where, message, suggestion: SUGGESTIONS[code] };
}

const VAGUE =
  /\b(accurate(?:ly)?|adequate(?:ly)?|appropriate(?:ly)?|clear(?:ly)?|comprehensive(?:ly)?|correct(?:ly)?|detailed|etc|good|important|inaccurate|incorrect(?:ly)?|key|proper(?:ly)?|reasonable|reasonably|relevant|satisfactory|some(?:thing)?|sufficient(?:ly)?|suitable|suitably|thorough(?:ly)?|various|well|wrong(?:ly)?)\b/iu;
/** Terms in which such a word is not vague. */
const NOT_VAGUE =
  /\bclear (?:fluids?|liquids?|urine|sputum|discharge)\b|\b(?:to|should|must|not) correct\b|\bcorrects? (?:the )?(?:hypo|hyper|an? |anaemia|anemia|dehydration|acidosis|coagulopathy|potassium|sodium|calcium)|\b(?:as|very|un)?[- ]?well[- ](?:as|controlled|hydrated|being|tolerated|defined|known|established)\b|\bgood(?:pasture)?['’]?s? syndrome\b/giu;
/** "and" inside a term, between two bounds, two comparisons or two authors joins one thing. */
const ONE_THING =
  /\b(?:head and neck|ear, nose,? and throat|nausea and vomiting|signs and symptoms|risks? and benefits?|benefits? and risks?|skin and soft[- ]tissue|bone and joint|obstetrics and gyna?ecology|hand[ -]and[ -]foot|foot[ -]and[ -]mouth|hand, foot,? and mouth|mental and behaviou?ral|drug and alcohol|alcohol and drug|maternal and child|watch and wait|wait and see|rhythm and rate|rate and rhythm|anxiety and depression scale|food and drug administration|control and prevention|health and care excellence)\b|\bbetween\b[^,;]*?\band\b|\band\s*[<>≤≥=]|\p{Lu}\p{Ll}+ (?:and|&) \p{Lu}\p{Ll}+(?=,| \(?\d{4})/giu;
const JOINED = /\b(and|as well as|along with|and\/or)\b|;/iu;
/** Examples and alternatives: one of them is enough. */
const ALTERNATIVES =
  /(?:\b(?:such as|for example|for instance|including|(?:at least )?one of|any of|either)\b|\be\.g\.|\bi\.e\.)[^.;]*/giu;
/** Three or more short entries: "fever, cough, rash", "fever, cough and rash"; with "or" one is enough. Numbers, dates and citations are not lists. */
const COMMA_LIST =
  /(?<=[\p{L})])(?:,\s(?!(?:in|if|when|which|who|where|while|but|for|with|because|although|though|unless|until|since|as|at|on|by|not|then|so|or|e\.g)\b)(?:[\p{L}(][\p{L}\p{N}()/'’-]*\s){0,3}[\p{L}\p{N}(][\p{L}\p{N}()/'’-]*){2,}(?!\s*,?\s*or\b)|(?<=[\p{L})]),\s(?!(?:in|if|when|which|who|where|while|but)\b)(?:[\p{L}(][\p{L}\p{N}()/'’-]*\s){1,4}and\s/u;
/** A sentence ends and another begins; "et al. Science" and "vs. Placebo" are no ends. */
const SECOND_SENTENCE = /(?<!\b(?:al|vs|e\.g|i\.e|cf|ca|approx|[Dd]r|[Nn]o|[Ff]ig))[.!?]\s+(?=\p{Lu})/u;

/** What there is to say of one line, required or forbidden. */
export function lintInstruction(line: string, where: string): Finding[] {
  const plain = line.replaceAll(ONE_THING, 'term').replaceAll(ALTERNATIVES, 'example');
  const joined = JOINED.exec(plain)?.[0];
  const parts = SECOND_SENTENCE.test(line)
    ? 'two sentences'
    : isCommaList(plain)
      ? 'a list with commas'
      : joined && quoted(joined);
  const vague = VAGUE.exec(line.replaceAll(NOT_VAGUE, ' '))?.[0];
  const words = line.split(/\s+/u).length;
  const remark = (code: Finding['code'], message: string) =>
    finding(code, where, `${quoted(line)} ${message}`);
  return [
    ...(parts ? [remark('compound', `asks for more than one thing (${parts})`)] : []),
    ...(vague ? [remark('vague', `leaves ${quoted(vague)} to the judge`)] : []),
    ...(words > MAX_WORDS ? [remark('too_long', `has ${words} words`)] : []),
  ];
}

/** A citation ends with a year; its commas separate authors and journal. */
function isCommaList(line: string): boolean {
  return COMMA_LIST.test(line) && !/,\s(?:19|20)\d\d\b/.test(line) && !/\bor\b[^,]*$/iu.test(line);
}

/** A year, an address or the word itself: a description that has one of these says where the claims come from. */
const NAMES_A_SOURCE = /\b(19|20)\d\d\b|https?:|\bdoi\b|\bsources?\b/i;

/** What the rubric lint checks besides the rubric itself. */
export interface LintOptions {
  /** Sources that are given elsewhere: those of the question. */
  readonly sources?: readonly string[];
}

/**
 * What a careful reader would ask about a rubric: negated lines, lines that ask for two things, overlap, vague words, length, missing sources. None of it
 * makes a rubric invalid, and a remark may be wrong.
 *
 * @example
 * ```ts
 * const rubric = Rubric.parse({
 *   metric_traits: [{
 *     name: 'Advice',
 *     description: 'Source: KDIGO 2024',
 *     metrics: ['recall'],
 *     tp_instructions: ['Advises rest and fluids'],
 *   }],
 * });
 * lintRubric(rubric).map(({ code, where }) => [code, where])
 * // => [['compound', 'Advice: tp_instructions[0]']]
 * ```
 */
export function lintRubric(rubric: Rubric, { sources = [] }: LintOptions = {}): Finding[] {
  const undescribed = rubric.llmTraits.filter(({ name, description }) => name === description);
  return [
    ...rubric.metricTraits.flatMap((trait) => lintMetricTrait(trait, sources)),
    ...undescribed.map(({ name }) =>
      finding('no_description', name, `the judge learns nothing but the name ${quoted(name)}`),
    ),
  ];
}

function lintMetricTrait(trait: MetricRubricTrait, sources: readonly string[]): Finding[] {
  const unused = trait.evaluationMode === 'tp_only' && trait.tnInstructions.length > 0;
  const findings = [
    ...lintList(trait.name, 'tp_instructions', trait.tpInstructions),
    ...lintList(trait.name, 'tn_instructions', trait.tnInstructions),
  ];
  if (unused) {
    const message = `tp_only does not use the ${trait.tnInstructions.length} forbidden claims`;
    findings.push(finding('unused_forbidden', `${trait.name}: tn_instructions`, message));
  }
  const items = listItems(trait);
  const isSourced = items.length > 0 && items.every(({ source }) => source !== undefined);
  if (sources.length === 0 && !isSourced && !NAMES_A_SOURCE.test(trait.description ?? '')) {
    findings.push(finding('no_source', trait.name, 'nothing says where its claims come from'));
  }
  return findings;
}

function lintList(name: string, key: string, lines: readonly string[]): Finding[] {
  const place = (i: number) => `${name}: ${key}[${i}]`;
  const single = lines.flatMap((line, i) => {
    const negative = `${quoted(line)} is phrased as a negative: a judge would have to quote what is not there`;
    const code = key === 'tn_instructions' ? 'negated_forbidden' : 'negated_required';
    return [
      ...(isNegated(line) ? [finding(code, place(i), negative)] : []),
      ...lintInstruction(line, place(i)),
    ];
  });
  const pairs = overlappingPairs(lines).map(([i, k]) =>
    finding('overlap', place(k), `${quoted(lines[k]!)} is nearly ${quoted(lines[i]!)} (${key}[${i}])`),
  );
  return [...single, ...pairs];
}

/** Words that introduce a claim, or say nothing of what it is about. */
const EMPTY = new Set(
  'a an and answer are as at be by claims describes discusses explains for gives has have in includes is it its mentions names notes of on or references says states that the their this to was with'.split(
    ' ',
  ),
);
const MUCH = 0.75;

/**
 * Pairs of lines that one sentence of an answer would satisfy: at least three quarters of their words are shared (Jaccard), and both have the same numbers.
 *
 * @example
 * ```ts
 * overlappingPairs(['Mentions BCL2', 'Discusses BCL2', 'States that BCL2 is on chromosome 18']) // => [[0, 1]]
 * overlappingPairs(['Stops metformin below eGFR 30', 'Stops metformin below eGFR 45']) // => []
 * ```
 */
export function overlappingPairs(lines: readonly string[]): [number, number][] {
  const words = lines.map(listWords);
  return words.flatMap((a, i) =>
    words.slice(i + 1).flatMap((b, k): [number, number][] => {
      const all = new Set([...a, ...b]);
      const shared = a.size + b.size - all.size;
      const numbersDiffer = [...all].some((word) => /\d/.test(word) && !(a.has(word) && b.has(word)));
      return !numbersDiffer && all.size > 0 && shared / all.size >= MUCH ? [[i, i + 1 + k]] : [];
    }),
  );
}

function listWords(line: string): Set<string> {
  const words = line.toLowerCase().match(/[\p{L}\p{N}]+(?:[.,]\p{N}+)*/gu) ?? [];
  return new Set(words.filter((word) => !EMPTY.has(word)));
}
