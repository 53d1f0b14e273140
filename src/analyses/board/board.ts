import { z } from 'zod';
import { count, type Shape } from '../../core/codec.ts';
import { type DecisionFacts, decisionFacts, EMERGENCY_RULES } from '../../core/decision-class.ts';
import type { EvaluationResult } from '../../core/evaluation-result.ts';
import type { Label } from '../../core/label.ts';
import { ROW_STATES } from '../../core/states.ts';
import type { BoardRows } from '../../reports/charts/board-classes.ts';
import { isConfidence } from '../../statistics/methods/thresholds.ts';
import type { Collector } from '../analysis.ts';

const factsSchema = z.object({
  state: z.enum(ROW_STATES),
  labelled: z.boolean(),
  right: z.boolean(),
  shouldAbstain: z.boolean().nullable(),
  mustAct: z.boolean().nullable(),
  urgent: z.boolean(),
}) satisfies z.ZodType<DecisionFacts>;

export const boardSchema = z.object({
  emergencyRule: z.enum(EMERGENCY_RULES),
  /** How often each case was asked: a mark is an answer, then. */
  repeats: count,
  groups: z.array(
    z.object({
      facts: factsSchema,
      steps: z.array(z.object({ confidence: z.number().nullable(), n: count })),
    }),
  ),
}) satisfies z.ZodType<BoardRows>;
/** All rows by what the case calls for, how the decision turned out and how sure the answer was: enough to draw a mark for each at any threshold. */
export type Board = Shape<typeof boardSchema>;

interface Alike {
  readonly facts: DecisionFacts;
  /** Rows by confidence; NaN where no threshold accepts the answer. */
  readonly counts: Map<number, number>;
}

/** Counts rows that agree in all facts. */
export class BoardBuilder implements Collector {
  readonly #groups = new Map<string, Alike>();
  readonly #actLabels: readonly Label[];

  constructor(actLabels: readonly Label[] | null | undefined) {
    this.#actLabels = actLabels ?? [];
  }

  add(row: EvaluationResult): void {
    if (row.state === 'not_run') return;
    const facts = decisionFacts(row, this.#actLabels);
    const key = Object.values(facts).join();
    const group = this.#groups.get(key) ?? { facts, counts: new Map<number, number>() };
    this.#groups.set(key, group);
    const { state, confidence } = row;
    increase(group.counts, state === 'answered' && isConfidence(confidence) ? confidence : Number.NaN, 1);
  }

  /** `thresholds` are those to choose from, the highest first: a confidence between two of them counts as the lower. Null without rows. */
  finish(
    { emergencyRule, repeats }: Pick<Board, 'emergencyRule' | 'repeats'>,
    thresholds: readonly number[],
  ): Board | null {
    if (this.#groups.size === 0) return null;
    const groups = [...this.#groups.values()].map(({ facts, counts }) => {
      const steps = new Map<number, number>();
      for (const [confidence, n] of counts) increase(steps, stepBelow(thresholds, confidence), n);
      return {
        facts,
        steps: [...steps]
          .sort(([a], [b]) => (Number.isNaN(a) ? 1 : Number.isNaN(b) ? -1 : b - a))
          .map(([confidence, n]) => ({ confidence: Number.isNaN(confidence) ? null : confidence, n })),
      };
    });
    return { emergencyRule, repeats, groups };
  }
}

function increase(counts: Map<number, number>, key: number, n: number): void {
  counts.set(key, (counts.get(key) ?? 0) + n);
}

/** The highest threshold that accepts the confidence; NaN where none does. */
function stepBelow(thresholds: readonly number[], confidence: number): number {
  if (Number.isNaN(confidence)) return Number.NaN;
  let [from, to] = [0, thresholds.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (thresholds[middle]! <= confidence) to = middle;
    else from = middle + 1;
  }
  return thresholds[from] ?? Number.NaN;
}
