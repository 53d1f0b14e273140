import { toFile } from '../../core/codec.ts';
import { defineRunAnalysis } from '../analysis.ts';
import { compareSources } from './compare-sources.ts';
import { confidenceSources } from './section.ts';
import { type SourceComparison, sourceComparisonSchema } from './source-comparison.ts';

/** Where confidence comes from: the sources of a run side by side, where it has several. */
export const confidenceSourcesAnalysis = defineRunAnalysis({
  id: 'confidenceSources',
  schema: sourceComparisonSchema,
  object: (sources: SourceComparison) => ({ confidence_sources: toFile(sourceComparisonSchema, sources) }),
  compute: ({ run, card, rows }) => compareSources({ ...run, method: card.method, judging: null, rows }),
  sections: { confidence: confidenceSources },
});
