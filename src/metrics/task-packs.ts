import type { Label } from '../core/index.ts';

export const FIVE_STAGES: readonly Label[] = [1, 2, 3, 4, 5];
export const G_STAGES: readonly Label[] = ['G1', 'G2', 'G3a', 'G3b', 'G4', 'G5'];
