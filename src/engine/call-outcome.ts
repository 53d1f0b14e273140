import { plainLine } from '../core/plain-text.ts';
import type { BackendResponse } from '../models/backend.ts';
import { type BackendError, summariseError } from '../models/backend-error.ts';
import { type CallOutcome, isVersionOf } from '../store/call.ts';
import type { CallContext, CallRequest } from './call-request.ts';
import { keptReply } from './kept-reply.ts';

/** The longest message and the longest name of a model that is taken from a provider. */
const MAX_MESSAGE = 600;
const MAX_MODEL_ID = 120;

/** What is stored and shown of an error. */
export function describeError(error: BackendError, { isProtected }: CallContext): string {
  return isProtected ? summariseError(error) : plainLine(error.message, MAX_MESSAGE);
}

/** The outcome of a call as it is entered, before usage, time and cost are added. */
export function buildOutcome(
  outcome: CallOutcome['outcome'],
  responses: readonly (BackendResponse | null)[],
  { keepsReply, records, keep }: CallRequest,
  context: CallContext,
  error: string | null = null,
): CallOutcome {
  const modelId = responses.find((response) => response?.modelId != null)?.modelId ?? null;
  const reply = keepsReply ? (responses[0]?.rawResponse ?? null) : null;
  return {
    outcome,
    error,
    modelId: modelId === null ? null : keptModelId(String(modelId), context),
    inputTokens: null,
    outputTokens: null,
    wastedTokens: 0,
    latencySeconds: null,
    costUsd: null,
    cachedAt: null,
    ...keptReply(reply, records, context, keep),
  };
}

/** The outcome of a call that was entered, and then not sent. */
export function notSent(request: CallRequest, context: CallContext): CallOutcome {
  return { ...buildOutcome('not_sent', [], request, context), costUsd: 0, costBasis: 'nothing' };
}

/** The model as the provider names it. A provider can send anything in that place: of protected suites any other name than the one that was asked is stored as its hash. */
function keptModelId(modelId: string, { isProtected, journal, backend }: CallContext): string {
  if (!isProtected) return plainLine(modelId, MAX_MODEL_ID);
  return isVersionOf(modelId, backend.name) ? modelId : `withheld:${journal.textHash(modelId).slice(-16)}`;
}
