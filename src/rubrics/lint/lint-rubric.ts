import { quoted } from '../../core/index.ts';
import type { Rubric } from '../rubric.ts';
import type { MetricRubricTrait } from '../traits/metric-trait.ts';
import { isNegated } from '../traits/negated-claim.ts';
import { type Finding, lintInstruction } from './lint-instruction.ts';
import { overlappingPairs } from './overlap.ts';

/** A year, an address or the word itself: a description that has one of these says where the claims come from. */
const NAMES_A_SOURCE = /\b(19|20)\d\d\b|https?:|\bdoi\b|\bsources?\b/i;

/** What the rubric lint checks besides the rubric itself. */
export interface LintOptions {
  /** Sources that are given elsewhere: those of the question. */
  readonly sources?: readonly string[];
}

/**
 * What a careful reader would ask about a rubric: negated forbidden claims, lines that ask for two things, overlap, vague words, length, missing sources. None of it
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
    ...undescribed.map(
      ({ name }): Finding => ({
        code: 'no_description',
        where: name,
        message: `the judge learns nothing but the name ${quoted(name)}`,
        suggestion: 'say in the description when it holds and when it does not',
      }),
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
    findings.push({
      code: 'unused_forbidden',
      where: `${trait.name}: tn_instructions`,
      message: `tp_only does not use the ${trait.tnInstructions.length} forbidden claims`,
      suggestion: 'set evaluation_mode to full_matrix, or remove them',
    });
  }
  if (sources.length === 0 && !NAMES_A_SOURCE.test(trait.description ?? '')) {
    findings.push({
      code: 'no_source',
      where: trait.name,
      message: 'nothing says where its claims come from',
      suggestion: 'name the guideline and the year in the description, or in the sources of the question',
    });
  }
  return findings;
}

function lintList(name: string, key: string, lines: readonly string[]): Finding[] {
  const place = (i: number) => `${name}: ${key}[${i}]`;
  const single = lines.flatMap((line, i) => {
    const negated: Finding[] =
      key === 'tn_instructions' && isNegated(line)
        ? [
            {
              code: 'negated_forbidden',
              where: place(i),
              message: `${quoted(line)} is phrased as a negative: a judge would have to quote what is not there`,
              suggestion: 'write the claim that must not be made: "States that ..."',
            },
          ]
        : [];
    return [...negated, ...lintInstruction(line).map((remark) => ({ ...remark, where: place(i) }))];
  });
  const pairs = overlappingPairs(lines).map(
    ([i, k]): Finding => ({
      code: 'overlap',
      where: place(k),
      message: `${quoted(lines[k]!)} is nearly ${quoted(lines[i]!)} (${key}[${i}])`,
      suggestion: 'keep one, or say in which words they differ: one sentence should not earn two items',
    }),
  );
  return [...single, ...pairs];
}
