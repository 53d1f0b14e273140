import { z } from 'zod';
import { KrisisError } from '../../core/errors.ts';
import type { Label } from '../../core/label.ts';
import { TASK_NAMES } from '../../metrics/bundle-options.ts';
import { choice, number, text, toggle, whole } from '../../suites/suite-option.ts';
import { HEADINGS } from '../help.ts';
import { inGroup, list, namesIn, type OptionSpec, resamples } from './option.ts';

const LABEL = z.union([z.string(), z.number(), z.boolean()]);

const share = (flags: string, description: string) =>
  number(flags, description, z.number().gt(0).lt(1), 'a number between 0 and 1');

const POSITIVE_LABEL: OptionSpec<Label> = {
  ...text('--positive-label <label>', 'label of the condition (detection)'),
  schema: LABEL,
};

const LABELS: OptionSpec<readonly Label[]> = {
  ...list('--labels <list>', 'labels from mild to severe, e.g. G1,G2,G3a or sc,ne,em'),
  schema: z.array(LABEL).min(2),
};

/** The labels whose choice means to act today; also of `compare`. */
export const ACT_LABELS: OptionSpec<readonly Label[]> = {
  ...list('--act-labels <list>', 'labels that mean to act today, e.g. em (triage)'),
  schema: z.array(LABEL).min(1),
};

/** What rows are drawn together by; also of the commands that score runs. */
export const CLUSTER = text('--cluster <key>', 'draw cases together by a key, e.g. patient_id');

const COLUMNS: OptionSpec<Readonly<Record<string, string>>> = {
  flags: '--columns <list>',
  description: 'columns of the fields, e.g. prediction=y_pred',
  schema: z.record(z.string().min(1), z.string().min(1)),
  expected: 'FIELD=COLUMN, or several separated by commas, e.g. prediction=y_pred,ground_truth=y_true',
  type: 'text',
  read: columnsIn,
};

/** `FIELD=COLUMN,...` as an object, after those of an earlier use of the option; text of another form is returned as it is. */
function columnsIn(typed: string, previous: unknown): unknown {
  const pairs = namesIn(typed, undefined).map((pair) => {
    const [field = '', ...column] = pair.split('=');
    return [field.trim(), column.join('=').trim()] as const;
  });
  if (pairs.some(([field, column]) => field === '' || column === '')) return typed;
  return { ...(typeof previous === 'object' ? previous : {}), ...Object.fromEntries(pairs) };
}

/** How files of results are read; also of `compare`. */
export const RESULT_OPTIONS = {
  /** Which column of a file holds a field: `{ prediction: 'y_pred', ground_truth: 'y_true' }`. Default: columns named like the fields. */
  columns: COLUMNS,
  scorer: text('--scorer <name>', "which scorer counts, in another tool's file with several"),
  sheet: text('--sheet <name>', 'sheet of a spreadsheet (default: the first)'),
  abstain: list('--abstain <labels>', 'answers that defer, e.g. unsure,unknown'),
  refused: text('--refused <answer>', 'the answer that is a refusal, or a /PATTERN/'),
  confidenceScale: number(
    '--confidence-scale <n>',
    'the confidence that means certainty, e.g. 100',
    z.number().min(1),
    'a number from 1, e.g. 100 for percentages',
  ),
};

/** How `krisis score` scores: its flags, and the keys of `score` in the config file. */
export const SCORE_OPTIONS = {
  ...inGroup(HEADINGS.records, 'score', {
    ...RESULT_OPTIONS,
    delimiter: choice('--delimiter <name>', 'comma, semicolon, tab or pipe (default: detected)', [
      'comma',
      'semicolon',
      'tab',
      'pipe',
    ]),
  }),
  ...inGroup(HEADINGS.statistics, 'score', {
    task: choice('--task <name>', `metrics of a task: ${TASK_NAMES.join(', ')}`, TASK_NAMES),
    positiveLabel: POSITIVE_LABEL,
    labels: LABELS,
    actLabels: ACT_LABELS,
    targetPrevalence: share('--target-prevalence <share>', 'PPV and NPV at this prevalence (detection)'),
    bundle: choice('--bundle <name>', 'which metrics: default or extended', ['default', 'extended']),
    bootstrap: resamples('--bootstrap <n>', 'resamples for intervals; 0: none (default: 2000)'),
    level: share('--level <share>', 'confidence level of intervals (default: 0.95)'),
    seed: whole('--seed <n>', 'seed of every random draw (default: 42)', 0),
    cluster: CLUSTER,
    stratify: toggle('--stratify', 'resample within each true class'),
    groupBy: list('--group-by <keys>', 'compare groups, e.g. sex or age'),
  }),
};

/** The options of a reader of results, from those that were typed. */
export function withRefusal<T extends { readonly refused?: string | undefined }>({ refused, ...reading }: T) {
  return { ...reading, refused: refusalNamed(refused) };
}

/** A refusal as typed: `/I cannot/i` is a pattern, anything else an answer. */
function refusalNamed(typed: string | undefined): string | RegExp | undefined {
  const [, pattern, flags = ''] = /^\/(.+)\/([ims]*)$/s.exec(typed ?? '') ?? [];
  if (pattern === undefined) return typed;
  try {
    return new RegExp(pattern, flags);
  } catch (cause) {
    throw new KrisisError(`--refused ${typed}: ${(cause as Error).message}`, { value: typed, cause });
  }
}

/** Keys of `score` in the config file that are not options of the command line. */
export const SCORE_CONFIG = z.strictObject({
  deferralCosts: z
    .strictObject({
      missed: z.number().exactOptional(),
      needless: z.number().exactOptional(),
    })
    .describe('what a missed and a needless deferral cost (default: 5 and 1)'),
  breakdown: z.boolean().describe('false: no scores by class'),
});

/** Labels as typed: `true` and `false` are also the labels that tables write so. */
export function typedLabels(typed: readonly Label[]): readonly Label[] {
  return typed.flatMap((label) =>
    typeof label === 'string' && /^(true|false)$/i.test(label)
      ? [label, label.toLowerCase() === 'true']
      : [label],
  );
}

/** A label that no row has is a typing mistake, which would hide emergencies. `isKnown` says whether a row has it, `known` are some that rows have. */
export function checkActLabels(
  typed: readonly Label[],
  isKnown: (label: Label) => boolean,
  known: readonly Label[],
): void {
  const wrong = typed.find((label) => !typedLabels([label]).some(isKnown));
  if (wrong === undefined) return;
  throw new KrisisError(
    `act labels: no row has the label "${wrong}"; the labels are: ${known.slice(0, 12).join(', ')}`,
    { code: 'ERR_ACT_LABELS', value: wrong },
  );
}
