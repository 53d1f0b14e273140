import { z } from 'zod';
import { REASONING_EFFORTS } from '../../models/api/api-options.ts';
import { GRADERS } from '../../rubrics/judge/grader.ts';
import { choice, number, text, toggle, whole } from '../../suites/suite-option.ts';
import { HEADINGS } from '../help.ts';
import {
  duration,
  inGroup,
  labelGroup,
  list,
  numberIn,
  type OptionSpec,
  positiveNumber,
  questionGroup,
  resamples,
  settings,
  type ValuesOf,
} from './option.ts';
import { CLUSTER } from './score-options.ts';

const {
  model: MODEL,
  records: RECORDS,
  speed: SPEED,
  questions: JUDGE,
  statistics: STATISTICS,
  output: OUTPUT,
} = HEADINGS;

const MODEL_NAMES: OptionSpec<string | readonly string[]> = {
  ...list('-m, --model <names>', 'model, or several separated by commas'),
  schema: z.union([z.string(), z.array(z.string().min(1)).min(1)]),
};

const ARMS: OptionSpec<string | readonly string[]> = {
  ...list('--arm <names>', 'how to put the question; several: a run each'),
  schema: z.union([z.string(), z.array(z.string().min(1)).min(1)]),
};

const JUDGES: OptionSpec<string | readonly string[]> = {
  ...list('--judge <models>', 'model that judges; several are a jury'),
  schema: z.union([z.string(), z.array(z.string().min(1)).min(1)]),
};

const CONCURRENCY: OptionSpec<number | 'auto'> = {
  ...text('--max-concurrency <n>', 'calls at the same time (default: auto)'),
  schema: z.union([z.literal('auto'), z.int().min(1)]),
  expected: 'a whole number, 1 or more, or auto',
  read: (typed) => (typed === 'auto' ? typed : numberIn(typed)),
};

const SHARD: OptionSpec<{ readonly index: number; readonly of: number }> = {
  ...text('--shard <i/n>', 'only part i of n; krisis runs merge combines them'),
  schema: z
    .strictObject({ index: z.int().min(1), of: z.int().min(1).max(10_000) })
    .refine(({ index, of }) => index <= of),
  expected: 'a part and the number of parts, from 1/8 to 8/8',
  read: (typed) => {
    const [index, of, ...rest] = typed.split('/').map(numberIn);
    return rest.length > 0 ? null : { index, of };
  },
};

const CACHE: OptionSpec<boolean> = {
  ...toggle('--no-cache', 'neither read nor store replies (.krisis/cache.db)'),
  opposite: { flags: '--cache', description: 'read it also with --new, --repeat and conditions' },
};

const QUEUE: OptionSpec<string | true> = {
  ...text('--queue [url]', 'ask through workers; Redis (default: KRISIS_QUEUE_URL)'),
  schema: z.union([z.string().min(1), z.literal(true)]),
};

/** How a run uses workers. */
export const QUEUE_OPTIONS = inGroup(HEADINGS.queue, null, {
  queue: QUEUE,
  priority: choice('--priority <level>', 'go before (high) or after (low) other runs', ['high', 'low']),
  ...settings({
    queueWait: duration('queueWait=<time>', 'how long to wait for a worker (default: 10m)'),
    mixedWorkers: toggle('mixedWorkers=true', 'allow workers that serve different weights'),
  }),
});

/** How a provider's bulk jobs are used. */
export const BULK_OPTIONS = inGroup(HEADINGS.bulk, null, {
  bulk: toggle('--bulk', 'ask through bulk jobs: half the price, within a day'),
  detach: toggle('--detach', 'exit after submission; the same command continues'),
  ...settings({
    bulkMax: whole('bulkMax=<n>', 'most requests in one job (default: 10000)', 1),
    bulkWait: duration('bulkWait=<time>', 'how long to wait for results (default: 26h)'),
    bulkRest: choice('bulkRest=<how>', 'ask the rest in later jobs (wait, default) or now', ['wait', 'now']),
    bulkTrial: whole('bulkTrial=<n>', 'ordinary calls before the first job (default: 1)', 0),
    bulkAgain: toggle('bulkAgain=true', 'ask again requests whose results are gone'),
    bulkPoll: duration('bulkPoll=<time>', 'first pause between checks (default: 30s)'),
  }),
});

const temperature = (flags: string, description: string) =>
  number(flags, description, z.number().min(0), 'a number, 0 or more');

const price = (
  flags: string,
  description: string,
): OptionSpec<{ readonly input: number; readonly output: number }> => ({
  ...text(flags, description),
  schema: z.strictObject({ input: z.number().min(0), output: z.number().min(0) }),
  expected: 'two numbers separated by a comma, e.g. 0.15,0.60',
  read: (typed) => {
    const [input, output, ...rest] = typed.split(',').map(numberIn);
    return rest.length > 0 ? null : { input, output };
  },
});

