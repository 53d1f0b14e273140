import { z } from 'zod';
import { REASONING_EFFORTS } from '../../models/index.ts';
import { choice, number, text, toggle, whole } from '../../suites/domains/index.ts';
import {
  forLabels,
  forQuestions,
  inGroup,
  list,
  numberIn,
  type OptionSpec,
  positiveNumber,
  type ValuesOf,
} from './option.ts';
import { CLUSTER } from './score-options.ts';

const MODEL = 'Model:';
const SPEED = 'Speed and cost:';
const JUDGE = 'Open questions:';
const OUTPUT = 'Output:';

const MODEL_NAMES: OptionSpec<string | readonly string[]> = {
  ...list('-m, --model <names>', 'model to ask, or several separated by commas'),
  schema: z.union([z.string(), z.array(z.string().min(1)).min(1)]),
};

const CONCURRENCY: OptionSpec<number | 'auto'> = {
  ...text('--max-concurrency <n>', 'calls at the same time: a number, or auto (default: auto)'),
  schema: z.union([z.literal('auto'), z.int().min(1)]),
  expected: 'a whole number, 1 or more, or auto',
  read: (typed) => (typed === 'auto' ? typed : numberIn(typed)),
};

const PRICE: OptionSpec<{ readonly input: number; readonly output: number }> = {
  ...text('--price <in,out>', 'US dollars per million input and output tokens, in place of the price table'),
  schema: z.strictObject({ input: z.number().min(0), output: z.number().min(0) }),
  expected: 'two numbers separated by a comma, e.g. 0.15,0.60',
  read: (typed) => {
    const [input, output, ...rest] = typed.split(',').map(numberIn);
    return rest.length > 0 ? null : { input, output };
  },
};

/** How a provider's model is asked: options of every command that calls one. */
export const MODEL_OPTIONS = {
  ...inGroup(MODEL, 'run', {
    baseUrl: text('--base-url <url>', "the provider's address, for openai-compatible/ and for proxies"),
    temperature: number(
      '--temperature <t>',
      'sampling temperature; sent only when given, since some models refuse it',
      z.number().min(0),
      'a number, 0 or more',
    ),
    reasoningEffort: choice(
      '--reasoning-effort <level>',
      `how much a reasoning model may think: ${REASONING_EFFORTS.join(', ')}`,
      REASONING_EFFORTS,
    ),
    maxOutputTokens: whole(
      '--max-output-tokens <n>',
      'cap for each record, times the batch size (default: 2048)',
      1,
    ),
    structuredOutput: toggle('--no-structured-output', 'ask for JSON in the prompt only, without a schema'),
    reasoning: toggle(
      '--no-reasoning',
      'ask for the answer only, without reasoning before it and a reason for deferring after it',
    ),
    timeout: positiveNumber('--timeout <seconds>', 'longest wait for a reply (default: 300)'),
    maxRetries: whole('--max-retries <n>', 'retries after a transient failure (default: 3)', 0),
  }),
  ...inGroup(SPEED, 'run', {
    maxConcurrency: CONCURRENCY,
    rpm: positiveNumber('--rpm <n>', 'at most this many calls a minute'),
    tpm: positiveNumber('--tpm <n>', 'at most this many tokens a minute'),
    budget: positiveNumber(
      '--budget <usd>',
      'spend no more than this; the most a call can cost is set aside before it goes out',
    ),
    maxRetryAfter: positiveNumber(
      '--max-retry-after <seconds>',
      'stop when the provider asks for a longer wait (default: 3600)',
    ),
    price: PRICE,
    cache: toggle('--no-cache', 'neither use nor store replies in .krisis/cache.db'),
  }),
  ...inGroup(SPEED, null, {
    releaseUnsettled: toggle(
      '--release-unsettled',
      'free what a killed process set aside of the budget; it may have been charged',
    ),
    ignoreWaits: toggle('--ignore-waits', 'forget what providers asked earlier commands to wait'),
  }),
  ...inGroup(MODEL, null, {
    allowEgress: list(
      '--allow-egress <providers>',
      'send protected data to these providers, e.g. openai (recorded in the run)',
    ),
  }),
  ...inGroup(OUTPUT, 'run', {
    signKey: text(
      '--sign-key <file>',
      'sign the run with this Ed25519 private key (PEM); also KRISIS_SIGN_KEY (krisis verify checks it)',
    ),
    keepText: toggle(
      '--keep-text',
      'store texts of models about protected records too, with patient data blocked out (recorded in the run)',
    ),
    failOnError: number(
      '--fail-on-error <share>',
      'fail the run when more than this share of rows failed (default: 0)',
      z.number().min(0).max(1),
      'a number from 0 to 1',
    ),
  }),
  ...inGroup(OUTPUT, null, {
    verbose: toggle('--verbose', 'show where an error in the code of your own backend was thrown'),
  }),
  ...inGroup(JUDGE, null, {
    passes: forQuestions(whole('--passes <n>', 'how often the judge reads each answer (default: 1)', 1)),
    buckets: forQuestions(
      toggle('--buckets', 'also ask the judge for the four lists directly, to compare with older results'),
    ),
  }),
};

