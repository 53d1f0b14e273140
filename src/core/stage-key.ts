/** The key behind every per-stage breakdown. */
export const STAGE_KEY = 'ckd_stage';
