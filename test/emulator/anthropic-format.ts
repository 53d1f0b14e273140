import {
  isToolInput,
  type Problem,
  type ProblemKind,
  type Reply,
  said,
  textOf,
  type WireFormat,
  worded,
} from './wire-format.ts';

interface MessagesRequest {
  model: string;
  system?: unknown;
  messages: { role: string; content: unknown }[];
  max_tokens?: number;
  output_config?: { format?: { schema?: unknown } };
  output_format?: { schema?: unknown };
  tools?: { name: string; input_schema?: unknown }[];
}

/** Anthropic's Messages API. A schema comes as an output format, or as the input of the one tool there is. */
export const anthropicFormat: WireFormat = {
  read(body) {
    const request = body as MessagesRequest;
    const format = request.output_config?.format ?? request.output_format;
    const tool = format === undefined ? request.tools?.[0] : undefined;
    return {
      model: request.model,
      system: textOf(request.system),
      text: said(request.messages, ['user']),
      maxTokens: request.max_tokens ?? null,
      schema: format?.schema ?? tool?.input_schema ?? null,
      tool: tool?.name ?? null,
    };
  },

  reply(reply, { model, tool }) {
    const { content, stop } = contentOf(reply, tool);
    return {
      id: `msg_${reply.id}`,
      type: 'message',
      role: 'assistant',
      model,
      content,
      stop_reason: stop,
      stop_sequence: null,
      usage: { input_tokens: reply.promptTokens, output_tokens: reply.completionTokens },
    };
  },

  error(problem, model) {
    const [status, type, message] = KINDS[problem.kind](problem, model);
    return {
      status: problem.status ?? status,
      body: {
        type: 'error',
        error: { type, message: worded(message, problem) },
        request_id: problem.requestId ?? null,
      },
    };
  },
};

const STOP = { stop: 'end_turn', length: 'max_tokens', refusal: 'refusal' } as const;

function contentOf(reply: Reply, tool: string | null) {
  const { preface, text, value, finish, id } = reply;
  const blocks = (words: string) => (words === '' ? [] : [{ type: 'text', text: words }]);
  if (finish === 'refusal') return { content: [], stop: STOP.refusal };
  if (!isToolInput(reply, tool)) return { content: blocks(preface + text), stop: STOP[finish] };
  const call = { type: 'tool_use', id: `toolu_${id}`, name: tool, input: value ?? {} };
  return { content: [...blocks(preface), call], stop: finish === 'stop' ? 'tool_use' : STOP[finish] };
}

type Kind = readonly [status: number, type: string, message: string];
const KINDS: Record<ProblemKind, (problem: Problem, model: string) => Kind> = {
  rate_limit: () => [429, 'rate_limit_error', "This request would exceed your organization's rate limit."],
  overloaded: () => [529, 'overloaded_error', 'Overloaded'],
  server: () => [500, 'api_error', 'Internal server error'],
  missing_key: () => [401, 'authentication_error', 'x-api-key header is required'],
  invalid_key: () => [401, 'authentication_error', 'invalid x-api-key'],
  forbidden: () => [403, 'permission_error', 'Your API key may not use this resource.'],
  quota: () => [
    400,
    'invalid_request_error',
    'Your credit balance is too low to access the Anthropic API. Go to Plans & Billing.',
  ],
  unknown_model: (_, model) => [404, 'not_found_error', `model: ${model}`],
  too_long: ({ tokens }) => [
    400,
    'invalid_request_error',
    `prompt is too long: ${tokens?.prompt} tokens > ${tokens?.limit} maximum`,
  ],
  bad_request: ({ detail }) => [400, 'invalid_request_error', detail ?? 'Invalid request.'],
};
