import { z } from 'zod';
import { TASK_NAMES } from '../../metrics/index.ts';
import { choice, flag, list, number, type OptionSpec, text, wholeNumber } from './option.ts';

const LABEL = z.union([z.string(), z.number(), z.boolean()]);
type Label = z.infer<typeof LABEL>;

const share = (flags: string, description: string) =>
  number(flags, description, z.number().gt(0).lt(1), 'a number between 0 and 1', { config: 'score' });

const POSITIVE_LABEL: OptionSpec<Label> = {
  ...text('--positive-label <label>', 'the label that means the condition is present (detection)'),
  schema: LABEL,
  config: 'score',
};

const LABELS: OptionSpec<readonly Label[]> = {
  ...list('--labels <list>', 'the ordered scale from mild to severe, e.g. G1,G2,G3a,G3b,G4,G5 (staging)'),
  schema: z.array(LABEL).min(2),
  config: 'score',
};

/** How `krisis score` scores: its flags, and the keys of `score` in the config file. */
export const SCORE_OPTIONS = {
  task: choice('--task <name>', `add the metrics of a task: ${TASK_NAMES.join(', ')}`, TASK_NAMES, {
    config: 'score',
  }),
  positiveLabel: POSITIVE_LABEL,
  labels: LABELS,
  targetPrevalence: share(
    '--target-prevalence <share>',
    'also give PPV and NPV at this prevalence (detection)',
  ),
  bundle: choice(
    '--bundle <name>',
    'which metrics: default or extended (default: default)',
    ['default', 'extended'] as const,
    { config: 'score' },
  ),
  bootstrap: wholeNumber(
    '--bootstrap <n>',
    'resamples for bootstrap intervals; 0: none (default: 2000, fewer above 10,000 rows)',
    0,
    { config: 'score' },
  ),
  level: share('--level <share>', 'confidence level of intervals (default: 0.95)'),
  seed: wholeNumber('--seed <n>', 'seed of every random draw (default: 42)', 0, { config: 'score' }),
  cluster: text(
    '--cluster <key>',
    'resample rows with the same metadata key together; id: rows of one record',
    {
      config: 'score',
    },
  ),
  stratify: flag('--stratify', 'resample within each true class', { config: 'score' }),
  groupBy: list('--group-by <keys>', 'compare groups of a metadata key, e.g. sex or age', {
    config: 'score',
  }),
  confidencePolicy: choice(
    '--confidence-policy <policy>',
    'confidences outside 0 to 1: invalid or clip (default: invalid)',
    ['invalid', 'clip'] as const,
    { config: 'score' },
  ),
} as const;
