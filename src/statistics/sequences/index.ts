export { type EarlyStopPlan, planEarlyStops } from './early-stop-plan.ts';
export type { EvidenceKind } from './evidence.ts';
export * from './finished-prefix.ts';
export { meanEValue, meanSequence } from './mean-e-value.ts';
export { type PairedStatus, pairedSequence, pairedVerdict } from './paired-sequence.ts';
export { proportionEValue, proportionSequence, type Side } from './proportion-e-value.ts';
export * from './rows-needed.ts';
export * from './sequential-gate.ts';
export { suiteEValue, suiteSequence } from './suite-e-value.ts';
