export { type DeskProgress, type ReviewDesk, reviewDesk } from './desk.ts';
export { findExclusions, linesFoundWrong } from './exclusions.ts';
export { type ReviewFrame, reviewFrame } from './frame.ts';
export { type LabelAdvice, labelAdvice } from './label-advice.ts';
export { labelEvent, type Reviewed } from './label-event.ts';
export { labelFileEvents } from './label-file.ts';
export {
  assignDraws,
  importPacketLabels,
  type PacketLabels,
  packetPage,
  parsePacketLabels,
  type ReviewPacket,
  reviewPacket,
  runIdOf,
} from './packet.ts';
export { type DrawnPlan, drawPlan, PLAN_DEFAULTS, type PlanOptions } from './plan.ts';
export {
  activeEvents,
  checkAdjudicator,
  isDisputed,
  labelsOfDraws,
  queueOf,
  type Reviewer,
  reviewSession,
} from './session.ts';
export { type PlanStatus, type ReviewStatus, reviewStatus } from './status.ts';
