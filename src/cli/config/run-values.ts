import { existsSync, realpathSync } from 'node:fs';
import { relative } from 'node:path';
import { KrisisError } from '../../core/errors.ts';
import { plain } from '../../core/plain-text.ts';
import { isLoopback, parseBaseUrl } from '../../models/api/base-url.ts';
import { typedAs } from '../options/option.ts';
import { RUN_OPTIONS, type RunValues } from '../options/run-options.ts';
import type { KrisisConfig } from './config.ts';
import type { loadConfig } from './load-config.ts';

/** The settings of a run. `sendKey` and `judgeSendKey` are false where a config found in the folder chose the address. */
export type RunSettings = RunValues &
  NonNullable<KrisisConfig['run']> & { readonly sendKey?: false; readonly judgeSendKey?: false };

/**
 * The settings of a run: as typed, otherwise by the config. A config that the command line does not name may come from anyone who can write to the folder: it can name addresses on this machine
 * only, which get no key, sends files of the folder only, and cannot allow protected data to leave, texts about them to be stored, or a budget to be passed.
 */
export function runValues(
  { run, allowEgress = [], foundAs }: Awaited<ReturnType<typeof loadConfig>>,
  typed: RunValues,
): RunSettings {
  const settings = { ...run, ...typed };
  if (foundAs === undefined)
    return { ...settings, allowEgress: [...allowEgress, ...(typed.allowEgress ?? [])] };
  /** The value of a key that the config chose; undefined where it was typed. */
  const configured = <K extends keyof RunValues>(key: K) =>
    typed[key] === undefined ? settings[key] : undefined;
  if (allowEgress.length > 0 && typed.allowEgress === undefined)
    throw notNamed(
      foundAs,
      'allowEgress lets protected data leave this machine',
      `--allow-egress ${allowEgress.join(',')}`,
    );
  if (configured('keepText') === true)
    throw notNamed(foundAs, 'run.keepText stores texts about protected cases', flagText('keepText'));
  // At a price of 0 a budget would never be used up.
  for (const key of ['price', 'judgePrice'] as const)
    if (settings.budget !== undefined && configured(key) !== undefined)
      throw notNamed(foundAs, `run.${key} decides when the budget is used up`, flagText(key));
  for (const key of ['systemFile', 'templateFile', 'judgeInstructions'] as const) {
    const file = configured(key);
    if (file !== undefined && isOutside(file))
      throw notNamed(
        foundAs,
        `run.${key} sends the text of ${plain(file)}, which is outside the folder`,
        flagText(key),
      );
  }
  const keys: { sendKey?: false; judgeSendKey?: false } = {};
  for (const key of ['baseUrl', 'judgeBaseUrl'] as const) {
    const address = configured(key);
    if (address === undefined) continue;
    const { host, hostname } = parseBaseUrl(address, `${foundAs}: run.${key}`);
    if (!isLoopback(hostname))
      throw notNamed(
        foundAs,
        `run.${key} sends questions to ${host}, which is not this machine`,
        flagText(key),
      );
    keys[key === 'baseUrl' ? 'sendKey' : 'judgeSendKey'] = false;
  }
  return { ...settings, ...keys };
}

/** What to type for an option: `--base-url URL`. */
function flagText(option: keyof typeof RUN_OPTIONS): string {
  return typedAs(option, RUN_OPTIONS[option]);
}

/** Whether a file is outside the working folder, symbolic links followed. */
function isOutside(file: string): boolean {
  return (
    existsSync(file) &&
    /^\.\.([/\\]|$)|^([a-z]:)?[/\\]/i.test(relative(realpathSync('.'), realpathSync(file)))
  );
}

function notNamed(name: string, what: string, flag: string): KrisisError {
  return new KrisisError(
    `${name}: ${what}, and a config that was only found in the folder may not do that. If you trust it, name it: --config ${name}. Otherwise type ${flag}`,
    { code: 'ERR_CONFIG_NOT_NAMED', value: name },
  );
}
