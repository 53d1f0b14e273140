import { decisionFacts, isBlank, isScored, toFile } from '../../core/index.ts';
import type { AskedRun, RunsAnalysis } from '../analysis.ts';
import { type Asking, type ItemDifficulty, itemDifficulty, itemDifficultySchema } from './item-difficulty.ts';
import { difficultySection } from './section.ts';

/** The scored replies of runs. Those of a run without a record id cannot be told apart. */
function* askingsIn(runs: readonly AskedRun[]): Generator<Asking> {
  for (const { name, actLabels, rows } of runs)
    for (const row of rows()) {
      if (row.id === null || !isScored(row.state)) continue;
      const { right, shouldAbstain } = decisionFacts(row, actLabels ?? []);
      const truth = isBlank(row.groundTruth) ? null : String(row.groundTruth);
      const isDeferred = row.state === 'abstained';
      yield {
        model: name,
        record: row.id,
        isRight: shouldAbstain === true ? isDeferred : right,
        isDeferred,
        expected: shouldAbstain === true ? 'defer' : truth,
        truth,
        answer: row.state === 'answered' && row.prediction !== null ? String(row.prediction) : null,
      };
    }
}

/** How hard each record is, for records that several models, or one model repeatedly, were asked. */
export const itemDifficultyAnalysis: RunsAnalysis<ItemDifficulty> = {
  of: 'runs',
  id: 'itemDifficulty',
  schema: itemDifficultySchema,
  compute: (runs) => {
    const nAsked = runs.reduce((sum, { repeats }) => sum + repeats, 0);
    return nAsked < 2 ? null : itemDifficulty(askingsIn(runs));
  },
  section: difficultySection,
  cases: {
    item_difficulty: ({ askings }) =>
      toFile(
        itemDifficultySchema,
        itemDifficulty(
          askings.map(([model, record, outcome]: [string, string, string]) => ({
            model,
            record,
            isRight: outcome === 'right' || outcome === 'rightly_deferred',
            isDeferred: outcome.endsWith('deferred'),
            expected: null,
            truth: null,
            answer: null,
          })),
        ),
      ),
  },
};
