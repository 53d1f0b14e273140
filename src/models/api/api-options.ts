import { KrisisError } from '../../core/errors.ts';
import type { Backend, BackendSettings, Transport } from '../backend.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

export const REASONING_EFFORTS = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh'] as const;

/** Settings of a model behind an API. */
export interface ApiOptions
  extends Pick<BackendSettings, 'maxRetries' | 'retryBaseSeconds' | 'retryMaxSeconds'> {
  /** The address of the API, as the provider's SDK takes it; most end in `/v1`. Default: the provider's own. */
  readonly baseUrl?: string;
  /** Whether the key in the environment is sent to `baseUrl`. Default: true. */
  readonly sendKey?: boolean;
  /** Sampling temperature. Default: not sent, because reasoning models refuse it. */
  readonly temperature?: number;
  /** How much a reasoning model thinks. Default: not sent, the provider decides. */
  readonly reasoningEffort?: (typeof REASONING_EFFORTS)[number];
  /** The most tokens a reply may take per row, reasoning included; a batch may take that many per row. Default: 2048. */
  readonly maxOutputTokens?: number;
  /** How long one call may take. Default: 300. */
  readonly timeoutSeconds?: number;
  /** Whether the JSON schema of the reply is sent to the provider. The prompt asks for the same form either way. Default: true. */
  readonly structuredOutput?: boolean;
  /** Whether the reply has room for short reasoning before the answer and for a reason for deferring after it. Part of a run's identity. Default: true. */
  readonly reasoning?: boolean;
  /** Whether to ask for log-probabilities of tokens, from which a confidence is computed beside the stated one. Part of a run's identity. Not all providers give them. Default: false. */
  readonly logprobs?: boolean;
  /** US dollars per million tokens. Default: the price in the built-in table, if it has one. */
  readonly price?: { readonly input: number; readonly output: number };
  /** The most sockets open at the same time. Default: 64. */
  readonly connections?: number;
  /** Whether a missing key is an error. Without a key a run can be planned, not made. Default: true. */
  readonly keyRequired?: boolean;
  /** How requests are made, in place of HTTP from this process: the SDK is not loaded and no key is needed here. Default: HTTP. */
  readonly transport?: Transport;
  /** Set where `transport` sends through a queue: what is known of the workers there. Default: there is no queue. */
  readonly queue?: Required<Pick<Backend, 'places' | 'workers'>>;
  /** What the run's identity names in place of the address, for machines that serve the same weights under different addresses. Default: the address itself. */
  readonly endpoint?: string;
  /** Where keys, addresses and proxies are read from. Default: the environment of the process. */
  readonly env?: Environment;
}

/** Leaves room for reasoning, and eight rows stay within the 16,384 tokens that common models can write. */
export const DEFAULT_MAX_OUTPUT_TOKENS = 2048;
/** Reasoning models take minutes for a batch. */
export const DEFAULT_TIMEOUT_SECONDS = 300;
const DEFAULT_CONNECTIONS = 64;

/** Checks the options, since a config file may not have been type-checked, and fills in the defaults. */
export function completeOptions(options: ApiOptions) {
  checkNumber('temperature', options.temperature, ZERO_OR_MORE);
  checkNumber('maxOutputTokens', options.maxOutputTokens, WHOLE);
  checkNumber('timeoutSeconds', options.timeoutSeconds, UP_TO_A_DAY);
  checkNumber('connections', options.connections, WHOLE);
  checkNumber('price.input', options.price?.input, ZERO_OR_MORE);
  checkNumber('price.output', options.price?.output, ZERO_OR_MORE);
  const { reasoningEffort } = options;
  if (reasoningEffort !== undefined && !REASONING_EFFORTS.includes(reasoningEffort))
    throw new KrisisError(
      `reasoningEffort is "${reasoningEffort}"; expected one of ${REASONING_EFFORTS.join(', ')}`,
      { value: reasoningEffort, code: 'ERR_MODEL_SETTING' },
    );
  return {
    ...options,
    maxOutputTokens: options.maxOutputTokens ?? DEFAULT_MAX_OUTPUT_TOKENS,
    timeoutSeconds: options.timeoutSeconds ?? DEFAULT_TIMEOUT_SECONDS,
    structuredOutput: options.structuredOutput ?? true,
    reasoning: options.reasoning ?? true,
    connections: options.connections ?? DEFAULT_CONNECTIONS,
    keyRequired: (options.keyRequired ?? true) && options.transport === undefined,
    sendKey: options.sendKey ?? true,
    env: options.env ?? process.env,
  };
}

const ZERO_OR_MORE = { expected: 'zero or more', isValid: (value: number) => value >= 0 };
const WHOLE = {
  expected: 'a whole number, one or more',
  isValid: (value: number) => Number.isSafeInteger(value) && value >= 1,
};
const UP_TO_A_DAY = {
  expected: 'more than zero and at most a day',
  isValid: (value: number) => value > 0 && value <= 86_400,
};

function checkNumber(name: string, value: number | undefined, rule: typeof WHOLE): void {
  if (value === undefined || (Number.isFinite(value) && rule.isValid(value))) return;
  throw new KrisisError(`${name} is ${JSON.stringify(value)}; expected ${rule.expected}`, {
    value,
    code: 'ERR_MODEL_SETTING',
  });
}
