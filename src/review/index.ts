export { type DeskProgress, type ReviewDesk, reviewDesk } from './desk.ts';
export { type ReviewFrame, reviewFrame } from './frame.ts';
export { labelEvent, type Reviewed } from './label-event.ts';
export { type DrawnPlan, drawPlan, PLAN_DEFAULTS, type PlanOptions } from './plan.ts';
export { isDisputed, labelsOfDraws, queueOf, type Reviewer, reviewSession } from './session.ts';
