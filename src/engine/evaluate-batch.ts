import { hash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { oncePer } from '../core/collections.ts';
import { reasonsToGive } from '../core/deferral-reasons.ts';
import { isWorthSplitting } from '../core/fault.ts';
import { type Label, sameLabel } from '../core/label.ts';
import type { TextSpan } from '../core/read-json.ts';
import { INVALID_REASONS, inferState, type RowState } from '../core/states.ts';
import { isOwnTemplate } from '../models/api/prompt.ts';
import type { BackendResponse, VisibleRecord } from '../models/backend.ts';
import { BackendError, ownError } from '../models/backend-error.ts';
import { complete } from '../models/define-backend.ts';
import type { CallFailure } from '../store/call.ts';
import type { NewRow } from '../store/rows.ts';
import type { Task } from '../suites/task.ts';
import { settleAll } from '../transports/transport.ts';
import { makeCall } from './call.ts';
import type { CallContext } from './call-request.ts';
import { keptReply } from './kept-reply.ts';
import { replySpans } from './reply-spans.ts';
import { foldedWords } from './scrub.ts';
import { sumTokens } from './token-sums.ts';

export interface BatchOptions extends CallContext {
  readonly task: Task;
  readonly repeat: number;
  /** The round of asking failed rows again. Default: 0, the records are asked for the first time. */
  readonly round?: number | undefined;
  readonly onRow?: (row: NewRow) => void;
}

/**
 * Answers a batch, whatever it takes: it is asked as one; usable answers are kept; the rest is split in halves, down to single rows; a single row is asked once more by
 * itself, and then fails with the reason. Calls that ended in an earlier process are not made again, so a run that was killed continues exactly where it stopped.
 */
export async function evaluateBatch(records: readonly VisibleRecord[], options: BatchOptions): Promise<void> {
  const { journal, repeat, round } = options;
  const waiting = records.filter(({ id }) => !journal.rows.isDone(id, repeat, round));
  if (waiting.length === 0) return;
  // The key covers the whole batch, even if part of it was answered in a smaller run, so that the call is found again whatever it brought.
  const key = buildCallKey('batch', options, records);
  const failure =
    journal.calls.ended(key) === null
      ? await ask('batch', key, waiting, options)
      : journal.calls.failure(key);
  if (failure === null) return;
  const { fault } = failure;
  // What this call left, not what is missing by now: a continued run must split where it would have split.
  const left = new Set(journal.calls.unanswered(key));
  const rest = records.filter(({ id }) => left.has(id));
  if (rest.length === 0) return;
  if (!isWorthSplitting(fault, failure.problem)) {
    if (records.length > 1) return fail(rest, failure, 'batch', options);
    return fail(
      rest,
      failure,
      'single',
      options,
      failure instanceof BackendError ? failure.rawResponse : null,
    );
  }
  if (rest.length > 1) {
    const half = Math.ceil(rest.length / 2);
    // Both are asked before either is waited for.
    return settleAll([rest.slice(0, half), rest.slice(half)], (part) => evaluateBatch(part, options));
  }
  const [last] = rest;
  if (records.length > 1) return evaluateBatch([last!], options);
  // A call without a reply says nothing about the record; asking it by itself would be another retry. Code that answers batches may fail where the code for one record does not.
  if (fault === 'timeout' || fault === 'server' || (fault === 'backend' && options.backend.answersSingly))
    return fail(rest, failure, 'single', options);
  const single = buildCallKey('single', options, rest);
  const ended = journal.calls.failure(single);
  if (ended !== null) return fail(rest, ended, 'single', options);
  const error = await ask('single', single, rest, options);
  if (error !== null) fail(rest, error, 'single', options, error.rawResponse);
}

/** Makes one call about these records, and enters the rows it brings. Returns the error that it ended in. */
async function ask(
  mode: 'single' | 'batch',
  key: string,
  records: readonly VisibleRecord[],
  options: BatchOptions,
): Promise<BackendError | null> {
  const { backend, task, repeat, cache, isProtected } = options;
  const mayCache = cache !== undefined && !isProtected && backend.requestHash !== undefined;
  // Id and features, and nothing else that the object may hold.
  const shown = records.map(({ id, features }) => ({ id, features }));
  const { error } = await makeCall(
    {
      key,
      mode,
      repeat,
      records,
      ask: async (call) =>
        mode === 'single'
          ? usable([await backend.evaluate(shown[0]!, task, call)], 1)
          : usable(await backend.evaluateBatch(shown, task, call), records.length),
      toRows: (responses) => report(buildRows(records, responses, mode, options), options),
      keep: keptWords(task),
      cacheKey: mayCache ? `${backend.requestHash!(shown, task, mode)}:${repeat}` : null,
      estimate: () => backend.estimateTokens?.(shown, task) ?? { inputTokens: null, outputTokens: null },
      most: backend.maxTokens?.(shown, task) ?? null,
    },
    options,
  );
  return error;
}

/** The same records in the same mode, repeat and round have the same key in every process. */
function buildCallKey(
  mode: 'single' | 'batch',
  { repeat, round = 0 }: Pick<BatchOptions, 'repeat' | 'round'>,
  records: readonly VisibleRecord[],
): string {
  const ids = records.map(({ id }) => `:${id.length}:${id}`).join('');
  return hash('sha256', `${mode}:${repeat}${round === 0 ? '' : `:again ${round}`}${ids}`, 'base64url').slice(
    0,
    24,
  );
}

/** The replies of a backend, if there is one for every record. No compiler checked a backend from a config. */
function usable(replies: readonly BackendResponse[], n: number): readonly BackendResponse[] {
  if (!Array.isArray(replies)) throw ownError('malformed', 'the backend gave no list of answers');
  const given = Array.from(replies, (reply) => (typeof reply === 'object' ? reply : null));
  const nGiven = given.filter((reply) => reply !== null).length;
  if (nGiven === n && replies.length === n) return replies;
  if (nGiven === 0) throw ownError('empty', `no answer for ${n === 1 ? 'the record' : `${n} records`}`);
  throw ownError('short', `${nGiven} answers for ${n} records`, {
    // In a list of another length it is unknown which row an answer belongs to.
    partial: replies.length === n ? given : [],
    usage: sumTokens(given),
  });
}

/** Enters these records as failed; this session does not try them again. */
function fail(
  records: readonly VisibleRecord[],
  { fault, problem, status }: CallFailure,
  promptMode: 'single' | 'batch',
  options: BatchOptions,
  reply: string | null = null,
): void {
  const kept = keptReply(reply, records, options, keptWords(options.task));
  const rows = records.map(({ id }) => ({
    id,
    repeat: options.repeat,
    attempt: options.round ?? 0,
    state: 'failed' as const,
    stateReason: fault,
    problem,
    httpStatus: status,
    promptMode,
    ...kept,
  }));
  options.journal.rows.enter(report(rows, options));
}

function buildRows(
  records: readonly VisibleRecord[],
  responses: readonly (BackendResponse | null)[],
  mode: 'single' | 'batch',
  options: BatchOptions,
): NewRow[] {
  const { repeat, task, isProtected } = options;
  // The rows of a batch share their reply.
  const kept = new Map<string | null, ReturnType<typeof keptReply>>();
  const keptOnce = (text: string | null) => {
    if (!kept.has(text)) kept.set(text, keptReply(text, records, options, keptWords(task)));
    return kept.get(text)!;
  };
  const spans = sharedSpans(records, responses);
  return records.flatMap(({ id }, i) => {
    const given = responses[i];
    if (!given) return [];
    const response = complete(given, mode);
    const { state, reason } = classifyResponse(response, task);
    const { inputTokens, outputTokens, totalTokens } = response;
    const isAlone = records.length === 1 || response.promptMode === 'single';
    return [
      {
        id,
        repeat,
        attempt: options.round ?? 0,
        state,
        stateReason: isProtected && reason !== null && !INVALID_REASONS.includes(reason) ? 'other' : reason,
        prediction: safePrediction(response, state, isProtected),
        abstained: state === 'abstained',
        confidence: safeConfidence(response.confidence, isProtected),
        urgent: statedUrgency(response, state),
        deferralReason: state === 'abstained' ? offeredReason(response.deferralReason, task) : null,
        tokenConfidence: state === 'answered' ? probability(response.tokenConfidence) : null,
        confidenceSource: response.confidenceSource === 'calibrated' ? 'calibrated' : 'stated',
        ...keptOnce(asText(response.rawResponse)),
        prompt: storedPrompt(response, options),
        promptMode: isAlone ? 'single' : 'batch',
        inputTokens,
        outputTokens,
        totalTokens,
        tokensEstimated: !isAlone && (inputTokens ?? outputTokens ?? totalTokens) !== null,
        repaired: response.repaired === true,
        replyOrder: isProtected ? safeOrder(response.replyOrder) : (response.replyOrder ?? null),
        replySpan: spanIn(response) ?? spans[i] ?? null,
      },
    ];
  });
}

/** The state of an answer. One outside the label space is invalid, whatever the backend says. */
function classifyResponse(response: BackendResponse, task: Task): { state: RowState; reason: string | null } {
  const { prediction, abstained, refused, invalid } = response;
  if (refused) return { state: 'refused', reason: null };
  if (invalid != null) return { state: 'invalid', reason: invalid };
  if (typeof abstained !== 'boolean') return { state: 'invalid', reason: 'abstained_is_no_boolean' };
  if (!abstained && prediction !== null && !isLabel(prediction))
    return { state: 'invalid', reason: 'prediction_is_no_label' };
  const state = inferState({ abstained, prediction });
  if (state === 'invalid') return { state, reason: 'no_answer' };
  const known = state !== 'answered' || task.labels.some((label) => sameLabel(label, prediction!));
  return known ? { state, reason: null } : { state: 'invalid', reason: 'label_not_in_task' };
}

function report(rows: NewRow[], { onRow }: BatchOptions): NewRow[] {
  for (const row of rows) onRow?.(row);
  return rows;
}

/** A confidence that is not a probability may be a patient's value: for protected records this is stored in its place. */
const NO_PROBABILITY = -1;

function safeConfidence(confidence: unknown, isProtected: boolean | undefined): number | null {
  if (typeof confidence !== 'number' || !Number.isFinite(confidence)) return null;
  return isProtected && !(confidence >= 0 && confidence <= 1) ? NO_PROBABILITY : confidence;
}

function probability(value: unknown): number | null {
  return typeof value === 'number' && value >= 0 && value <= 1 ? value : null;
}

/** A refused or invalid reply says nothing. No compiler checked a backend from a config. */
function statedUrgency({ urgent }: BackendResponse, state: RowState): boolean | null {
  return typeof urgent === 'boolean' && (state === 'answered' || state === 'abstained') ? urgent : null;
}

/** A reason that was not offered is none: it may be anything, the patient's name included. */
function offeredReason(reason: unknown, task: Task): string | null {
  return reasonsToGive(task).find((offered) => offered === reason) ?? null;
}

/** A prediction that is not a label may quote the record. */
function safePrediction(
  { prediction }: BackendResponse,
  state: RowState,
  isProtected: boolean | undefined,
): Label | null {
  if (!isLabel(prediction)) return null;
  return isProtected && state !== 'answered' ? null : prediction;
}

/** A prompt of a backend of the user's own may hold values of a record in any form, so that of protected records only a template is stored: Krisis's own, or the one that the backend declares for all records. */
function storedPrompt(
  { prompt }: BackendResponse,
  { promptTemplate = null, isProtected }: BatchOptions,
): BackendResponse['prompt'] {
  if (prompt === null) return promptTemplate;
  const isTemplate = () => isOwnTemplate(prompt) || isDeepStrictEqual(prompt, promptTemplate);
  return !isProtected || isTemplate() ? prompt : null;
}

/** The part of its reply that a backend says a row is in. No compiler checked a backend from a config. */
function spanIn({ replySpan, rawResponse }: BackendResponse): TextSpan | null {
  if (typeof replySpan !== 'object' || replySpan === null) return null;
  const { start, end } = replySpan;
  const isPart = Number.isInteger(start) && Number.isInteger(end) && 0 <= start && start <= end;
  return isPart && end <= (rawResponse?.length ?? end) ? { start, end } : null;
}

/** The parts of a reply that several records share, where the backend does not say. */
function sharedSpans(
  records: readonly VisibleRecord[],
  responses: readonly (BackendResponse | null)[],
): readonly (TextSpan | null)[] {
  const text = responses[0]?.rawResponse;
  const isShared =
    records.length > 1 &&
    typeof text === 'string' &&
    responses.length === records.length &&
    responses.every((response) => response?.rawResponse === text && response.replySpan == null);
  return isShared
    ? replySpans(
        text,
        records.map(({ id }) => id),
      )
    : [];
}

const FORM = 'results, reasoning, urgent, prediction, abstained, confidence, reason, case, true, false, null';
const KEYS = new Set(FORM.split(', '));

/** The keys of an answer, where they are those that were asked for. */
function safeOrder(order: unknown): string | null {
  return typeof order === 'string' && order.split(',').every((key) => KEYS.has(key)) ? order : null;
}
/** Words of the reply's form and of the labels: they reveal nothing, and are not blocked out. */
const keptWords = oncePer((task: Task): ReadonlySet<string> => foldedWords(FORM, ...task.labels.map(String)));

function isLabel(value: unknown): value is Label {
  return ['string', 'number', 'boolean'].includes(typeof value);
}

function asText(raw: unknown): string | null {
  return raw === null || typeof raw === 'string' ? raw : (JSON.stringify(raw) ?? null);
}
