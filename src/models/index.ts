export { apiBackend } from './api/api-backend.ts';
export { type ApiOptions, REASONING_EFFORTS } from './api/api-options.ts';
export { isLoopback, parseBaseUrl } from './api/base-url.ts';
export type {
  BulkItem,
  BulkWire,
  Exchange,
  Retention,
  WireReply,
} from './api/bulk/wire.ts';
export { bulkWireOf, capturedRequest } from './api/bulk/wire-of.ts';
export { PARSER_VERSION } from './api/parse-reply.ts';
export { filledPrompt, hasSlot, isOwnTemplate } from './api/prompt.ts';
export type { KnownModel } from './api/provider-info.ts';
export { describeProvider, keyFingerprint, listProviders, type ProviderInfo } from './api/provider-info.ts';
export { optionalPackage } from './api/providers/provider.ts';
export { allowsEgress, egressName, isApiModel, PROVIDERS } from './api/providers/providers.ts';
export type { ModelReply } from './api/read-result.ts';
export { asBackendError } from './as-backend-error.ts';
export type {
  Backend,
  BackendResponse,
  BackendSettings,
  CallMade,
  CallRef,
  Destination,
  Transport,
  VisibleRecord,
} from './backend.ts';
export { BackendError, ownError, summaryOf, Withdrawn } from './backend-error.ts';
export { BASELINES, createBaseline } from './baselines/create-baseline.ts';
export { createBackend } from './create-backend.ts';
export { complete, defineBackend, mapBatch } from './define-backend.ts';
export {
  createJudge,
  gradingJudge,
  type Judge,
  judgeConfig,
  judgeIdentity,
  LEXICAL_JUDGE,
  modelJudge,
  textParameters,
} from './judge.ts';
export { replayBackend } from './replay-backend.ts';
export { PERSONALITIES, type Personality, parsePersonality } from './simulated/personality.ts';
export { simulatedBackend } from './simulated/simulated-backend.ts';
