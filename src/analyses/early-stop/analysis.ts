import { toFile } from '../../core/codec.ts';
import { type StopEarly, stopEarlySchema } from '../../store/run.ts';
import { defineRunAnalysis, type RunInput } from '../analysis.ts';
import { earlyStop } from './section.ts';

/** How a run stops early, and what its gates showed at the last look; the engine wrote both while it asked. */
export const earlyStopAnalysis = defineRunAnalysis({
  id: 'stopEarly',
  appliesTo: 'both',
  field: 'stopEarly',
  schema: stopEarlySchema,
  compute: ({ run }: RunInput) => run.stopEarly,
  object: (stopEarly) => ({ stop_early: stopEarlyObject(stopEarly) }),
  sections: { stopping: earlyStop },
  warnings: (_, { status }) =>
    status === 'stopped_early'
      ? [
          {
            code: 'stopped_early',
            message:
              'The run stopped early, as soon as its conditions were decided: a pass overstates the value. Intervals of shares are anytime-valid. Other scores, groups and charts show none (fixed-size interval after an early stop: not valid).',
          },
        ]
      : [],
});

/** How a run stops early, in file form. */
function stopEarlyObject(stopEarly: StopEarly) {
  const { verdicts, ...terms } = toFile(stopEarlySchema, stopEarly);
  return { ...terms, bounds: 'anytime-valid', verdicts };
}
