import { existsSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { ConfigFlags } from '../options/option.ts';
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
