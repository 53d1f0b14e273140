/** What of this room runs in a browser too. */
export { KrisisError } from './krisis-error.ts';
export { labelKey } from './label.ts';
export { STAGE_KEY } from './stage-key.ts';
