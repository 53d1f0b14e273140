import { tableOptionsFor } from '../../runs/scoring-for.ts';
import { defineRunAnalysis } from '../analysis.ts';
import { FlowBuilder, flowSchema } from './flow.ts';
import { flow } from './section.ts';

/** How the records of the suite became rows, and how those ended. */
export const flowAnalysis = defineRunAnalysis({
  id: 'flow',
  schema: flowSchema,
  collect: (scoring) => new FlowBuilder(tableOptionsFor(scoring)),
  compute: ({ run, repeats, collected }) => (collected as FlowBuilder).finish({ ...run, repeats }),
  field: 'flow',
  sections: { flow },
});
