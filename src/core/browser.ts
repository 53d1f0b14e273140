/** The part of this room that also runs in a browser. */
export { KrisisError } from './krisis-error.ts';
export { labelKey } from './label.ts';
export { STAGE_KEY } from './stage-key.ts';
