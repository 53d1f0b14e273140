import { toFile } from '../../core/codec.ts';
import { type DecisionFacts, decisionFacts } from '../../core/decision-class.ts';
import { isBlank } from '../../core/label.ts';
import { isScored } from '../../core/states.ts';
import type { AskedRun, RunsAnalysis } from '../analysis.ts';
import { type Asking, type ItemDifficulty, itemDifficulty, itemDifficultySchema } from './item-difficulty.ts';
import { difficultySection } from './section.ts';

/** The scored replies of runs. Those of a run without a record id cannot be told apart. */
function* askingsIn(runs: readonly AskedRun[]): Generator<Asking> {
  for (const { name, task, rows } of runs)
    for (const row of rows()) {
      if (row.id === null || !isScored(row.state)) continue;
      const facts = decisionFacts(row, task?.actLabels ?? []);
      const truth = isBlank(row.groundTruth) ? null : String(row.groundTruth);
      const isDeferred = row.state === 'abstained';
      yield {
        model: name,
        record: row.id,
        isRight: isRightDecision(facts),
        isDeferred,
        expected: facts.shouldAbstain === true ? 'defer' : truth,
        truth,
        answer: row.state === 'answered' && row.prediction !== null ? String(row.prediction) : null,
      };
    }
}

/** Null where neither would be wrong: a deferral where no label says whether to defer, and any reply to a case with neither a label nor that. */
function isRightDecision({ state, shouldAbstain, labelled, right }: DecisionFacts): boolean | null {
  if (shouldAbstain === true) return state === 'abstained';
  if (!labelled || (state === 'abstained' && shouldAbstain === null)) return null;
  return right;
}

const RIGHT = ['right', 'rightly_deferred'];

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
            isRight: outcome.endsWith('_either') ? null : RIGHT.includes(outcome),
            isDeferred: outcome.includes('deferred'),
            expected: null,
            truth: null,
            answer: null,
          })),
        ),
      ),
  },
};
