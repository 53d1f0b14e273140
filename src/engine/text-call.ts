import type { TextReply, TextRequest } from '../core/index.ts';
import { type Backend, BackendError, complete, type VisibleRecord } from '../models/index.ts';
import type { CallMode, JournalRow } from '../store/index.ts';
import { type CallOptions, makeCall } from './call.ts';

/** One question whose reply is text. */
export interface TextQuestion {
  readonly key: string;
  readonly mode: CallMode;
  readonly repeat: number;
  /** What it is about. */
  readonly record: VisibleRecord;
  readonly request: TextRequest;
  /** Rows that the reply makes; none for a judge, whose reply is kept with its call. */
  readonly toRow?: (reply: TextReply) => JournalRow;
  /** What may be kept of a text that the model wrote. */
  readonly keep?: (text: string | null) => string | null;
}

const CHARACTERS_PER_TOKEN = 4;
const OUTPUT_TOKENS = 400;

/**
 * Asks for a text through the one layer that journals, paces, retries and caches. A call that came back in an earlier process is not made again: what it said is read from the journal.
 */
export async function makeTextCall(
  question: TextQuestion,
  options: CallOptions,
): Promise<{ reply: TextReply | null; error: BackendError | null }> {
  const { backend, journal, cache, isProtected } = options;
  const { key, mode, repeat, record, request, toRow } = question;
  const ended = journal.ended(key);
  if (ended === 'answered') {
    const text = journal.reply(key);
    if (text !== null) return { reply: { text, inputTokens: null, outputTokens: null }, error: null };
  } else if (ended !== null) {
    return { reply: null, error: new BackendError(ended, `the call ended before as ${ended}`) };
  }
  let reply: TextReply | null = null;
  const { error, responses } = await makeCall(
    {
      key,
      mode,
      repeat,
      records: [record],
      ask: async () => [toResponse(await generate(backend, request), request)],
      toRows: ([response]) => (toRow && response ? [toRow(toReply(response))] : []),
      keep: question.keep ?? ((text) => text),
      cacheKey:
        cache !== undefined && !isProtected && backend.textHash
          ? `${backend.textHash(request)}:${repeat}`
          : null,
      estimate: {
        inputTokens: Math.ceil(
          request.messages.reduce((sum, { content }) => sum + content.length, 0) / CHARACTERS_PER_TOKEN,
        ),
        outputTokens: OUTPUT_TOKENS,
      },
      keepsReply: toRow === undefined,
    },
    options,
  );
  const [response] = responses;
  if (error === null && response) reply = toReply(response);
  return { reply, error };
}

async function generate(backend: Backend, request: TextRequest): Promise<TextReply> {
  if (backend.generate === undefined)
    throw new BackendError(
      'bad_request',
      `${backend.name} answers with labels only; open questions and judging need a model that writes text`,
    );
  return backend.generate(request);
}

function toResponse({ text, ...rest }: TextReply, { template }: TextRequest) {
  return complete(
    { ...rest, prediction: null, abstained: false, rawResponse: text, prompt: template },
    'single',
  );
}

function toReply({
  rawResponse,
  inputTokens,
  outputTokens,
  modelId,
  refused,
}: ReturnType<typeof toResponse>): TextReply {
  return {
    text: rawResponse ?? '',
    inputTokens,
    outputTokens,
    ...(modelId === undefined ? {} : { modelId }),
    ...(refused ? { refused } : {}),
  };
}