/** How a provider's model is asked: options of every command that calls one. */
export const MODEL_OPTIONS = {
  ...inGroup(MODEL, 'run', {
    baseUrl: text('--base-url <url>', 'address of the API: openai-compatible/, proxies'),
    ...settings({ endpoint: text('endpoint=<name>', "replaces the address in a run's identity") }),
    temperature: temperature('--temperature <t>', 'sampling temperature (default: not sent)'),
    reasoningEffort: choice('--reasoning-effort <level>', REASONING_EFFORTS.join(', '), REASONING_EFFORTS),
    maxOutputTokens: whole('--max-output-tokens <n>', 'longest reply per case (default: 2048)', 1),
    ...settings({
      structuredOutput: toggle('structuredOutput=false', 'ask for JSON in the prompt, send no schema'),
      reasoning: toggle('reasoning=false', 'ask for the answer only, no reasoning before it'),
      logprobs: toggle('logprobs=true', 'also take confidence from token probabilities'),
      maxRetries: whole('maxRetries=<n>', 'retries after a transient failure (default: 3)', 0),
    }),
    /** Seconds. */
    timeout: positiveNumber('--timeout <seconds>', 'longest wait for a reply (default: 300)'),
  }),
  ...inGroup(SPEED, 'run', {
    maxConcurrency: CONCURRENCY,
    /** US dollars. */
    budget: positiveNumber('--budget <usd>', 'stop before spending more than this'),
    ...settings({
      /** Calls a minute at most. */
      rpm: positiveNumber('rpm=<n>', 'at most this many calls a minute'),
      /** Tokens a minute at most. */
      tpm: positiveNumber('tpm=<n>', 'at most this many tokens a minute'),
      /** Seconds: a longer wait that a provider asks for stops the run. */
      maxRetryAfter: positiveNumber(
        'maxRetryAfter=<seconds>',
        'stop if asked to wait longer (default: 3600)',
      ),
      price: price('price=<in,out>', 'your price, US dollars per million tokens'),
    }),
    /** False: replies are neither read from the cache nor stored there. True: they are read also by a new run, with repeats and with conditions. */
    cache: CACHE,
  }),
  ...inGroup(
    SPEED,
    null,
    settings({
      releaseUnsettled: toggle('releaseUnsettled=true', 'free the budget that a killed process reserved'),
      ignoreWaits: toggle('ignoreWaits=true', 'forget waits that providers asked for earlier'),
    }),
  ),
  ...inGroup(MODEL, null, {
    allowEgress: list('--allow-egress <names>', 'who may receive protected data: openai, a host'),
  }),
  ...inGroup(OUTPUT, 'run', {
    /** File of the Ed25519 private key (PEM) that signs runs. */
    signKey: text('--sign-key <file>', 'key (PEM) to sign with (default: KRISIS_SIGN_KEY)'),
    /** Store texts of models about protected records too, with patient data blocked out. In a config, only in one named by `--config`. */
    keepText: toggle('--keep-text', 'store replies about protected data, redacted'),
    failOnError: number(
      '--fail-on-error <share>',
      'fail if more than this share failed (default: 0)',
      z.number().min(0).max(1),
      'a number from 0 to 1',
    ),
  }),
  ...inGroup(OUTPUT, null, {
    verbose: toggle('--verbose', 'show the stack of an error in your own backend'),
  }),
};

/** How answers are judged. */
export const GRADING_OPTIONS = questionGroup(JUDGE, null, {
  passes: whole('--passes <n>', 'times to judge each answer (default: 1)', 1),
  buckets: toggle('--buckets', 'also ask for the four lists of excerpts'),
  claims: text('--claims <file>', 'check claims outside the items against this source'),
  grader: choice('--grader <protocol>', 'verdicts (default) or healthbench', GRADERS),
  graderTemplate: text('--grader-template <file>', 'prompt of the grader healthbench'),
});

/** How the judge of a run is asked. Nothing of how the model is asked applies to it. */
export const JUDGE_OPTIONS = questionGroup(
  JUDGE,
  'run',
  settings({
    /** A file of rules of your own for the judge, in place of the built-in ones. */
    judgeInstructions: text('--judge-instructions <file>', 'rules for the judge, in place of ours'),
    judgeBaseUrl: text('judgeBaseUrl=<url>', "address of the judge's API"),
    judgeTemperature: temperature('judgeTemperature=<t>', 'as --temperature, for the judge'),
    judgeReasoningEffort: choice(
      'judgeReasoningEffort=<level>',
      'as --reasoning-effort, for the judge',
      REASONING_EFFORTS,
    ),
    judgeMaxOutputTokens: whole(
      'judgeMaxOutputTokens=<n>',
      'longest reply of the judge; splits long lists',
      1,
    ),
    /** Seconds. */
    judgeTimeout: positiveNumber('judgeTimeout=<seconds>', 'as --timeout, for the judge (default: 300)'),
    judgeStructuredOutput: toggle('judgeStructuredOutput=false', 'send no schema to the judge'),
    judgePrice: price('judgePrice=<in,out>', "the judge's price, as price"),
  }),
);

