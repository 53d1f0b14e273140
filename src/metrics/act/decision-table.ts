import { z } from 'zod';
import { count } from '../../core/codec.ts';
import { factsAt } from '../cells.ts';
import type { Sample } from '../sample.ts';
import { type DecisionTable, type Tally, tallyDecisions } from './tally-decisions.ts';

export const tallySchema = z.object({ n: count, count }) satisfies z.ZodType<Tally>;

/** Counts the decisions of a sample. */
export function decisionTable(sample: Sample): DecisionTable {
  return sample.once(decisionTable, countDecisions);
}

function countDecisions({ cells, counts, columns: { emergencyRule: rule } }: Sample): DecisionTable {
  return tallyDecisions(
    Array.from({ length: cells.size }, (_, cell) => ({
      facts: factsAt(cells, cell),
      weight: counts[cell]!,
      isNearLine: cells.nearLine[cell] === 1,
    })),
    rule,
  );
}
