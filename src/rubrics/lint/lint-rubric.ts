import { quoted } from '../../core/index.ts';
import type { Rubric } from '../rubric.ts';
import { itemsOf, type MetricRubricTrait } from '../traits/metric-trait.ts';
import { isNegated } from '../traits/negated-claim.ts';
import { type Finding, finding, lintInstruction } from './lint-instruction.ts';

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
  const items = itemsOf(trait);
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
      ...lintInstruction(line).map((remark) => ({ ...remark, where: place(i) })),
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
  const words = lines.map(wordsOf);
  return words.flatMap((a, i) =>
    words.slice(i + 1).flatMap((b, k): [number, number][] => {
      const all = new Set([...a, ...b]);
      const shared = a.size + b.size - all.size;
      const numbersDiffer = [...all].some((word) => /\d/.test(word) && !(a.has(word) && b.has(word)));
      return !numbersDiffer && all.size > 0 && shared / all.size >= MUCH ? [[i, i + 1 + k]] : [];
    }),
  );
}

function wordsOf(line: string): Set<string> {
  const words = line.toLowerCase().match(/[\p{L}\p{N}]+(?:[.,]\p{N}+)*/gu) ?? [];
  return new Set(words.filter((word) => !EMPTY.has(word)));
}
