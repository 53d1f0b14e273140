/** `krisis/models`: baselines, simulated and replayed models, and the types of a backend of your own. */

export type { PromptMessage, TextReply, TextRequest, TokenUsage } from '../core/text-request.ts';
export type { Destination, VisibleRecord } from '../models/backend.ts';
export { BASELINES, createBaseline } from '../models/baselines/create-baseline.ts';
export { mapBatch } from '../models/define-backend.ts';
export { gradingJudge } from '../models/judge.ts';
export { replayBackend } from '../models/replay-backend.ts';
export { PERSONALITIES, type Personality, parsePersonality } from '../models/simulated/personality.ts';
export { simulatedBackend } from '../models/simulated/simulated-backend.ts';
