import { type Problem, type ProblemKind, textOf, type WireFormat, worded } from './wire-format.ts';

interface GenerateRequest {
  systemInstruction?: { parts?: unknown };
  contents: { role?: string; parts: unknown }[];
  generationConfig?: { responseSchema?: unknown; responseJsonSchema?: unknown; maxOutputTokens?: number };
}

const FINISH = { stop: 'STOP', length: 'MAX_TOKENS', refusal: 'SAFETY' } as const;

/** Gemini's generateContent; the model is in the path. */
export const geminiFormat: WireFormat = {
  read(body, path) {
    const { contents, systemInstruction, generationConfig } = body as GenerateRequest;
    return {
      model: decodeURIComponent(/([^/]+):generateContent/.exec(path)?.[1] ?? 'unknown'),
      system: textOf(systemInstruction?.parts),
      text: contents
        .filter(({ role }) => role !== 'model')
        .map(({ parts }) => textOf(parts))
        .join('\n'),
      maxTokens: generationConfig?.maxOutputTokens ?? null,
      schema: generationConfig?.responseJsonSchema ?? generationConfig?.responseSchema ?? null,
      tool: null,
    };
  },

  reply(reply, { model }) {
    const text = reply.preface + reply.text;
    const content = { ...(text !== '' && { parts: [{ text }] }), role: 'model' };
    const refused = reply.finish === 'refusal';
    return {
      candidates: [{ ...(!refused && { content }), finishReason: FINISH[reply.finish], index: 0 }],
      usageMetadata: {
        promptTokenCount: reply.promptTokens,
        candidatesTokenCount: reply.completionTokens,
        totalTokenCount: reply.promptTokens + reply.completionTokens,
      },
      modelVersion: model,
      responseId: reply.id,
    };
  },

  error(problem, model) {
    const { code, status, message, details = [] } = KINDS[problem.kind](problem, model);
    const given = problem.status ?? code;
    return {
      status: given,
      body: { error: { code: given, message: worded(message, problem), status, details } },
    };
  },
};

interface Kind {
  readonly code: number;
  readonly status: string;
  readonly message: string;
  readonly details?: readonly object[];
}

const rpc = (name: string, fields: object) => ({
  '@type': `type.googleapis.com/google.rpc.${name}`,
  ...fields,
});
const retryInfo = (seconds: number) => rpc('RetryInfo', { retryDelay: `${seconds}s` });
const quotaFailure = (per: 'Minute' | 'Day', model: string) =>
  rpc('QuotaFailure', {
    violations: [
      {
        quotaMetric: 'generativelanguage.googleapis.com/generate_content_requests',
        quotaId: `GenerateRequestsPer${per}PerProjectPerModel`,
        quotaDimensions: { location: 'global', model },
        quotaValue: '250',
      },
    ],
  });

const KINDS: Record<ProblemKind, (problem: Problem, model: string) => Kind> = {
  rate_limit: ({ waitSeconds = 1 }, model) => ({
    code: 429,
    status: 'RESOURCE_EXHAUSTED',
    message: `You exceeded your current quota. Please retry in ${waitSeconds}s.`,
    details: [quotaFailure('Minute', model), retryInfo(waitSeconds)],
  }),
  overloaded: ({ waitSeconds }) => ({
    code: 503,
    status: 'UNAVAILABLE',
    message: 'The model is overloaded.',
    details: waitSeconds === undefined ? [] : [retryInfo(waitSeconds)],
  }),
  server: () => ({ code: 500, status: 'INTERNAL', message: 'An internal error has occurred.' }),
  missing_key: () => ({
    code: 401,
    status: 'UNAUTHENTICATED',
    message: 'Request is missing required authentication credential.',
  }),
  invalid_key: () => ({
    code: 400,
    status: 'INVALID_ARGUMENT',
    message: 'API key not valid.',
    details: [rpc('ErrorInfo', { reason: 'API_KEY_INVALID', domain: 'googleapis.com' })],
  }),
  forbidden: () => ({
    code: 403,
    status: 'PERMISSION_DENIED',
    message: 'The caller does not have permission',
  }),
  // The short delay stands beside a quota of a whole day in real replies too.
  quota: (_, model) => ({
    code: 429,
    status: 'RESOURCE_EXHAUSTED',
    message: 'You exceeded your current quota, please check your plan and billing details.',
    details: [quotaFailure('Day', model), retryInfo(22)],
  }),
  unknown_model: (_, model) => ({
    code: 404,
    status: 'NOT_FOUND',
    message: `models/${model} is not found for API version v1beta.`,
  }),
  too_long: ({ tokens }) => ({
    code: 400,
    status: 'INVALID_ARGUMENT',
    message: `The input token count (${tokens?.prompt}) exceeds the maximum number of tokens allowed (${tokens?.limit}).`,
  }),
  bad_request: ({ detail }) => ({
    code: 400,
    status: 'INVALID_ARGUMENT',
    message: detail ?? 'Invalid request.',
  }),
};
