import { isProviderName } from './api/providers/providers.ts';
import type { Destination } from './backend.ts';

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
