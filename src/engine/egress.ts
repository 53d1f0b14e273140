import { KrisisError } from '../core/index.ts';
import type { Backend } from '../models/index.ts';
import type { Suite } from '../suites/index.ts';

/** What the manifest says of where questions went. */
export interface Egress {
  readonly provider: string;
  readonly host: string;
  readonly loopback: boolean;
  /** True when protected data left this machine because the user said it may. */
  readonly protected_data_allowed: boolean;
}

/** Data of a suite that does not say whose they are belong to patients. */
export function isProtected({ sensitivity }: Pick<Suite, 'sensitivity'>): boolean {
  return (sensitivity ?? 'protected') === 'protected';
}

/** Refuses to send protected data off this machine, unless the user has named the provider; gives back what the manifest says of it. */
export function checkEgress(
  suite: Pick<Suite, 'sensitivity'>,
  { name, destination }: Pick<Backend, 'name' | 'destination'>,
  allowed: readonly string[] = [],
): Egress | null {
  if (destination === undefined) return null;
  const { provider, host, loopback } = destination;
  const guarded = isProtected(suite);
  const isAllowed = allowed.includes(provider);
  if (guarded && !loopback && !isAllowed)
    throw new KrisisError(
      `${name}: the suite's data are protected, and this model would send them to ${host}. To allow it, give --allow-egress ${provider} (or allowEgress: ['${provider}'] in the config); to keep them here, use a model on this machine, such as ollama/MODEL`,
      { value: name },
    );
  return { provider, host, loopback, protected_data_allowed: guarded && !loopback && isAllowed };
}
