import type { StopEarlyOptions } from '../analyses/early-stop/plan-early-stop.ts';
import { missingKeyText } from '../core/near-names.ts';
import { isApiModel } from '../models/api/providers/providers.ts';
import { type GatePlan, hasConditions } from '../runs/conditions/verdict.ts';
import type { AnySuite } from '../suites/questions/question-suite.ts';
import type { RunSettings } from './config/run-values.ts';
import { usageError } from './errors.ts';
import type { GateFlags } from './gate-options.ts';
import { printMessage } from './print.ts';
import { suiteKind } from './suite-kinds.ts';

/** The models that were asked for, or what is missing. */
export function checkModels(settings: RunSettings, suite: AnySuite): readonly string[] {
  const { model, run: file, baseUrl, arm } = settings;
  const { roles, message } = suiteKind(suite).requires;
  if (model === undefined || roles.some((role) => settings[role] === undefined)) throw usageError(message);
  const models = typeof model === 'string' ? [model] : model;
  if (file !== undefined && models.length * armsIn(arm).length > 1)
    throw usageError(
      '--run names one file, and several models or arms need one each: leave --run out, or give one model and one arm',
    );
  const providers = namedProviders(models);
  if (baseUrl !== undefined && providers.length > 1)
    throw usageError(
      `--base-url is the address of one provider, and the models are of ${providers.join(' and ')}: run them one after the other`,
    );
  return models;
}

/** The arms of a command; undefined is that of the task. */
export function armsIn(arm: RunSettings['arm']): readonly (string | undefined)[] {
  return typeof arm === 'object' ? [...new Set(arm)] : [arm];
}

/** The providers of models: a provider's key must not go to another provider's address. */
export function namedProviders(models: readonly string[]): string[] {
  return [...new Set(models.filter(isApiModel).map((model) => model.slice(0, model.indexOf('/'))))];
}

/** Refuses metadata keys that no record has, before the run file is created. */
export async function checkKeys({ cluster, stratify, groupBy }: RunSettings, suite: AnySuite): Promise<void> {
  if (cluster !== 'id' && cluster !== 'call') await checkKey('--cluster', cluster, suite);
  if (stratify !== 'label') await checkKey('--stratify', stratify, suite);
  for (const key of groupBy ?? []) await checkKey('--group-by', key, suite);
}

async function checkKey(flag: string, key: string | undefined, suite: AnySuite): Promise<void> {
  if (key === undefined) return;
  const streams = suite.stream !== undefined && (suite.canStream?.() ?? true);
  const records = streams ? suite.stream!() : await suite.load();
  const keys = new Set<string>();
  let isShown = false;
  for (const { metadata, features } of records) {
    if (metadata[key] != null) return;
    for (const name of Object.keys(metadata)) keys.add(name);
    isShown ||= Object.hasOwn(features, key);
  }
  const how = isShown ? `. The model sees ${key}: name it under groups to group by it` : '';
  throw usageError(`${flag}: ${missingKeyText('case', key, keys)}${how}`, key);
}

/** Conditions are for the merged run. Limits of money and speed hold for each part separately; no command adds them up. */
export function refuseForShard(settings: RunSettings, { assert, nonInferior }: GateFlags): void {
  const { shard } = settings;
  if (shard === undefined) return;
  const gate = assert !== undefined ? '--assert' : nonInferior !== undefined ? '--non-inferior' : null;
  if (gate !== null)
    throw usageError(
      `${gate} needs the whole run, and --shard ${shard.index}/${shard.of} asks a part of it: check the merged run with krisis report RUN ${gate}`,
    );
  const limits = (['budget', 'rpm', 'tpm'] as const).filter((limit) => settings[limit] !== undefined);
  if (limits.length > 0)
    printMessage(
      `${limits.map((limit) => `${limit} ${settings[limit]}`).join(', ')}: for this part alone; all ${shard.of} parts together may use ${shard.of} times as much\n`,
    );
}

/** How the runs stop early; undefined where they ask everything. */
export function stopEarlyOptions(
  { stopEarly, stopEarlyAlpha: alpha, claim }: RunSettings,
  plan: GatePlan,
  nModels: number,
): StopEarlyOptions | undefined {
  if (!stopEarly) {
    const flag = alpha !== undefined ? '--set stopEarlyAlpha' : claim !== undefined ? '--set claim' : null;
    if (flag !== null) throw usageError(`${flag} belongs to --stop-early`);
    return undefined;
  }
  if (!hasConditions(plan))
    throw usageError(
      "--stop-early needs a condition to decide: --assert 'lower(accuracy) >= 0.9', or --non-inferior RUN --margin 0.02",
    );
  return { plan, claim, alpha, nModels };
}

/** Refuses ways to run in which early stopping cannot look at the records in a committed order. */
export function refuseOutOfOrder({ stopEarly, bulk, shard }: RunSettings): void {
  if (!stopEarly) return;
  if (bulk)
    throw usageError(
      '--stop-early does not work with --bulk: a provider answers a bulk job in any order, hours later',
    );
  if (shard !== undefined)
    throw usageError('--stop-early does not work with --shard: a shard has only a part of the cases');
}
