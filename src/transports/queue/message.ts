import { z } from 'zod';
import { isFailureProblem, isFault } from '../../core/fault.ts';
import type { TextRequest } from '../../core/text-request.ts';
import { type ApiOptions, REASONING_EFFORTS } from '../../models/api/api-options.ts';
import type { ModelReply } from '../../models/api/model-reply.ts';
import { type BackendError, ownError, summariseError } from '../../models/backend-error.ts';
import { createCipher } from './cipher.ts';
import type { Permit } from './claims.ts';

const messages = z
  .array(z.object({ role: z.enum(['system', 'user', 'assistant']), content: z.string() }))
  .readonly();

const question = z.object({
  request: z.object({
    messages,
    template: messages,
    schema: z.record(z.string(), z.unknown()).optional(),
    maxOutputTokens: z.number().optional(),
  }),
  /** How the model is asked; key and address are the worker's own. */
  options: z.object({
    temperature: z.number().optional(),
    reasoningEffort: z.enum(REASONING_EFFORTS).optional(),
    maxOutputTokens: z.number().optional(),
    timeoutSeconds: z.number().optional(),
    structuredOutput: z.boolean().optional(),
    logprobs: z.boolean().optional(),
  }),
  /** Providers that the question may be sent to; null where its data are not protected. */
  allow: z.array(z.string()).readonly().nullable(),
  nonce: z.string().min(1),
  expires: z.number(),
});

/** What a worker is asked. */
export type Question = z.infer<typeof question>;

const usage = z.object({ inputTokens: z.number().nullable(), outputTokens: z.number().nullable() });

const made = { worker: z.string(), seconds: z.number() };

const failure = z.object({
  fault: z.string().refine(isFault),
  message: z.string(),
  /** The message without a word of a provider or model. */
  summary: z.string(),
  retryAfterSeconds: z.number().nullable(),
  usage,
  rawResponse: z.string().nullable(),
  unbilled: z.boolean(),
  problem: z.string().refine(isFailureProblem),
  status: z.number().nullable(),
  ...made,
});

const answer = z.union([
  z.object({
    ok: z.object({
      text: z.string(),
      end: z.enum(['complete', 'cut', 'failed']),
      refusal: z.string().nullable(),
      usage,
      modelId: z.string().nullable(),
      tokens: z.array(z.unknown()).readonly().nullish(),
    }),
    ...made,
  }),
  failure,
]);

/** What a worker answers: a reply, or why there is none. */
export type Answer = z.infer<typeof answer>;

/** Keeps the settings of a model that shape a call; where it goes is decided by the worker. */
export function createQuestion(
  request: TextRequest,
  options: ApiOptions,
  allow: readonly string[] | null,
  permit: Permit,
): Question {
  return question.parse({ request, options, allow, ...permit });
}

/** What a failed call says in the queue: the fields of the schema, and nothing else of the error. */
export function failedAnswer(error: BackendError, worker: string, seconds: number): Answer {
  return failure.parse({ ...error, message: error.message, summary: summariseError(error), worker, seconds });
}

/** The reply in an answer. @throws BackendError when the call failed at the worker. */
export function readReply(answer: Answer): ModelReply {
  if ('ok' in answer) return answer.ok as ModelReply;
  const { fault, message, worker: _, seconds: __, ...rest } = answer;
  throw ownError(fault, message, rest);
}

/**
 * Encrypts questions and answers for the queue. Each is bound to its run, its job and its queue, so
 * that a question cannot be moved to the workers of another model.
 */
export function createCodec(secret: string, queue: string, run: string) {
  const { encrypt, decrypt } = createCipher(secret, run);
  return {
    question: (value: Question, id: string) => encrypt(JSON.stringify(value), `${queue} ${id} question`),
    readQuestion: (text: string, id: string): Question =>
      question.parse(JSON.parse(decrypt(text, `${queue} ${id} question`))),
    answer: (value: Answer, id: string) => encrypt(JSON.stringify(value), `${queue} ${id} answer`),
    readAnswer: (text: string, id: string): Answer =>
      answer.parse(JSON.parse(decrypt(text, `${queue} ${id} answer`))),
  };
}
