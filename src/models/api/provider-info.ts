import { createHmac } from 'node:crypto';
import { KrisisError } from '../../core/errors.ts';
import { didYouMean, nearNames } from '../../core/near-names.ts';
import type { Environment } from './api-options.ts';
import { parseBaseUrl } from './base-url.ts';
import { DEFAULT_REQUEST, type ModelAccess, type Provider } from './providers/provider.ts';
import { findProvider, PROVIDER_LIST, PROVIDERS } from './providers/providers.ts';

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
  return Promise.all(PROVIDER_LIST.map((provider) => readProviderInfo(provider, env)));
}

/** One provider by its name or alias, with all its models whose price is known. */
export async function describeProvider(
  name: string,
  env: Environment = process.env,
): Promise<ProviderInfo & { readonly models: readonly KnownModel[] }> {
  const provider = PROVIDER_LIST.find((one) => one.name === name || one.aliases?.includes(name));
  if (provider === undefined)
    throw new KrisisError(`no provider "${name}"; ${didYouMean(name, PROVIDERS)}`, {
      code: 'ERR_MODEL_NOT_FOUND',
      value: name,
    });
  return { ...(await readProviderInfo(provider, env)), models: await knownModels(provider.priceTable) };
}

async function readProviderInfo(provider: Provider, env: Environment): Promise<ProviderInfo> {
  const { name, aliases = [], examples, priceTable } = provider;
  const ready = access(provider, env);
  const planned = access(provider, env, { keyRequired: false });
  // With an address given, only the key can be missing.
  const keyed = access(provider, env, { baseUrl: new URL('http://127.0.0.1') });
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
  options: { readonly keyRequired?: boolean; readonly baseUrl?: URL } = {},
): ModelAccess | KrisisError {
  const id = examples[0]!;
  try {
    return access({ ...DEFAULT_REQUEST, model: `${name}/${id}`, id, env, ...options });
  } catch (error) {
    if (error instanceof KrisisError) return error;
    throw error;
  }
}

/** A model in the price table. */
export interface KnownModel {
  /** As the provider names it. */
  readonly id: string;
  /** US dollars per million tokens. */
  readonly input: number;
  readonly output: number;
}

/** Models that do not answer in text, and names that are only the beginning of others. */
const OTHER = /embed|image|audio|realtime|transcri|tts|whisper|moderation|voice|sonic|-live|ft[:-]/;
/** Few enough tokens for the price of short prompts, where longer ones cost more. */
const TOKENS = 1000;

/** The models of a provider whose price is known, by name. */
async function knownModels(priceTable: string | undefined): Promise<KnownModel[]> {
  if (priceTable === undefined) return [];
  const { findProvider } = await import('@pydantic/genai-prices');
  const ids = (findProvider({ providerId: priceTable })?.models ?? [])
    .filter(({ id, deprecated }) => deprecated !== true && !OTHER.test(id))
    .map(({ id }) => id);
  const priced = await Promise.all([...new Set(ids)].map((id) => knownModel(priceTable, id)));
  return priced
    .filter((model) => model !== null)
    .sort((a, b) => a.id.localeCompare(b.id, 'en', { numeric: true }));
}

/** The price of one model; null where it is not known. */
async function knownModel(priceTable: string | undefined, id: string): Promise<KnownModel | null> {
  if (priceTable === undefined) return null;
  const { calcPrice } = await import('@pydantic/genai-prices');
  const usage = { input_tokens: TOKENS, output_tokens: TOKENS };
  const found = calcPrice(usage, id, { providerId: priceTable });
  if (found === null) return null;
  const perMillion = (price: number) => Number(((price / TOKENS) * 1e6).toPrecision(6));
  return { id, input: perMillion(found.input_price), output: perMillion(found.output_price) };
}

/** The model that an unknown name was probably meant for: another spelling of what precedes the slash, or a provider's model without its provider. Null where nothing is near. */
export async function meantModel(typed: string): Promise<string | null> {
  const slash = typed.indexOf('/');
  if (slash < 0) {
    const { findProvider } = await import('@pydantic/genai-prices');
    const table = findProvider({ modelId: typed })?.id;
    const provider = PROVIDER_LIST.find(({ priceTable }) => priceTable !== undefined && priceTable === table);
    return provider === undefined ? null : `${provider.name}/${typed}`;
  }
  const [near] = nearNames(typed.slice(0, slash), [...PROVIDERS, 'baseline', 'simulated', 'replay']);
  return near === undefined ? null : `${near}${typed.slice(slash)}`;
}

const LABEL = 'krisis account';
const LENGTH = 12;

/**
 * Tells the accounts of one host apart without showing their keys: the same for two processes that use the same key. Null where the model is called without one.
 */
export function keyFingerprint(
  model: string,
  { baseUrl, env = process.env }: { readonly baseUrl?: string | undefined; readonly env?: Environment },
): string | null {
  const { id, provider } = findProvider(model);
  const { secrets } = provider.access({
    ...DEFAULT_REQUEST,
    ...{ model, id, env },
    baseUrl: baseUrl === undefined ? null : parseBaseUrl(baseUrl, 'baseUrl'),
  });
  // The first names the account; a session token beside it changes every hour.
  const [key] = secrets;
  return key === undefined ? null : createHmac('sha256', LABEL).update(key).digest('hex').slice(0, LENGTH);
}
