import type { Command } from '@commander-js/extra-typings';

/** A command whose options nobody outside its file needs to know. Written out, the types of forty options take a compiler minutes. */
export type AnyCommand = Command<never[], Record<string, never>>;

export function anyCommand(command: unknown): AnyCommand {
  return command as AnyCommand;
}
