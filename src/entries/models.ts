/** `krisis/models`: baselines, simulated and replayed models, and the types of a backend of your own. */

export type { PromptMessage, TextReply, TextRequest, TokenUsage } from '../core/index.ts';
export {
  BASELINES,
  createBaseline,
  type Destination,
  gradingJudge,
  mapBatch,
  PERSONALITIES,
  type Personality,
  parsePersonality,
  replayBackend,
  simulatedBackend,
  type VisibleRecord,
} from '../models/index.ts';
