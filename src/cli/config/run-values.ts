import { existsSync, realpathSync } from 'node:fs';
import { relative } from 'node:path';
import { KrisisError, plain } from '../../core/index.ts';
import { isLoopback, parseBaseUrl } from '../../models/index.ts';
import type { KrisisConfig } from './config.ts';
import type { LoadedConfig } from './load-config.ts';

const ADDRESSES = { baseUrl: '--base-url', judgeBaseUrl: '--judge-base-url' } as const;
/** Files whose text is sent. */
const SENT_FILES = {
  systemFile: '--system-file',
  templateFile: '--template-file',
  judgeInstructions: '--judge-instructions',
} as const;

/** What the budget rests on: at a price of 0 it would never be used up. */
const PRICES = { price: '--price', judgePrice: '--judge-price' } as const;

type Named = keyof typeof ADDRESSES | keyof typeof SENT_FILES;

interface TypedValues extends Readonly<Partial<Record<Named, string | undefined>>> {
  readonly allowEgress?: readonly string[] | undefined;
  readonly keepText?: boolean | undefined;
  readonly budget?: number | undefined;
  readonly price?: unknown;
  readonly judgePrice?: unknown;
}

/** Whether the model and the judge get a key: false where a config found in the folder chose the address. */
export interface KeyValues {
  readonly sendKey?: false;
  readonly judgeSendKey?: false;
}

/**
 * The settings of a run: as typed, otherwise by the config. A config that the command line does not name may come from anyone who can write to the folder: it can name addresses on this machine
 * only, which get no key, sends files of the folder only, and cannot allow protected data to leave, texts about them to be stored, or a budget to be passed.
 */
export function runValues<T extends TypedValues>(
  { run, allowEgress = [], foundAs }: LoadedConfig,
  typed: T,
): NonNullable<KrisisConfig['run']> & T & KeyValues {
  const given = { ...run, ...typed };
  if (foundAs === undefined) return { ...given, allowEgress: [...allowEgress, ...(typed.allowEgress ?? [])] };
  if (allowEgress.length > 0 && typed.allowEgress === undefined)
    throw notNamed(
      foundAs,
      'allowEgress lets protected data leave this machine',
      `--allow-egress ${allowEgress.join(',')}`,
    );
  if (given.keepText === true && typed.keepText === undefined)
    throw notNamed(foundAs, 'run.keepText stores texts about protected records', '--keep-text');
  for (const key of ['price', 'judgePrice'] as const)
    if (given.budget !== undefined && given[key] !== undefined && typed[key] === undefined)
      throw notNamed(foundAs, `run.${key} decides when the budget is used up`, `${PRICES[key]} IN,OUT`);
  for (const key of Object.keys(SENT_FILES) as (keyof typeof SENT_FILES)[]) {
    const file = given[key];
    if (file !== undefined && typed[key] === undefined && isOutside(file))
      throw notNamed(
        foundAs,
        `run.${key} sends the text of ${plain(file)}, which is outside the folder`,
        `${SENT_FILES[key]} FILE`,
      );
  }
  const keys: { sendKey?: false; judgeSendKey?: false } = {};
  for (const key of ['baseUrl', 'judgeBaseUrl'] as const) {
    const address = given[key];
    if (address === undefined || typed[key] !== undefined) continue;
    const { host, hostname } = parseBaseUrl(address, `${foundAs}: run.${key}`);
    if (!isLoopback(hostname))
      throw notNamed(
        foundAs,
        `run.${key} sends questions to ${host}, which is not this machine`,
        `${ADDRESSES[key]} URL`,
      );
    keys[key === 'baseUrl' ? 'sendKey' : 'judgeSendKey'] = false;
  }
  return { ...given, ...keys };
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
