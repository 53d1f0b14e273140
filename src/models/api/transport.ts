import type { TextRequest } from '../../core/index.ts';
import type { CallRef } from '../backend.ts';
import type { ModelReply } from './read-result.ts';

/** Puts one question to the model once, and brings its reply. Prompts and parsing are above it; it throws a `BackendError` when the call fails. */
export type Transport = (request: TextRequest, call?: CallRef) => Promise<ModelReply>;
