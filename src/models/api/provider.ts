import type { LanguageModelV4, LanguageModelV4CallOptions } from '@ai-sdk/provider';
import { KrisisError } from '../../core/index.ts';
import type { Environment } from './api-options.ts';

/** What a provider is asked for. */
export interface ModelRequest {
  /** The model as the user names it, for messages. */
  readonly model: string;
  /** The model as the provider names it. */
  readonly id: string;
  /** An address in place of the provider's own. */
  readonly baseUrl: URL | null;
  readonly env: Environment;
  readonly structuredOutput: boolean;
}

/** The way to one model: where it is and how it is called. No call has been made, and no SDK loaded. */
export interface ModelAccess {
  readonly url: URL;
  /** True where `url` is the provider's own address. */
  readonly isUsualAddress: boolean;
  /** What to check when access is denied. */
  readonly keyVariables: readonly string[];
  readonly secrets: readonly string[];
  readonly load: (fetch: typeof globalThis.fetch) => Promise<LanguageModelV4>;
  /** How cap and effort are put, where this provider has its own way. */
  readonly callOptions?: (options: CallLimits) => Partial<LanguageModelV4CallOptions>;
}

interface CallLimits {
  readonly maxOutputTokens: number;
  readonly reasoning: NonNullable<LanguageModelV4CallOptions['reasoning']>;
}

export type Provider = (request: ModelRequest) => ModelAccess;

interface Key {
  readonly variable: string;
  readonly value: string;
}

/** The first of these variables that holds a key. */
export function findKey(env: Environment, variables: readonly string[]): Key | null {
  for (const variable of variables) {
    const value = env[variable]?.trim() ?? '';
    if (value === '') continue;
    // It goes into a header, where anything else ends in an error that shows it.
    if (!/^[\x21-\x7e]+$/.test(value))
      throw new KrisisError(`${variable} holds spaces, line breaks or letters that no key has; set it again`);
    return { variable, value };
  }
  return null;
}

export function needKey({ model, env }: ModelRequest, variables: readonly string[]): Key {
  const key = findKey(env, variables);
  if (key !== null) return key;
  const [first, ...others] = variables;
  throw new KrisisError(
    `${model} needs a key: set ${first}${others.length === 0 ? '' : ` (or ${others.join(' or ')})`}`,
  );
}
