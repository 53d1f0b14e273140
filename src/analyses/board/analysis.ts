import { defineRunAnalysis } from '../analysis.ts';
import { confidenceStepsAnalysis } from '../threshold/analysis.ts';
import { BoardBuilder, boardSchema } from './board.ts';
import { board } from './section.ts';

/** One mark per record: what each case called for, and how the decision turned out at every threshold. */
export const boardAnalysis = defineRunAnalysis({
  id: 'board',
  needs: ['confidenceSteps'],
  schema: boardSchema,
  isInJson: false,
  collect: ({ actLabels }) => new BoardBuilder(actLabels),
  compute: ({ card, repeats, collected, need }) =>
    (collected as BoardBuilder).finish(
      { emergencyRule: card.emergencyRule, repeats },
      (need(confidenceStepsAnalysis) ?? []).map(({ threshold }) => threshold),
    ),
  sections: { board },
});
