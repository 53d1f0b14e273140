import type { ResultFormat } from './format.ts';
import { inspect } from './inspect.ts';

/** The readers of other tools' files, in the order in which they are tried. */
export const FORMATS: readonly ResultFormat[] = [inspect];
