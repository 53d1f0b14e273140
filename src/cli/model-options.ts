import { type Command, InvalidArgumentError, Option } from '@commander-js/extra-typings';
import { type ApiOptions, REASONING_EFFORTS } from '../models/index.ts';
import type { KrisisConfig } from './config/config.ts';
import { list, positiveNumber, wholeNumber } from './option-values.ts';

/** Adds the options that say how a provider's model is asked. */
export function withModelOptions<Args extends unknown[], Opts extends Record<string, unknown>>(
  command: Command<Args, Opts>,
) {
  return command
    .option('--base-url <url>', "the provider's address, for openai-compatible/ and for proxies")
    .option('--temperature <t>', 'sent only when given: some models refuse it', zeroOrMore)
    .addOption(
      new Option('--reasoning-effort <level>', 'how much a reasoning model may think').choices(
        REASONING_EFFORTS,
      ),
    )
    .option(
      '--max-output-tokens <n>',
      'cap for each record, times the batch size (default: 2048)',
      wholeNumber(1),
    )
    .option('--timeout <seconds>', 'longest wait for a reply (default: 300)', positiveNumber)
    .option('--max-retries <n>', 'tries after a passing failure (default: 3)', wholeNumber(0))
    .option('--no-structured-output', 'ask for JSON by instruction only, without a schema')
    .option(
      '--price <in,out>',
      'US dollars per million input and output tokens, in place of the table',
      price,
    )
    .option('--rpm <n>', 'calls a minute at most', positiveNumber)
    .option('--tpm <n>', 'tokens a minute at most', positiveNumber)
    .option('--budget <usd>', 'stop before the run costs more than this', positiveNumber)
    .option('--no-cache', 'neither use nor keep replies in .krisis/cache.db')
    .option(
      '--allow-egress <providers>',
      'send protected data to these providers, e.g. openai (said in the run)',
      list,
    );
}

interface ModelFlags {
  readonly baseUrl?: string | undefined;
  readonly temperature?: number | undefined;
  readonly reasoningEffort?: ApiOptions['reasoningEffort'] | undefined;
  readonly maxOutputTokens?: number | undefined;
  readonly timeout?: number | undefined;
  readonly maxRetries?: number | undefined;
  readonly structuredOutput: boolean;
  readonly price?: ApiOptions['price'] | undefined;
  readonly maxConcurrency?: number | 'auto' | undefined;
}

/** The options of a provider's model: flags before the config. */
export function apiOptions(flags: ModelFlags, { run = {} }: KrisisConfig): ApiOptions {
  const concurrency = flags.maxConcurrency ?? run.maxConcurrency;
  const options = {
    baseUrl: flags.baseUrl ?? run.baseUrl,
    temperature: flags.temperature ?? run.temperature,
    reasoningEffort: flags.reasoningEffort ?? run.reasoningEffort,
    maxOutputTokens: flags.maxOutputTokens ?? run.maxOutputTokens,
    timeoutSeconds: flags.timeout ?? run.timeout,
    maxRetries: flags.maxRetries ?? run.maxRetries,
    retryBaseSeconds: run.retryBaseSeconds,
    retryMaxSeconds: run.retryMaxSeconds,
    structuredOutput: flags.structuredOutput && run.structuredOutput !== false,
    price: flags.price ?? run.price,
    connections: typeof concurrency === 'number' ? concurrency : undefined,
  };
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
}

function zeroOrMore(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !(value >= 0 && Number.isFinite(value)))
    throw new InvalidArgumentError('Expected a number, 0 or more.');
  return value;
}

function price(text: string): { input: number; output: number } {
  const [input, output, ...rest] = text.split(',').map((part) => zeroOrMore(part));
  if (input === undefined || output === undefined || rest.length > 0)
    throw new InvalidArgumentError('Expected two numbers with a comma between them, e.g. 0.15,0.60.');
  return { input, output };
}
