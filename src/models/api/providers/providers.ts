import { KrisisError } from '../../../core/errors.ts';
import { didYouMean } from '../../../core/near-names.ts';
import type { Destination } from '../../backend.ts';
import { ollama, openaiCompatible } from './chat-completions.ts';
import { azure, bedrock, vertex } from './cloud-providers.ts';
import { KEYED_PROVIDERS } from './keyed-providers.ts';
import type { Provider } from './provider.ts';

/** Every provider, in the order of lists and messages. */
export const PROVIDER_LIST: readonly Provider[] = [
  ...KEYED_PROVIDERS,
  azure,
  bedrock,
  vertex,
  ollama,
  openaiCompatible,
];

const BY_NAME: ReadonlyMap<string, Provider> = new Map(
  PROVIDER_LIST.flatMap((provider) =>
    [provider.name, ...(provider.aliases ?? [])].map((name) => [name, provider]),
  ),
);

/** The part of a model's name before the slash. */
export const PROVIDERS: readonly string[] = PROVIDER_LIST.map(({ name }) => name);

/** Whether a name is that of a provider, or another name of one, whatever its letter case. */
export function isProviderName(name: string): boolean {
  return BY_NAME.has(name.toLowerCase());
}

/** Whether a name is that of a model behind a known provider: `openai/...`. */
export function isApiModel(model: string): boolean {
  const slash = model.indexOf('/');
  return slash > 0 && BY_NAME.has(model.slice(0, slash));
}

/** Splits `provider/model`. The model's part may contain slashes. */
export function findProvider(model: string): { id: string; provider: Provider } {
  const slash = model.indexOf('/');
  const provider = slash < 0 ? undefined : BY_NAME.get(model.slice(0, slash));
  const id = model.slice(slash + 1).trim();
  if (provider === undefined || id === '')
    throw new KrisisError(
      `"${model}" is not a model krisis knows; expected provider/model, e.g. openai/gpt-5-mini; ${didYouMean(model.split('/')[0]!, PROVIDERS)}`,
      { value: model, code: 'ERR_MODEL_NOT_FOUND' },
    );
  return { provider, id };
}

/** The name in `allowEgress` that lets protected data go to a destination: the provider at its own host, otherwise the host. */
export function egressName({ provider, host, ownHost = true }: Destination): string {
  if (ownHost) return provider;
  return isProviderName(host) ? `${host}:443` : host;
}

/**
 * Whether `allowed` names a destination: by its provider at the provider's own host, or by its host, with or without the port. The name of a provider is never that of a host: a host called `openai`
 * is allowed by its name with a port. `suffix` is added to each name.
 *
 * @example
 * ```ts
 * const destination = { provider: 'openai', host: 'gateway.example:8443', loopback: false, ownHost: false };
 * allowsEgress(['openai'], destination) // => false
 * allowsEgress(['gateway.example'], destination) // => true
 * ```
 */
export function allowsEgress(allowed: readonly string[], destination: Destination, suffix = ''): boolean {
  const { host } = destination;
  const hosts = [host, host.replace(/:\d+$/, '')].filter((name) => !isProviderName(name));
  // An address without a port has one of these.
  const usual = isProviderName(host) ? [`${host}:443`, `${host}:80`] : [];
  const names = [...hosts, ...usual, egressName(destination)].map((name) => `${name}${suffix}`.toLowerCase());
  return allowed.some((entry) => names.includes(entry.trim().toLowerCase()));
}
