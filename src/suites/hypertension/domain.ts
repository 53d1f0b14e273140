import { eachPair } from '../domains/conformance-inputs.ts';
import type { Domain } from '../domains/domain.ts';
import { accAha2017, esc2024 } from './blood-pressure.ts';

/** Hypertension: two guidelines' categories as functions; it has no suite yet. */
export const HYPERTENSION: Domain = {
  name: 'hypertension',
  functions: {
    acc_aha_2017_category: (inputs) => eachPair(inputs, 'bp', accAha2017),
    esc_2024_category: (inputs) => eachPair(inputs, 'bp', esc2024),
  },
};
