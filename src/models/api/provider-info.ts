import { didYouMean, KrisisError } from '../../core/index.ts';
import type { Environment } from './api-options.ts';
import { type KnownModel, knownModel, knownModels } from './known-models.ts';
import type { ModelAccess, Provider } from './providers/provider.ts';
import { PROVIDER_LIST } from './providers/providers.ts';

/** What is known about a provider without calling it. */
export interface ProviderInfo {
  /** The part of a model's name before the slash. */
  readonly name: string;
  readonly aliases: readonly string[];
  /** Whether there is a key: `set`, `missing`, or `not_needed`. The key itself is nowhere in here. */
  readonly key: 'set' | 'missing' | 'not_needed';
  /** The variables that hold the key; none where it is missing or not needed. */
  readonly keyVariables: readonly string[];
  /** What is missing before a model can be called; null where nothing is. */
  readonly missing: string | null;
  /** The host that is called; null where it is not known yet. */
  readonly host: string | null;
  /** Models to try, with their prices where these are known. */
  readonly examples: readonly (Pick<KnownModel, 'id'> & Partial<KnownModel>)[];
}

/**
 * Every provider of models behind an API: whether its key is set, which host is called, and a few models. Calls nothing. `env` is where keys and addresses are read from. Default: the
 * environment of the process.
 *
 * @example
 * ```ts
 * const [openai] = await listProviders({ OPENAI_API_KEY: 'secret' });
 * [openai.name, openai.key, openai.host] // => ['openai', 'set', 'api.openai.com']
 * ```
 */
export function listProviders(env: Environment = process.env): Promise<ProviderInfo[]> {
  return Promise.all(PROVIDER_LIST.map((provider) => infoOf(provider, env)));
}

/** One provider by its name or alias, with all its models whose price is known. */
export async function describeProvider(
  name: string,
  env: Environment = process.env,
): Promise<ProviderInfo & { readonly models: readonly KnownModel[] }> {
  const provider = PROVIDER_LIST.find((one) => one.name === name || one.aliases?.includes(name));
  if (provider === undefined)
    throw new KrisisError(
      `no provider "${name}"; ${didYouMean(
        name,
        PROVIDER_LIST.map((one) => one.name),
      )}`,
      { code: 'ERR_MODEL_NOT_FOUND', value: name },
    );
  return { ...(await infoOf(provider, env)), models: await knownModels(provider.priceTable) };
}

async function infoOf(provider: Provider, env: Environment): Promise<ProviderInfo> {
  const { name, aliases = [], examples, priceTable } = provider;
  const ready = access(provider, env, { keyRequired: true });
  const planned = access(provider, env, { keyRequired: false });
  // With an address given, only the key can be missing.
  const keyed = access(provider, env, { keyRequired: true, baseUrl: new URL('http://127.0.0.1') });
  const known = await Promise.all(examples.map((id) => knownModel(priceTable, id)));
  return {
    name,
    aliases,
    key: keyStatus(keyed),
    keyVariables: keyed instanceof KrisisError || keyed.secrets.length === 0 ? [] : keyed.keyVariables,
    // `openai/gpt-5-mini needs a key: set X` is about the provider here.
    missing: ready instanceof KrisisError ? ready.message.replace(/^\S+ needs /, 'needs ') : null,
    host: planned instanceof KrisisError ? null : planned.url.host,
    examples: examples.map((id, i) => known[i] ?? { id }),
  };
}

/** Providers look for their key before their address. */
function keyStatus(keyed: ModelAccess | KrisisError): ProviderInfo['key'] {
  if (keyed instanceof KrisisError) return keyed.code === 'ERR_API_KEY' ? 'missing' : 'set';
  return keyed.secrets.length > 0 ? 'set' : 'not_needed';
}

/** How a model of the provider would be called, or what is missing for that. */
function access(
  { name, examples, access }: Provider,
  env: Environment,
  options: { readonly keyRequired: boolean; readonly baseUrl?: URL },
): ModelAccess | KrisisError {
  const id = examples[0]!;
  try {
    const request = {
      model: `${name}/${id}`,
      id,
      baseUrl: null,
      env,
      sendsKey: true,
      structuredOutput: true,
    };
    return access({ ...request, ...options });
  } catch (error) {
    if (error instanceof KrisisError) return error;
    throw error;
  }
}
