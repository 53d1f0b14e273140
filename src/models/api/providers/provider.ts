import type { LanguageModelV4CallOptions } from '@ai-sdk/provider';
import { KrisisError } from '../../../core/errors.ts';
import type { TextRequest } from '../../../core/text-request.ts';
import type { Environment } from '../api-options.ts';
import { baseUrlText, parseBaseUrl } from '../base-url.ts';
import type { BulkShape, Exchange } from '../bulk/wire.ts';
import type { ModelReply } from '../model-reply.ts';

/** A provider of models. A new one is such an object, and a line in `providers.ts`. */
export interface Provider {
  /** The part of a model's name before the slash: `openai`. */
  readonly name: string;
  /** Other names users know it by. Default: none. */
  readonly aliases?: readonly string[];
  /** Models to try, as the provider names them; the first is the smallest. */
  readonly examples: readonly string[];
  /** Its name in the price table of `@pydantic/genai-prices`. Default: no price is known. */
  readonly priceTable?: string;
  /** The most tokens of reasoning that its SDK asks for on top of the output cap when an effort is set. Default: 0, the cap covers reasoning. */
  readonly reasoningTokens?: number;
  /** Whose bulk jobs the provider's are like. Default: it has none that Krisis can use. */
  readonly bulk?: BulkShape;
  /** Whether a model runs elsewhere although the provider's address is on this machine. Default: no model does. */
  readonly forwards?: (id: string) => boolean;
  /** The host that such a model runs at. */
  readonly forwardsTo?: string;
  /** Reads key and address from the environment and says how the model is called. Calls nothing and loads no SDK. */
  readonly access: (request: ModelRequest) => ModelAccess;
}

/** The model a user asks for. */
export interface ModelRequest {
  /** The model as the user names it, for messages. */
  readonly model: string;
  /** The model as the provider names it. */
  readonly id: string;
  /** An address that replaces the provider's own. */
  readonly baseUrl: URL | null;
  readonly env: Environment;
  /** False where the address must not receive the user's key. */
  readonly sendsKey: boolean;
  readonly structuredOutput: boolean;
  /** False where the model is only planned for, and a missing key is no error. */
  readonly keyRequired: boolean;
}

/** Where a model is and how it is called. */
export interface ModelAccess {
  readonly url: URL;
  /** True where `url` is the provider's own address. */
  readonly isUsualAddress: boolean;
  /** True where `url` is at the provider's own host, over the protocol that it uses there. */
  readonly isOwnHost: boolean;
  /** The variables to check when access is denied. */
  readonly keyVariables: readonly string[];
  /** Values that must not appear in any message. */
  readonly secrets: readonly string[];
  /** Opens the model over connections to its host. */
  readonly open: (connection: Connection) => Promise<AskModel>;
  /** Whether log-probabilities of tokens can be asked for. Default: false. */
  readonly hasLogprobs?: boolean;
}

/** How requests leave this process. */
export interface Connection {
  readonly post: Exchange;
  /** The same for SDKs. */
  readonly fetch: typeof globalThis.fetch;
}

/** Puts a question to a model: over its connection, or through an exchange in place of it. */
export type AskModel = (question: ModelQuestion, exchange?: Exchange) => Promise<RawReply>;

export interface ModelQuestion extends Pick<TextRequest, 'messages'> {
  /** Sent to the provider. */
  readonly schema: TextRequest['schema'] | undefined;
  readonly temperature: number | undefined;
  readonly limits: CallLimits;
}

export interface RawReply {
  readonly reply: ModelReply;
  /** As received. */
  readonly body: unknown;
  /** Which option was not sent as given, as a sentence; null where all were. */
  readonly ignored: string | null;
}

/** How many tokens are listed at each place: enough for all labels of a task and their spellings. */
export const TOP_LOGPROBS = 20;

export interface CallLimits {
  readonly maxOutputTokens: number;
  readonly reasoning: NonNullable<LanguageModelV4CallOptions['reasoning']>;
  /** Whether to ask for log-probabilities of tokens. Default: false. */
  readonly logprobs?: boolean;
}

/** The settings of an ordinary call, with the key and to the address that the environment says. */
export const DEFAULT_REQUEST = {
  baseUrl: null,
  sendsKey: true,
  structuredOutput: true,
  keyRequired: true,
} as const;

