import { z } from 'zod';
import { REASONING_EFFORTS } from '../../models/index.ts';
import {
  choice,
  flag,
  list,
  number,
  numberIn,
  type OptionSpec,
  positiveNumber,
  text,
  type ValuesOf,
  wholeNumber,
} from './option.ts';

const MODEL = 'Model:';
const RECORDS = 'Records:';
const SPEED = 'Speed and cost:';
const JUDGE = 'Open questions:';
const STATISTICS = 'Statistics:';
const OUTPUT = 'Output:';

const MODEL_NAMES: OptionSpec<string | readonly string[]> = {
  ...list('-m, --model <names>', 'model to ask, or several separated by commas', {
    config: 'run',
    group: MODEL,
  }),
  schema: z.union([z.string(), z.array(z.string().min(1)).min(1)]),
};

const CONCURRENCY: OptionSpec<number | 'auto'> = {
  flags: '--max-concurrency <n>',
  description: 'calls at the same time: a number, or auto (default: auto)',
  schema: z.union([z.literal('auto'), z.int().min(1)]),
  expected: 'a whole number, 1 or more, or auto',
  config: 'run',
  group: SPEED,
  read: (typed) => (typed === 'auto' ? typed : numberIn(typed)),
};

const PRICE: OptionSpec<{ readonly input: number; readonly output: number }> = {
  flags: '--price <in,out>',
  description: 'US dollars per million input and output tokens, in place of the price table',
  schema: z.strictObject({ input: z.number().min(0), output: z.number().min(0) }),
  expected: 'two numbers separated by a comma, e.g. 0.15,0.60',
  config: 'run',
  group: SPEED,
  read: (typed) => {
    const [input, output, ...rest] = typed.split(',').map(numberIn);
    return rest.length > 0 ? null : { input, output };
  },
};

/** How a provider's model is asked: options of every command that calls one. */
export const MODEL_OPTIONS = {
  baseUrl: text('--base-url <url>', "the provider's address, for openai-compatible/ and for proxies", {
    config: 'run',
    group: MODEL,
  }),
  temperature: number(
    '--temperature <t>',
    'sampling temperature; sent only when given, since some models refuse it',
    z.number().min(0),
    'a number, 0 or more',
    { config: 'run', group: MODEL },
  ),
  reasoningEffort: choice(
    '--reasoning-effort <level>',
    `how much a reasoning model may think: ${REASONING_EFFORTS.join(', ')}`,
    REASONING_EFFORTS,
    { config: 'run', group: MODEL },
  ),
  maxOutputTokens: wholeNumber(
    '--max-output-tokens <n>',
    'cap for each record, times the batch size (default: 2048)',
    1,
    { config: 'run', group: MODEL },
  ),
  structuredOutput: flag('--no-structured-output', 'ask for JSON in the prompt only, without a schema', {
    config: 'run',
    group: MODEL,
  }),
  timeout: positiveNumber('--timeout <seconds>', 'longest wait for a reply (default: 300)', {
    config: 'run',
    group: MODEL,
  }),
  maxRetries: wholeNumber('--max-retries <n>', 'retries after a transient failure (default: 3)', 0, {
    config: 'run',
    group: MODEL,
  }),
  maxConcurrency: CONCURRENCY,
  rpm: positiveNumber('--rpm <n>', 'at most this many calls a minute', { config: 'run', group: SPEED }),
  tpm: positiveNumber('--tpm <n>', 'at most this many tokens a minute', { config: 'run', group: SPEED }),
  budget: positiveNumber('--budget <usd>', 'stop before the run costs more than this', {
    config: 'run',
    group: SPEED,
  }),
  price: PRICE,
  cache: flag('--no-cache', 'neither use nor store replies in .krisis/cache.db', {
    config: 'run',
    group: SPEED,
  }),
  allowEgress: list(
    '--allow-egress <providers>',
    'send protected data to these providers, e.g. openai (recorded in the run)',
    { group: MODEL },
  ),
  failOnError: number(
    '--fail-on-error <share>',
    'fail the run when more than this share of rows failed (default: 0)',
    z.number().min(0).max(1),
    'a number from 0 to 1',
    { config: 'run', group: OUTPUT },
  ),
  passes: wholeNumber('--passes <n>', 'how often the judge reads each answer (default: 1)', 1, {
    appliesTo: 'text',
    group: JUDGE,
  }),
  buckets: flag(
    '--buckets',
    'also ask the judge for the four lists directly, to compare with older results',
    {
      appliesTo: 'text',
      group: JUDGE,
    },
  ),
} as const;

/** The options of `krisis run`, besides those of its suite and its gates. */
export const RUN_OPTIONS = {
  model: MODEL_NAMES,
  limit: wholeNumber('--limit <n>', 'the first n records of a seeded, stratified order', 1, {
    config: 'run',
    group: RECORDS,
  }),
  seed: wholeNumber(
    '--seed <n>',
    'seed of generated records, of their order and of simulated models (default: 42)',
    0,
    { group: RECORDS },
  ),
  repeat: wholeNumber('--repeat <r>', 'ask every record r times (default: 1)', 1, {
    config: 'run',
    group: RECORDS,
  }),
  arm: text('--arm <name>', "how the question is put (default: the task's own arm)", {
    config: 'run',
    appliesTo: 'labels',
    group: RECORDS,
  }),
  batchSize: wholeNumber('--batch-size <n>', 'records in one call (default: 8)', 1, {
    config: 'run',
    appliesTo: 'labels',
    group: SPEED,
  }),
  ...MODEL_OPTIONS,
  judge: text('--judge <model>', 'model that judges the answers to open questions, or baseline/lexical', {
    config: 'run',
    appliesTo: 'text',
    group: JUDGE,
  }),
  judgeBaseUrl: text('--judge-base-url <url>', "the judge's address, where it is not the model's", {
    appliesTo: 'text',
    group: JUDGE,
  }),
  bootstrap: wholeNumber('--bootstrap <n>', 'resamples for bootstrap intervals (default: 2000)', 0, {
    group: STATISTICS,
  }),
  groupBy: list('--group-by <keys>', 'compare groups of a metadata key, e.g. sex or origin', {
    appliesTo: 'labels',
    group: STATISTICS,
  }),
  bundle: choice('--bundle <name>', 'which metrics: default or extended', ['default', 'extended'] as const, {
    appliesTo: 'labels',
    group: STATISTICS,
  }),
  run: text('--run <file>', 'run file (default: one under .krisis/runs, named after the suite and model)', {
    group: OUTPUT,
  }),
  new: flag('--new', 'start a new run instead of continuing an earlier one', { group: OUTPUT }),
  dryRun: flag('--dry-run', 'print what would be asked and what it would cost; ask nothing', {
    group: OUTPUT,
  }),
  json: flag('--json', 'print one JSON object on standard output', { group: OUTPUT }),
} as const;

export type ModelValues = ValuesOf<typeof MODEL_OPTIONS>;
export type RunValues = ValuesOf<typeof RUN_OPTIONS>;