/** The options of `krisis run`, besides those of its suite and its gates. */
export const RUN_OPTIONS = {
  ...inGroup(MODEL, 'run', { model: MODEL_NAMES }),
  ...inGroup(RECORDS, 'run', {
    limit: whole('--limit <n>', 'ask n cases, in a seeded order', 1),
  }),
  ...labelGroup(RECORDS, 'run', {
    stratify: text('--stratify <key>', 'with --limit: the same share of each value'),
  }),
  ...inGroup(RECORDS, 'run', {
    /** A list of records that people found wrong, as `krisis review apply` writes it. */
    exclude: text('--exclude <file>', 'leave out cases found wrong in a review'),
  }),
  ...inGroup(RECORDS, null, { seed: whole('--seed <n>', 'seed of every random draw (default: 42)', 0) }),
  ...inGroup(RECORDS, 'run', {
    repeat: whole('--repeat <r>', 'ask every case r times (default: 1)', 1),
    keepFailed: toggle('--keep-failed', 'do not ask failed cases again'),
    /** A file with a system prompt of your own. */
    ...settings({ systemFile: text('systemFile=<file>', 'your system prompt (text)') }),
  }),
  ...questionGroup(
    RECORDS,
    'run',
    settings({
      /** A file with a template of the message, with `{{question}}` in it. */
      templateFile: text('templateFile=<file>', 'message with {{question}} in it'),
    }),
  ),
  ...labelGroup(RECORDS, 'run', {
    arm: ARMS,
  }),
  ...inGroup(SPEED, null, { shard: SHARD }),
  ...labelGroup(SPEED, 'run', {
    batchSize: whole('--batch-size <n>', 'cases in one call (default: 1)', 1),
  }),
  ...questionGroup(JUDGE, 'run', {
    /** Who judges the answers to open questions; several are a jury. */
    judge: JUDGES,
  }),
  ...JUDGE_OPTIONS,
  ...settings(GRADING_OPTIONS),
  ...inGroup(STATISTICS, null, {
    bootstrap: resamples('--bootstrap <n>', 'resamples for bootstrap intervals (default: 2000)'),
  }),
  ...labelGroup(STATISTICS, null, {
    cluster: CLUSTER,
    groupBy: list('--group-by <keys>', 'compare groups, e.g. sex or age'),
    bundle: choice('--bundle <name>', 'which metrics: default or extended', ['default', 'extended']),
  }),
  ...labelGroup(HEADINGS.conditions, null, {
    stopEarly: toggle('--stop-early', 'stop once all conditions are decided'),
    ...settings({
      stopEarlyAlpha: choice('stopEarlyAlpha=<for>', 'bounds hold for each condition (default) or release', [
        'each',
        'release',
      ]),
      claim: choice('claim=<of>', 'claim about the population (default) or suite', ['population', 'suite']),
    }),
  }),
  ...inGroup(OUTPUT, null, {
    run: text('--run <file>', 'run file (default: one under .krisis/runs)'),
    new: toggle('--new', 'start a new run, do not continue one'),
    dryRun: toggle('--dry-run', 'show calls and cost, ask nothing'),
    watch: toggle('--watch', 'run again when config, suite or data change'),
    full: toggle('--full', 'print every number'),
    json: toggle('--json', 'print one JSON object on standard output'),
  }),
  ...BULK_OPTIONS,
  ...QUEUE_OPTIONS,
  ...MODEL_OPTIONS,
};

/** Keys of `run` in the config file that are not options of the command line, or not in this form. */
export const RUN_CONFIG = z.strictObject({
  /** Conditions that every run has to meet: `upper(missed_emergency_rate) <= 0.1`. Those on the command line take their place. */
  assert: z.array(z.string()).readonly().describe('conditions of every run; those typed take their place'),
  retryBaseSeconds: z.number().gt(0).describe('first pause before a retry, in seconds (default: 1)'),
  retryMaxSeconds: z.number().gt(0).describe('longest pause before a retry, in seconds (default: 60)'),
});

/** What `krisis run --help` shows; `--help-all` shows the rest. */
export const RUN_HELP = [
  '--model',
  '--base-url',
  '--allow-egress',
  '--temperature',
  '--limit',
  '--repeat',
  '--exclude',
  '--group-by',
  '--max-concurrency',
  '--timeout',
  '--budget',
  '--no-cache',
  '--judge',
  '--assert',
  '--non-inferior',
  '--margin',
  '--stop-early',
  '--run',
  '--new',
  '--dry-run',
  '--full',
  '--json',
  '--config',
];

export type RunValues = ValuesOf<typeof RUN_OPTIONS>;
