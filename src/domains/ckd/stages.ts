import { DEFAULT_STRATUM } from '../../core/index.ts';

/** The stages that metadata and results use, mildest first; 3a and 3b are one. */
export const FIVE_STAGES = [1, 2, 3, 4, 5] as const;

/** Scores of CKD tasks are broken down by stage. */
export const CKD_STRATUM = DEFAULT_STRATUM;
