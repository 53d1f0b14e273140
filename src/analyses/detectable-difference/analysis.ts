import { defineRunAnalysis } from '../analysis.ts';
import { decisionsAnalysis } from '../decisions/analysis.ts';
import { detectableDifference, detectableDifferenceSchema } from './detectable-difference.ts';

/** What difference from another model this many records could have shown, before another model has been run. After an early stop the number of records was not fixed, so there is none. */
export const detectableAnalysis = defineRunAnalysis({
  id: 'detectableDifference',
  field: 'detectable',
  needs: ['decisions'],
  schema: detectableDifferenceSchema,
  compute: ({ card, repeats, run, need }) => {
    if (card.nScored === 0 || run.status === 'stopped_early') return null;
    const n = need(decisionsAnalysis)?.nIndependent ?? Math.floor(card.nScored / repeats);
    return detectableDifference(n, card.method.level);
  },
});
