export { type ReviewDesk, reviewDesk } from './desk.ts';
export { findWrong } from './exclusions.ts';
export { type ReviewFrame, reviewFrame } from './frame.ts';
export { correctionLack, labelAdvice } from './label-advice.ts';
export type { Reviewed } from './label-event.ts';
export { labelFileEvents } from './label-file.ts';
export {
  assignDraws,
  importPacketLabels,
  type PacketLabels,
  packetPage,
  parsePacketLabels,
  reviewPacket,
  runIdOf,
} from './packet.ts';
export { drawPlan, nForTwo, type PlanOptions } from './plan.ts';
export { checkAdjudicator, type Reviewer, reviewSession } from './session.ts';
export { reviewStatus } from './status.ts';
