import { KrisisError } from '../../core/index.ts';
import { RUN_OPTIONS, type RunValues } from './run-options.ts';

const KINDS = { labels: 'suites with labels', text: 'open questions' } as const;

/** Refuses options that were typed and mean nothing for this suite: ignoring them in silence would look as if they had worked. */
export function refuseIgnored(typed: RunValues, kind: 'labels' | 'text', suite: string): void {
  const specs: Readonly<Record<string, { readonly flags: string; readonly appliesTo?: keyof typeof KINDS }>> =
    RUN_OPTIONS;
  for (const name of Object.keys(typed)) {
    const { flags, appliesTo } = specs[name]!;
    if (appliesTo === undefined || appliesTo === kind) continue;
    const [long] = /--[a-z-]+/.exec(flags)!;
    throw new KrisisError(
      `${long} is for ${KINDS[appliesTo]}; ${suite} has ${kind === 'text' ? 'open questions' : 'labels'}. Leave it out`,
      {
        code: 'ERR_OPTION_NOT_APPLICABLE',
        value: long,
      },
    );
  }
}
