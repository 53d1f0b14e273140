import { defineRunAnalysis } from '../analysis.ts';
import { compareSources } from './compare-sources.ts';
import { confidenceSources } from './section.ts';
import { sourceComparisonSchema } from './source-comparison.ts';

/** Where confidence comes from: the sources of a run side by side, where it has several. */
export const confidenceSourcesAnalysis = defineRunAnalysis({
  id: 'confidenceSources',
  schema: sourceComparisonSchema,
  isInJson: false,
  compute: ({ run, card, rows }) => compareSources({ ...run, method: card.method, judging: null, rows }),
  sections: { confidence: confidenceSources },
});
