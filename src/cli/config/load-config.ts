import { existsSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { KrisisError } from '../../core/errors.ts';
import type { AnalysisOptions } from '../../runs/read-options.ts';
import type { ConfigFlags } from '../options/option.ts';
import { printMessage } from '../print.ts';
import type { KrisisConfig } from './config.ts';
import { confirmProgram, isProgram } from './confirm-program.ts';

/** The names of a config file, the first that exists wins. */
export const CONFIG_NAMES = [
  'krisis.config.ts',
  'krisis.config.mts',
  'krisis.config.js',
  'krisis.config.mjs',
  'krisis.config.yaml',
  'krisis.config.yml',
];

/** The options of analyses in the config. A command that only shows results does not run a program that was merely found, and says so. */
export async function loadAnalysisOptions(flags: ConfigFlags): Promise<AnalysisOptions | undefined> {
  try {
    return (await loadConfig(flags)).analyses;
  } catch (error) {
    const isFound = flags.config === undefined && flags.trustConfig !== true;
    if (!(isFound && error instanceof KrisisError && error.code === 'ERR_CONFIG_NOT_CONFIRMED')) throw error;
    printMessage(`krisis: ${error.message}; its options of analyses are not used\n`);
    return undefined;
  }
}

/** Reads the config that the command line names, or the one in this folder once the user has confirmed it; an empty config where there is none. `foundAs` is the name of one that was found in the folder. */
export async function loadConfig({
  config,
  trustConfig,
}: ConfigFlags): Promise<KrisisConfig & { readonly foundAs?: string }> {
  // What checks a config loads what its keys are about, which is much of the program.
  const read = async (name: string) => (await import('./read-config.ts')).readConfig(name);
  if (config !== undefined) return read(config);
  const name = CONFIG_NAMES.find((candidate) => existsSync(candidate));
  if (name === undefined) return {};
  if (isProgram(name) && !statSync(name).isDirectory())
    await confirmProgram(resolve(name), name, { trustConfig, isNamed: false });
  return { ...(await read(name)), foundAs: name };
}
