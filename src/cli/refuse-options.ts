import { KrisisError } from '../core/index.ts';

/** Refuses options that mean nothing for the kind of run at hand: ignoring them would look as if they had been followed. */
export function refuseOptions<Flags extends object>(
  flags: Flags,
  keys: readonly (keyof Flags & string)[],
  kind: 'labels' | 'open questions',
): void {
  const given = keys.find((key) => flags[key] !== undefined);
  if (given === undefined) return;
  const option = `--${given.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
  const [wanted, found] =
    kind === 'labels'
      ? ['with labels', 'a run of open questions']
      : ['of open questions', 'a run with labels'];
  throw new KrisisError(`${option} is for runs ${wanted}, and this is ${found}: leave it out`, {
    code: 'ERR_OPTION_NOT_APPLICABLE',
    value: option,
  });
}