/** The options of `krisis run`, besides those of its suite and its gates. */
export const RUN_OPTIONS = {
  ...inGroup(MODEL, 'run', { model: MODEL_NAMES }),
  ...inGroup('Records:', 'run', {
    limit: whole('--limit <n>', 'the first n records of a seeded order that does not depend on labels', 1),
    stratify: forLabels(
      text(
        '--stratify <key>',
        'with --limit, take the same share of every value of a metadata key, or of label',
      ),
    ),
    seed: {
      ...whole(
        '--seed <n>',
        'seed of generated records, of their order and of simulated models (default: 42)',
        0,
      ),
      config: null,
    },
    repeat: whole('--repeat <r>', 'ask every record r times (default: 1)', 1),
    keepFailed: toggle(
      '--keep-failed',
      'leave failed rows of the run as they are; without it they are asked again',
    ),
    arm: forLabels(text('--arm <name>', "how the question is put (default: the task's own arm)")),
  }),
  ...inGroup(SPEED, 'run', {
    batchSize: forLabels(
      whole('--batch-size <n>', 'records in one call (default: 1, or that of the run file)', 1),
    ),
  }),
  ...MODEL_OPTIONS,
  ...inGroup(JUDGE, 'run', {
    judge: forQuestions(
      text('--judge <model>', 'model that judges the answers to open questions, or baseline/lexical'),
    ),
  }),
  ...inGroup(JUDGE, null, {
    judgeBaseUrl: forQuestions(
      text('--judge-base-url <url>', "the judge's address, where it is not the model's"),
    ),
  }),
  ...inGroup('Statistics:', null, {
    bootstrap: whole('--bootstrap <n>', 'resamples for bootstrap intervals (default: 2000)', 0),
    cluster: forLabels(CLUSTER),
    groupBy: forLabels(list('--group-by <keys>', 'compare groups of a metadata key, e.g. sex or origin')),
    bundle: forLabels(
      choice('--bundle <name>', 'which metrics: default or extended', ['default', 'extended']),
    ),
  }),
  ...inGroup(OUTPUT, null, {
    run: text('--run <file>', 'run file (default: one under .krisis/runs, named after the suite and model)'),
    new: toggle('--new', 'start a new run instead of continuing an earlier one'),
    dryRun: toggle('--dry-run', 'print what would be asked and what it would cost; ask nothing'),
    watch: toggle('--watch', 'run again when config, suite, questions or data change'),
    json: toggle('--json', 'print one JSON object on standard output'),
  }),
};

export type ModelValues = ValuesOf<typeof MODEL_OPTIONS>;
export type RunValues = ValuesOf<typeof RUN_OPTIONS>;
