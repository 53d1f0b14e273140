import { stripVTControlCharacters } from 'node:util';
import { withoutText } from '../core/index.ts';
import type { RunStopped } from '../engine/index.ts';
import { holdsProtectedData } from './protected-data.ts';

/** Where in a backend's code the error was thrown that stopped a run; empty where the stop has another reason. With protected data in the process, without the error's text. */
export function stackText({ cause }: RunStopped): string {
  if (!(cause instanceof Error)) return '';
  const { stack = cause.message } = holdsProtectedData() ? withoutText(cause) : cause;
  return `${stripVTControlCharacters(stack)}\n`;
}
