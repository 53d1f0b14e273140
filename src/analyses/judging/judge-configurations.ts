import { z } from 'zod';
import { count, type Shape } from '../../core/codec.ts';
import type { Run } from '../../store/run.ts';

export const judgePresentSchema = z.object({
  /** As reports name it: the model, with the beginning of the configuration where the run holds several of one model. */
  name: z.string(),
  /** The model alone. */
  judge: z.string(),
  /** The hash of its identity: model, parameters, prompt. */
  config: z.string(),
  passes: count,
  nJudgements: count,
  /** Of the wording it was asked in; empty where no model was asked. */
  promptHashes: z.array(z.string()),
  /** How it was asked; null where the run does not say. */
  settings: z.custom<JudgeSettings>().nullable(),
});
/** A configuration of a judge whose judgements a run holds. */
export type JudgePresent = Shape<typeof judgePresentSchema>;

/** How a judge was asked. */
export type JudgeSettings = NonNullable<Run['judges']>[number];

const SHOWN_LENGTH = 6;
/** A shorter beginning of a configuration is not taken for one. */
const MIN_PREFIX = 4;

/** Every configuration that was asked, as the run says. */
export function configurations({ judges }: Run): readonly JudgeSettings[] {
  return judges ?? [];
}

/** How reports name each configuration: by its model alone where the run holds one of it. Keys are `config judge`. */
export function voiceNames(
  members: readonly { readonly judge: string; readonly config: string }[],
): Map<string, string> {
  const configsOf = new Map<string, Set<string>>();
  for (const { judge, config } of members)
    configsOf.set(judge, (configsOf.get(judge) ?? new Set()).add(config));
  return new Map(
    members.map(({ judge, config }) => [
      `${config} ${judge}`,
      configsOf.get(judge)!.size === 1 ? judge : `${judge} (${config.slice(0, SHOWN_LENGTH)})`,
    ]),
  );
}

/** The judges whose verdicts are scored: those that were asked for last. Several are a jury. */
export function scoredMembers(
  { judgeConfigs, judges }: Run,
  present: readonly JudgePresent[],
): JudgePresent[] {
  return (judgeConfigs ?? []).flatMap((config) => {
    const asked = judges?.filter((entry) => entry.config === config).at(-1)?.judge;
    return present.find((one) => one.config === config && one.judge === asked) ?? [];
  });
}

/** The judges that a name, or the beginning of a configuration, speaks of; the one asked last first. */
export function matching(wanted: string, present: readonly JudgePresent[]): JudgePresent[] {
  const found = present.filter(
    ({ name, judge, config }) =>
      name === wanted || judge === wanted || (wanted.length >= MIN_PREFIX && config.startsWith(wanted)),
  );
  const time = ({ settings }: JudgePresent) => settings?.lastAsked ?? '';
  return found.toSorted(
    (a, b) => Number(b.name === wanted) - Number(a.name === wanted) || (time(a) < time(b) ? 1 : -1),
  );
}
