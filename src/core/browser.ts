/** The part of this room that also runs in a browser. */
export { KrisisError } from './krisis-error.ts';
export { labelKey } from './label.ts';
export { durationText } from './pace.ts';
