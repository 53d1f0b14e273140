import type { Command } from '@commander-js/extra-typings';

/** The options of a command that reads a config. */
export interface ConfigFlags {
  readonly config?: string | undefined;
  readonly trustConfig?: boolean | undefined;
}

/** Adds the options of a command that reads a config. */
export function withConfigOptions<Args extends unknown[], Opts extends Record<string, unknown>>(
  command: Command<Args, Opts>,
) {
  return command
    .option('--config <file>', 'config file (default: krisis.config.* in this folder)')
    .option('--trust-config', 'run krisis.config.ts of this folder without asking');
}
