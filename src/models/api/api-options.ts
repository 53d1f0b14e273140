import { KrisisError } from '../../core/index.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

export const REASONING_EFFORTS = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh'] as const;

/** Settings of a model behind an API. All of them have a default. */
export interface ApiOptions {
  /** Where the provider's API is, in place of its own address; what its SDK calls the base URL, for most of them ending in `/v1`. */
  readonly baseUrl?: string;
  /** Not sent unless given: models that reason refuse it. */
  readonly temperature?: number;
  /** Not sent unless given. */
  readonly reasoningEffort?: (typeof REASONING_EFFORTS)[number];
  /** The most a reply may take per row, reasoning included; a batch may take that many times its rows. */
  readonly maxOutputTokens?: number;
  /** How long one call may take. */
  readonly timeoutSeconds?: number;
  readonly maxRetries?: number;
  readonly retryBaseSeconds?: number;
  readonly retryMaxSeconds?: number;
  /** Whether the provider is told the JSON schema of the reply; true unless told. The prompt asks for the same form either way. */
  readonly structuredOutput?: boolean;
  /** US dollars per million tokens, in place of the built-in table. */
  readonly price?: { readonly input: number; readonly output: number };
  /** Most sockets at the same time. */
  readonly connections?: number;
  /** Where keys, addresses and proxies are read from; the process's own environment unless given. */
  readonly env?: Environment;
}

/** Leaves room for reasoning, and eight rows of it stay within the 16,384 that common models can give. */
export const DEFAULT_MAX_OUTPUT_TOKENS = 2048;
/** Reasoning models take minutes over a batch. */
export const DEFAULT_TIMEOUT_SECONDS = 300;
const DEFAULT_CONNECTIONS = 64;

type Defaulted = 'maxOutputTokens' | 'timeoutSeconds' | 'structuredOutput' | 'connections' | 'env';

/** The options with their defaults, checked: in a config file no compiler looked at them. */
export function completeOptions(options: ApiOptions): ApiOptions & Required<Pick<ApiOptions, Defaulted>> {
  checkNumber('temperature', options.temperature, 'zero or more', (value) => value >= 0);
  checkNumber('maxOutputTokens', options.maxOutputTokens, ...WHOLE);
  checkNumber(
    'timeoutSeconds',
    options.timeoutSeconds,
    'more than zero, and no more than a day',
    (value) => value > 0 && value <= 86_400,
  );
  checkNumber('connections', options.connections, ...WHOLE);
  checkNumber('price.input', options.price?.input, 'zero or more', (value) => value >= 0);
  checkNumber('price.output', options.price?.output, 'zero or more', (value) => value >= 0);
  const { reasoningEffort } = options;
  if (reasoningEffort !== undefined && !REASONING_EFFORTS.includes(reasoningEffort))
    throw new KrisisError(
      `reasoningEffort is "${reasoningEffort}"; expected one of ${REASONING_EFFORTS.join(', ')}`,
      { value: reasoningEffort },
    );
  return {
    ...options,
    maxOutputTokens: options.maxOutputTokens ?? DEFAULT_MAX_OUTPUT_TOKENS,
    timeoutSeconds: options.timeoutSeconds ?? DEFAULT_TIMEOUT_SECONDS,
    structuredOutput: options.structuredOutput ?? true,
    connections: options.connections ?? DEFAULT_CONNECTIONS,
    env: options.env ?? process.env,
  };
}

const WHOLE = [
  'a whole number, one or more',
  (value: number) => Number.isSafeInteger(value) && value >= 1,
] as const;

function checkNumber(
  name: string,
  value: number | undefined,
  expected: string,
  isFine: (value: number) => boolean,
): void {
  if (value === undefined || (Number.isFinite(value) && isFine(value))) return;
  throw new KrisisError(`${name} is ${JSON.stringify(value)}; expected ${expected}`, { value });
}
