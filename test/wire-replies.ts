/** Replies of providers as they come over the wire: a text, how it ended, and what it took. */
interface Said {
  readonly text: string;
  /** In the provider's own word; the usual one unless given. */
  readonly end?: string;
  /** OpenAI's field for a refusal. */
  readonly refusal?: string;
}

const INPUT = 1000;
const OUTPUT = 21;

export const wireReplies = {
  openai: ({ text, end = 'stop', refusal }: Said) => ({
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1,
    model: 'the-model-2026',
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: refusal === undefined ? text : null,
          refusal: refusal ?? null,
        },
        finish_reason: end,
      },
    ],
    usage: { prompt_tokens: INPUT, completion_tokens: OUTPUT, total_tokens: INPUT + OUTPUT },
  }),
  anthropic: ({ text, end = 'end_turn' }: Said) => ({
    type: 'message',
    id: 'msg_1',
    model: 'the-model-2026',
    role: 'assistant',
    content: text === '' ? [] : [{ type: 'text', text }],
    stop_reason: end,
    stop_sequence: null,
    usage: { input_tokens: INPUT, output_tokens: OUTPUT },
  }),
  google: ({ text, end = 'STOP' }: Said) => ({
    candidates: [
      { content: { parts: text === '' ? [] : [{ text }], role: 'model' }, finishReason: end, index: 0 },
    ],
    usageMetadata: { promptTokenCount: INPUT, candidatesTokenCount: OUTPUT, totalTokenCount: INPUT + OUTPUT },
    modelVersion: 'the-model-2026',
  }),
  xai: ({ text, end = 'completed', refusal }: Said) => ({
    id: 'resp-1',
    object: 'response',
    created_at: 1,
    model: 'the-model-2026',
    status: end,
    output: [
      {
        type: 'message',
        id: 'msg-1',
        role: 'assistant',
        status: 'completed',
        content: [
          refusal === undefined
            ? { type: 'output_text', text, annotations: [] }
            : { type: 'refusal', refusal },
        ],
      },
    ],
    usage: { input_tokens: INPUT, output_tokens: OUTPUT, total_tokens: INPUT + OUTPUT },
  }),
  bedrock: ({ text, end = 'end_turn' }: Said) => ({
    output: { message: { role: 'assistant', content: [{ text }] } },
    stopReason: end,
    usage: { inputTokens: INPUT, outputTokens: OUTPUT, totalTokens: INPUT + OUTPUT },
    metrics: { latencyMs: 1 },
  }),
};

export const WIRE_USAGE = { inputTokens: INPUT, outputTokens: OUTPUT };
