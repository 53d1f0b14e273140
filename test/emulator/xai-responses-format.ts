import { openaiFormat } from './openai-format.ts';
import { tokensOf } from './tokens.ts';
import { said, type WireFormat } from './wire-format.ts';

interface ResponsesRequest {
  model: string;
  input: { role?: string; content?: unknown }[];
  text?: { format?: { schema?: unknown } };
  max_output_tokens?: number;
  logprobs?: boolean;
  top_logprobs?: number;
}

/** The Responses API as xAI has it: the only one that its client package speaks. */
export const xaiResponsesFormat: WireFormat = {
  read(body) {
    const request = body as ResponsesRequest;
    return {
      model: request.model,
      system: said(request.input, ['system', 'developer']),
      text: said(request.input, ['user']),
      maxTokens: request.max_output_tokens ?? null,
      schema: request.text?.format?.schema ?? null,
      tool: null,
      topLogprobs: request.logprobs ? request.top_logprobs : undefined,
    };
  },

  reply(reply, question) {
    const { model, topLogprobs } = question;
    const cut = reply.finish === 'length';
    const part =
      reply.finish === 'refusal'
        ? { type: 'refusal', refusal: reply.text }
        : {
            type: 'output_text',
            text: reply.preface + reply.text,
            annotations: [],
            ...(topLogprobs !== undefined && { logprobs: tokensOf(reply.preface + reply.text, question) }),
          };
    const status = cut ? 'incomplete' : 'completed';
    return {
      id: `resp_${reply.id}`,
      object: 'response',
      created_at: Math.floor(Date.now() / 1000),
      model,
      status,
      incomplete_details: cut ? { reason: 'max_output_tokens' } : null,
      output: [{ type: 'message', id: `msg_${reply.id}`, role: 'assistant', status, content: [part] }],
      usage: {
        input_tokens: reply.promptTokens,
        output_tokens: reply.completionTokens,
        total_tokens: reply.promptTokens + reply.completionTokens,
      },
    };
  },

  /** The occasions are those of chat completions; here a text and a code of its own tell them apart. */
  error(problem, model) {
    const { status, body } = openaiFormat.error(problem, model);
    const { error } = body as { error: { message: string; type: string; code: string | null } };
    return { status, body: { code: error.code ?? error.type, error: error.message } };
  },
};
