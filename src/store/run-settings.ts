import type { Run } from './run.ts';

/** Longer values are cut: lists hold the settings of many runs. */
const MAX_VALUE = 200;
/** More would be a description, not settings. */
const MAX_SETTINGS = 60;

/** The settings in which two runs of one model can differ, by their names in words: what was asked, how often, with which prompt and parameters. Unknown ones are left out. */
export function describeSettings(run: Run): Readonly<Record<string, string>> {
  const { identity, suite, nSelected, seed, arm, shard, krisisVersion, parameters, stopEarly } = run;
  const total = suite?.n_total_eval_records;
  const limited = typeof total === 'number' && nSelected !== null && nSelected < total ? ` of ${total}` : '';
  const settings: Readonly<Record<string, unknown>> = {
    cases: nSelected === null ? null : `${nSelected}${limited}`,
    repeats: identity.repeats,
    seed,
    arm,
    'version of the cases': shortHash(identity.suiteHash),
    prompt: shortHash(identity.promptHash),
    'cases in one call': identity.batchSize,
    part: shard && `${shard.index} of ${shard.of}`,
    'stops early': stopEarly && 'yes',
    ...flat(parameters ?? {}),
    krisis: krisisVersion,
  };
  const known = Object.entries(settings).filter(([, value]) => value !== null && value !== undefined);
  return Object.fromEntries(
    known.slice(0, MAX_SETTINGS).map(([name, value]) => [name, String(value).slice(0, MAX_VALUE)]),
  );
}

function shortHash(hash: string | null): string | null {
  return hash?.slice(0, 8) ?? null;
}

/** Parameters as texts; one that is an object or a list as JSON. */
function flat(parameters: Readonly<Record<string, unknown>>): Record<string, string | null> {
  return Object.fromEntries(
    Object.entries(parameters).map(([key, value]) => [
      key.replaceAll('_', ' '),
      value == null ? null : typeof value === 'object' ? JSON.stringify(value) : String(value),
    ]),
  );
}