export interface KeyedProvider extends Omit<Provider, 'access'>, Pick<ModelAccess, 'hasLogprobs'> {
  /** Variables that may hold the key, the preferred one first. */
  readonly keyVariables: readonly string[];
  /** The provider's own address. */
  readonly address: string;
  /** A variable that may hold another address. Default: none is read. */
  readonly addressVariable?: string;
  /** How the model is opened: with the key, at the address. */
  readonly open: (
    settings: { readonly apiKey: string; readonly baseURL: string },
    request: ModelRequest,
  ) => ModelAccess['open'];
}

/**
 * A provider with one key and one fixed address. The address is always passed to the SDK: otherwise the SDK would read variables of its own,
 * and questions could go to another host than the one announced.
 */
export function keyedProvider(definition: KeyedProvider): Provider {
  const { keyVariables, address, addressVariable, open, hasLogprobs = false, ...provider } = definition;
  return {
    ...provider,
    access: (request) => {
      const { variable, value: apiKey } = needKey(request, keyVariables);
      const url = request.baseUrl ?? addressFrom(request.env, addressVariable, address);
      const baseURL = baseUrlText(url);
      return {
        url,
        isUsualAddress: baseURL === address,
        isOwnHost: url.origin === new URL(address).origin,
        keyVariables: [variable],
        secrets: [apiKey],
        open: open({ apiKey, baseURL }, request),
        hasLogprobs,
      };
    },
  };
}

function addressFrom(env: Environment, variable: string | undefined, usual: string): URL {
  const url = variable === undefined ? null : addressIn(env, variable);
  if (url === null) return new URL(usual);
  // Some tools expect such a variable without the version, the SDKs with it.
  if (url.pathname === '/') url.pathname = new URL(usual).pathname;
  return url;
}

/** The address that a variable holds; null where it is not set. */
export function addressIn(env: Environment, variable: string): URL | null {
  const text = env[variable];
  return text ? parseBaseUrl(text, variable) : null;
}

/** Stands for a key that is not sent: SDKs do not work without one. */
export const NO_KEY = 'krisis-sends-no-key';

/** The first of these variables that holds a key. */
export function findKey(
  { env, sendsKey }: Pick<ModelRequest, 'env' | 'sendsKey'>,
  variables: readonly string[],
) {
  if (!sendsKey) return { variable: variables[0]!, value: NO_KEY };
  for (const variable of variables) {
    const value = env[variable]?.trim() ?? '';
    if (value === '') continue;
    // The key goes into a header, where any other character ends in an error that quotes it.
    if (!/^[\x21-\x7e]+$/.test(value))
      throw new KrisisError(
        `${variable} contains spaces, line breaks or characters that no key has; set it again`,
        { code: 'ERR_API_KEY' },
      );
    return { variable, value };
  }
  return null;
}

/** The key in one of these variables. Where none is required, a missing one is replaced by a text that no provider accepts. */
export function needKey(request: ModelRequest, variables: readonly string[]) {
  const { model, keyRequired } = request;
  const key = findKey(request, variables);
  if (key !== null) return key;
  const [first, ...others] = variables;
  if (!keyRequired) return { variable: first!, value: `${first}-is-not-set` };
  throw new KrisisError(
    `${model} needs a key: set ${first}${others.length === 0 ? '' : ` (or ${others.join(' or ')})`}`,
    { code: 'ERR_API_KEY' },
  );
}

/** A variable that becomes part of a host name, and so must not be able to name another host. */
export function hostPart({ model, env }: ModelRequest, variable: string, or = ''): string {
  const value = env[variable]?.trim() ?? '';
  if (value === '')
    throw new KrisisError(`${model} needs ${variable}: set it${or}`, { code: 'ERR_BASE_URL' });
  if (!/^[a-z0-9-]+$/i.test(value))
    throw new KrisisError(`${variable} contains more than letters, digits and hyphens; set it again`, {
      code: 'ERR_BASE_URL',
    });
  return value;
}

/** Loads a package that only some users need; where it is missing, the error says how to install it. */
export async function optionalPackage<T>(
  model: string,
  /** Its name and version, as npm takes it. */
  wanted: string,
  load: () => Promise<T>,
): Promise<T> {
  const name = wanted.slice(0, wanted.lastIndexOf('@'));
  try {
    return await load();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    // An installed package that lacks a dependency of its own is another error.
    if (code !== 'ERR_MODULE_NOT_FOUND' || !message.includes(`'${name}'`)) throw error;
    throw new KrisisError(`${model} needs the package ${name}: npm install ${wanted}`, {
      code: 'ERR_PACKAGE_MISSING',
      value: name,
    });
  }
}
