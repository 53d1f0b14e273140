import type { Command } from '@commander-js/extra-typings';

/** A command whose option types stay in its own file: written out, the types of forty options take the compiler minutes. */
export type AnyCommand = Command<never[], Record<string, never>>;

export function anyCommand(command: unknown): AnyCommand {
  return command as AnyCommand;
}
