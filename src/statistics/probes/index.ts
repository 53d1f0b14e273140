export * from './completion.ts';
export * from './confidence-change.ts';
export * from './equivalence.ts';
export {
  type Decision,
  type DecisionShift,
  decisionShift,
  flipExcess,
  flipRate,
  pairedDifferenceInterval,
  type RepeatedRecord,
} from './flips.ts';
export * from './responses.ts';
