import { KrisisError } from '../core/errors.ts';
import { allowsEgress, egressName } from '../models/api/providers/providers.ts';
import type { Backend } from '../models/backend.ts';
import type { Run } from '../store/run.ts';
import type { Sensitivity } from '../suites/suite.ts';

/** Where records were sent to, as the manifest records it. */
export type Egress = NonNullable<Run['egress']>;

/** A suite is protected unless it says otherwise. */
export function isProtected({ sensitivity }: { readonly sensitivity?: Sensitivity | undefined }): boolean {
  return (sensitivity ?? 'protected') === 'protected';
}

/** Refuses to send protected data off this machine unless the user has allowed the destination. Returns what the manifest records. */
export function checkEgress(
  suite: { readonly sensitivity?: Sensitivity | undefined },
  { name, destination }: Pick<Backend, 'name' | 'destination'>,
  allowed: readonly string[] = [],
  isBulk = false,
): Egress | null {
  if (destination === undefined) return null;
  const { provider, host, loopback, through } = destination;
  const guarded = isProtected(suite);
  if (through !== undefined) {
    if (guarded && !allowed.includes(through))
      throw new KrisisError(
        `${name}: the suite's data are protected, and a queue hands them to workers, which may be on other machines. Allow it with allowEgress: ['${through}', ...], together with the providers or hosts that workers send to`,
        { code: 'ERR_EGRESS_NOT_ALLOWED', value: through },
      );
    return { provider, host, loopback, protectedDataAllowed: guarded };
  }
  // A bulk job leaves questions and answers with the provider until they are deleted, which an ordinary call does not.
  const suffix = isBulk ? ':bulk' : '';
  const isAllowed = allowsEgress(allowed, destination, suffix);
  if (guarded && !loopback && !isAllowed) {
    const needed = `${egressName(destination)}${suffix}`;
    throw new KrisisError(
      `${name}: the suite's data are protected, and this model would send them to ${host}${isBulk ? ', where a bulk job stores them until they are deleted' : ''}. Allow it with allowEgress: ['${needed}'], or use a model on this machine, such as ollama/MODEL`,
      { code: 'ERR_EGRESS_NOT_ALLOWED', value: needed },
    );
  }
  const protectedDataAllowed = guarded && !loopback && isAllowed;
  return { provider, host, loopback, protectedDataAllowed, ...(isBulk && { bulk: true }) };
}
