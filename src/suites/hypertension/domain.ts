import type { Domain } from '../domains/domain.ts';
import { HYPERTENSION_FUNCTIONS } from './conformance.ts';

/** Hypertension: office categories, phenotypes, starting drugs and control under drugs. */
export const HYPERTENSION: Domain = {
  name: 'hypertension',
  functions: HYPERTENSION_FUNCTIONS,
};
