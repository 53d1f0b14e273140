import { KrisisError, snakeCase } from '../../core/index.ts';

type Kind = 'labels' | 'text';

/**
 * Refuses an option that means nothing for the suite or run at hand: ignoring it in silence would look as if it had worked.
 * `appliesTo` names the kind that an option is for; options that it does not name are for both.
 */
export function refuseIgnored(
  given: object,
  appliesTo: Readonly<Record<string, Kind | undefined>>,
  kind: Kind,
  subject: string,
): void {
  const ignored = Object.entries(given).find(
    ([name, value]) => value !== undefined && (appliesTo[name] ?? kind) !== kind,
  );
  if (ignored === undefined) return;
  const option = `--${snakeCase(ignored[0]).replaceAll('_', '-')}`;
  const [wanted, found] =
    kind === 'text' ? ['with labels', 'open questions'] : ['of open questions', 'labels'];
  throw new KrisisError(`${option} is for runs ${wanted}, and ${subject} has ${found}: leave it out`, {
    code: 'ERR_OPTION_NOT_APPLICABLE',
    value: option,
  });
}
