import { headlineScores } from '../../runs/sections/headline-scores.ts';
import { suiteBaselinesSchema } from '../../store/run.ts';
import { defineRunAnalysis, type RunInput } from '../analysis.ts';
import { baselines } from './section.ts';

/** Rules that need no model, beside the model. The end of the run scored them on the records of the suite. */
export const baselinesAnalysis = defineRunAnalysis({
  id: 'baselines',
  field: 'baselines',
  schema: suiteBaselinesSchema,
  compute: ({ run }: RunInput) => run.baselines,
  sections: {
    reference: (run) => {
      const headlines = headlineScores(run.card.scores, run.primaryEndpoint?.metric ?? null);
      return baselines({ ...run, headlines });
    },
  },
});
