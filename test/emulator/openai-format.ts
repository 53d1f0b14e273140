import { tokensOf } from './tokens.ts';
import {
  type Problem,
  type ProblemKind,
  type Question,
  said,
  type WireFormat,
  worded,
} from './wire-format.ts';

interface ChatRequest {
  model?: string;
  messages: { role: string; content: unknown }[];
  response_format?: { json_schema?: { schema?: unknown } };
  max_tokens?: number;
  max_completion_tokens?: number;
  logprobs?: boolean;
  top_logprobs?: number;
}

const FINISH = { stop: 'stop', length: 'length', refusal: 'stop' } as const;

/** Chat completions, as OpenAI has them and many others took them over. */
export const openaiFormat: WireFormat = {
  read(body, path) {
    const request = body as ChatRequest;
    return {
      // Azure names the model in the path.
      model: request.model ?? /deployments\/([^/]+)/.exec(path)?.[1] ?? 'unknown',
      system: said(request.messages, ['system', 'developer']),
      text: said(request.messages, ['user']),
      maxTokens: request.max_completion_tokens ?? request.max_tokens ?? null,
      schema: request.response_format?.json_schema?.schema ?? null,
      tool: null,
      topLogprobs: request.logprobs ? request.top_logprobs : undefined,
    };
  },

  reply(reply, question) {
    const { model } = question;
    const refused = reply.finish === 'refusal';
    const content = refused ? null : reply.preface + reply.text;
    return {
      id: `chatcmpl-${reply.id}`,
      object: 'chat.completion',
      created: Math.floor(Date.now() / 1000),
      model,
      choices: [
        {
          index: 0,
          message: { role: 'assistant', content, refusal: refused ? reply.text : null },
          logprobs: content === null ? null : tokensFor(content, question),
          finish_reason: FINISH[reply.finish],
        },
      ],
      usage: {
        prompt_tokens: reply.promptTokens,
        completion_tokens: reply.completionTokens,
        total_tokens: reply.promptTokens + reply.completionTokens,
      },
    };
  },

  error(problem, model) {
    const { status, type, code, param, message } = KINDS[problem.kind](problem, model);
    return {
      status: problem.status ?? status,
      body: { error: { message: worded(message, problem), type, param: param ?? null, code } },
    };
  },
};

function tokensFor(content: string, question: Question): object | null {
  return question.topLogprobs === undefined ? null : { content: tokensOf(content, question) };
}

interface Kind {
  readonly status: number;
  readonly type: string;
  readonly code: string | null;
  readonly param?: string;
  readonly message: string;
}

const invalid = 'invalid_request_error';
const KINDS: Record<ProblemKind, (problem: Problem, model: string) => Kind> = {
  rate_limit: ({ waitSeconds = 1 }, model) => ({
    status: 429,
    type: 'requests',
    code: 'rate_limit_exceeded',
    message: `Rate limit reached for ${model} on requests per min (RPM). Please try again in ${waitSeconds}s.`,
  }),
  overloaded: () => ({
    status: 503,
    type: 'server_error',
    code: null,
    message: 'The engine is currently overloaded.',
  }),
  server: () => ({ status: 500, type: 'server_error', code: null, message: 'The server had an error.' }),
  missing_key: () => ({
    status: 401,
    type: invalid,
    code: null,
    message: 'You did not provide an API key.',
  }),
  invalid_key: () => ({
    status: 401,
    type: invalid,
    code: 'invalid_api_key',
    message: 'Incorrect API key provided.',
  }),
  forbidden: () => ({
    status: 403,
    type: invalid,
    code: null,
    message: 'You have insufficient permissions for this operation.',
  }),
  quota: () => ({
    status: 429,
    type: 'insufficient_quota',
    code: 'insufficient_quota',
    message: 'You exceeded your current quota.',
  }),
  unknown_model: (_, model) => ({
    status: 404,
    type: invalid,
    code: 'model_not_found',
    message: `The model \`${model}\` does not exist or you do not have access to it.`,
  }),
  too_long: ({ tokens }) => ({
    status: 400,
    type: invalid,
    param: 'messages',
    code: 'context_length_exceeded',
    message: `This model's maximum context length is ${tokens?.limit} tokens; your messages are ${tokens?.prompt} tokens.`,
  }),
  bad_request: ({ detail }) => ({
    status: 400,
    type: invalid,
    code: null,
    message: detail ?? 'Invalid request.',
  }),
};
