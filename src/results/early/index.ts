export type { EarlyStop, LookedGate } from './early-stop.ts';
export { earlyVerdict, PLURAL } from './early-verdicts.ts';
export {
  type OrderedRecord,
  planEarlyStop,
  type StopEarlyOptions,
} from './plan-early-stop.ts';
export type { EarlyVerdict, StopEarly } from './stop-early.ts';
