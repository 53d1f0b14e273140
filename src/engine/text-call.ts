import type { TextReply, TextRequest } from '../core/text-request.ts';
import type { Backend, BackendResponse, CallRef, VisibleRecord } from '../models/backend.ts';
import { type BackendError, ownError } from '../models/backend-error.ts';
import { complete } from '../models/define-backend.ts';
import type { CallMode } from '../store/call.ts';
import type { NewRow } from '../store/rows.ts';
import { makeCall } from './call.ts';
import type { CallContext } from './call-request.ts';
import { isWithheld } from './kept-reply.ts';

/** One call whose reply is text. */
export interface TextCallRequest {
  readonly key: string;
  readonly mode: CallMode;
  readonly repeat: number;
  /** What it is about. */
  readonly record: VisibleRecord;
  readonly request: TextRequest;
  /** The row that the reply makes. Default: none, and the reply is stored with the call, as for a judge. */
  readonly toRow?: (reply: TextReply) => NewRow;
  /** The round of asking again: a reply that was no use must not come from the cache. Default: 0. */
  readonly round?: number;
  /** Folded words that are not blocked out in a text of the model. Default: none. */
  readonly keep?: ReadonlySet<string> | undefined;
}

/** About four characters a token, in English text and numbers alike. */
const CHARACTERS_PER_TOKEN = 4;

/** Used for estimates before an answer in text is there. */
export const ASSUMED_OUTPUT_TOKENS = 400;

/** An estimate of the tokens in a text of this length. */
export function textTokens(characters: number): number {
  return characters / CHARACTERS_PER_TOKEN;
}

/**
 * Asks for text through the one layer that journals, paces, retries and caches. A call that came back in an earlier process is not made again: its reply is read from the journal. Where texts
 * are withheld there is none to read, and the call is made again and counted.
 */
export async function makeTextCall(
  call: TextCallRequest,
  context: CallContext,
): Promise<{ reply: TextReply | null; error: BackendError | null }> {
  const { backend, journal, cache, isProtected } = context;
  const { key, mode, repeat, record, request, toRow } = call;
  const ended = journal.calls.ended(key);
  if (isWithheld(context)) {
    const held = context.transport?.held?.get(key);
    if (held !== undefined) return { reply: held, error: null };
    if (ended === 'answered') context.onAskedAgain?.(mode);
  } else if (ended === 'answered') {
    const text = journal.calls.reply(key);
    if (text !== null) return { reply: { text, inputTokens: null, outputTokens: null }, error: null };
  } else if (ended !== null) {
    const error = ownError(ended, `the call ended before as ${ended}`, journal.calls.failure(key) ?? {});
    return { reply: null, error };
  }
  const { error, responses } = await makeCall(
    {
      key,
      mode,
      repeat,
      records: [record],
      ask: async (call) => [toResponse(await generate(backend, request, call), request)],
      toRows: ([response]) => (toRow && response ? [toRow(toReply(response))] : []),
      keep: call.keep,
      cacheKey:
        cache !== undefined && !isProtected && backend.textHash
          ? `${backend.textHash(request)}:${repeat}${call.round ? `:${call.round}` : ''}`
          : null,
      estimate: () => ({
        inputTokens: Math.ceil(
          textTokens(request.messages.reduce((sum, { content }) => sum + content.length, 0)),
        ),
        outputTokens: ASSUMED_OUTPUT_TOKENS,
      }),
      most: backend.maxTextTokens?.(request) ?? null,
      keepsReply: toRow === undefined,
    },
    context,
  );
  const [response] = responses;
  const reply = error === null && response ? toReply(response) : null;
  // The row waits for its judge, and its text is nowhere else.
  if (reply !== null && isWithheld(context)) context.transport?.held?.set(key, reply);
  return { reply, error };
}

async function generate(backend: Backend, request: TextRequest, call: CallRef): Promise<TextReply> {
  if (backend.generate === undefined)
    throw ownError(
      'bad_request',
      `${backend.name} answers with labels only; open questions and judging need a model that writes text`,
    );
  const reply = await backend.generate(request, call);
  // No compiler checked a backend from a config.
  if (typeof reply?.text !== 'string') throw ownError('empty', `${backend.name} gave no text`);
  return reply;
}

function toResponse({ text, ...rest }: TextReply, { template }: TextRequest) {
  return complete(
    { ...rest, prediction: null, abstained: false, rawResponse: text, prompt: template },
    'single',
  );
}

function toReply(response: BackendResponse): TextReply {
  const { rawResponse, inputTokens, outputTokens, modelId, refused } = response;
  return {
    text: rawResponse ?? '',
    inputTokens,
    outputTokens,
    ...(modelId !== undefined && { modelId }),
    ...(refused && { refused }),
  };
}
