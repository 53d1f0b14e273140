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

interface ConverseRequest {
  system?: unknown;
  messages: { role: string; content: unknown }[];
  inferenceConfig?: { maxTokens?: number };
  toolConfig?: { tools?: { toolSpec?: { name: string; inputSchema?: { json?: unknown } } }[] };
  additionalModelRequestFields?: { output_config?: { format?: { schema?: unknown } } };
}

/** Converse, Amazon Bedrock's one form for all models; the model is in the path. */
export const bedrockFormat: WireFormat = {
  read(body, path) {
    const request = body as ConverseRequest;
    const format = request.additionalModelRequestFields?.output_config?.format;
    const tool = format === undefined ? request.toolConfig?.tools?.[0]?.toolSpec : undefined;
    return {
      model: decodeURIComponent(/model\/([^/]+)\/converse/.exec(path)?.[1] ?? 'unknown'),
      system: textOf(request.system),
      text: said(request.messages, ['user']),
      maxTokens: request.inferenceConfig?.maxTokens ?? null,
      schema: format?.schema ?? tool?.inputSchema?.json ?? null,
      tool: tool?.name ?? null,
    };
  },

  reply(reply, { tool }) {
    const { content, stopReason } = contentOf(reply, tool);
    return {
      output: { message: { role: 'assistant', content } },
      stopReason,
      usage: {
        inputTokens: reply.promptTokens,
        outputTokens: reply.completionTokens,
        totalTokens: reply.promptTokens + reply.completionTokens,
      },
      metrics: { latencyMs: 1 },
    };
  },

  error(problem, model) {
    const [status, type, message] = KINDS[problem.kind](problem, model);
    return {
      status: problem.status ?? status,
      body: { message: worded(message, problem) },
      headers: { 'x-amzn-errortype': type },
    };
  },
};

const STOP = { stop: 'end_turn', length: 'max_tokens', refusal: 'content_filtered' } as const;

function contentOf(reply: Reply, tool: string | null) {
  const { preface, text, value, finish, id } = reply;
  const blocks = (words: string) => (words === '' ? [] : [{ text: words }]);
  if (finish === 'refusal') return { content: [], stopReason: STOP.refusal };
  if (!isToolInput(reply, tool)) return { content: blocks(preface + text), stopReason: STOP[finish] };
  const toolUse = { toolUseId: `tooluse_${id}`, name: tool, input: value ?? {} };
  return {
    content: [...blocks(preface), { toolUse }],
    stopReason: finish === 'stop' ? 'tool_use' : STOP[finish],
  };
}

type Kind = readonly [status: number, type: string, message: string];
const KINDS: Record<ProblemKind, (problem: Problem, model: string) => Kind> = {
  rate_limit: () => [429, 'ThrottlingException', 'Too many requests, please wait before trying again.'],
  overloaded: () => [503, 'ServiceUnavailableException', 'Bedrock is unable to process your request.'],
  server: () => [500, 'InternalServerException', 'The system encountered an unexpected error.'],
  missing_key: () => [401, 'UnauthorizedException', 'Missing Authentication Token'],
  invalid_key: () => [403, 'UnrecognizedClientException', 'The security token is invalid.'],
  forbidden: () => [403, 'AccessDeniedException', "You don't have access to the model with this model ID."],
  quota: () => [400, 'ServiceQuotaExceededException', 'Too many tokens per day.'],
  unknown_model: () => [404, 'ResourceNotFoundException', 'The model ID was not found.'],
  too_long: () => [400, 'ValidationException', 'Input is too long for requested model.'],
  bad_request: ({ detail }) => [400, 'ValidationException', detail ?? 'Invalid request.'],
};
