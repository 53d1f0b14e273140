import type { Label } from '../core/label.ts';
import type { PatientRecord } from '../core/patient-record.ts';
import type { TextSpan } from '../core/read-json.ts';
import type { PromptMessage, TextReply, TextRequest, TokenUsage } from '../core/text-request.ts';
import type { Task } from '../suites/task.ts';
import type { BulkWire, Exchange, WireRequest } from './api/bulk/wire.ts';
import type { ModelReply } from './api/model-reply.ts';

/** The part of a record that a backend sees: neither label nor metadata. */
export type VisibleRecord = Pick<PatientRecord, 'id' | 'features'>;

/** A backend's answer to one record. `defineBackend` fills in the defaults. */
export interface BackendResponse {
  /** The label; null where there is none. */
  readonly prediction: Label | null;
  /** Whether the model declined to answer. */
  readonly abstained: boolean;
  /** The probability that the answer is right, from 0 to 1. Default: null, none was stated. */
  readonly confidence: number | null;
  /** Whether the model stated the confidence itself, or it was calibrated on training data. Default: `stated`. */
  readonly confidenceSource: 'stated' | 'calibrated';
  /** The probability of the answer by the log-probabilities of its tokens. Default: null, where the provider gives none or they were not asked for. */
  readonly tokenConfidence?: number | null;
  /** The reply as received. Default: null. */
  readonly rawResponse: string | null;
  /** The prompt's template, which holds no patient data. Of protected suites it is stored only if the backend declares it as its `promptTemplate`. Default: that template, or null for a backend without prompts. */
  readonly prompt: readonly PromptMessage[] | null;
  /** Whether the record was asked alone or in one prompt with others. Default: the method that was called; a call about one record is always `single`. */
  readonly promptMode: 'single' | 'batch';
  /** Default: null, not counted. */
  readonly inputTokens: number | null;
  /** Default: null, not counted. */
  readonly outputTokens: number | null;
  /** Default: null, not counted. */
  readonly totalTokens: number | null;
  /** Whether the model says that the case needs action today. Default: null, it does not say. */
  readonly urgent?: boolean | null;
  /** Why the model declined to answer, in one of the codes it was offered. Default: null, none was given. */
  readonly deferralReason?: string | null;
  /** The fields of the answer in the order in which the reply has them, separated by commas. Default: null, unknown. */
  readonly replyOrder?: string | null;
  /** The part of `rawResponse` that is about this record, in UTF-16 code units. Default: null; then it is the entry of this record in the JSON of a reply that several records share, where that is certain, and otherwise all of it. */
  readonly replySpan?: TextSpan | null;
  /** Why a readable reply breaks the schema: the row is invalid and is not asked again. Default: the reply is valid. */
  readonly invalid?: string;
  /** Set when the model refused for policy reasons. Default: it did not. */
  readonly refused?: true;
  /** The model as the provider names it in its reply. Default: not reported. */
  readonly modelId?: string;
  /** Set when the provider refused the question before doing any work, so that it costs nothing. Default: the reply is paid for. */
  readonly unbilled?: true;
  /** Set when the reply had to be repaired before it could be parsed; reports count such replies. Default: it was not. */
  readonly repaired?: true;
}

/** Where questions are sent. */
export interface Destination {
  /** The provider's name, as in a model name: `openai`. */
  readonly provider: string;
  /** Host and port. */
  readonly host: string;
  /** True when the host is this machine. */
  readonly loopback: boolean;
  /** False where the host is not the provider's own, so that only its name allows protected data to go there. Default: true. */
  readonly ownHost?: boolean;
  /** Set where questions go through a queue to workers, which may be on other machines. Default: they go there from this machine. */
  readonly through?: 'queue';
}

/** What the engine knows about a backend besides its answers. */
export interface BackendSettings {
  /** How often a call that failed temporarily is retried. Default: 3. */
  readonly maxRetries?: number;
  /** The wait before the first retry; it doubles with each retry. Default: 1. */
  readonly retryBaseSeconds?: number;
  /** The longest wait between retries. Default: 60. */
  readonly retryMaxSeconds?: number;
  /** What shapes a reply besides the prompt: temperature, reasoning effort. Part of a run's identity, except for `max_output_tokens`. Default: {}. */
  readonly parameters?: Readonly<Record<string, unknown>>;
  /** Limits of a call that may change within a run: recorded with each call, together with `maxRetries`. Default: none are recorded. */
  readonly settings?: {
    /** The most tokens that a reply may take per row. Default: none is recorded. */
    readonly maxOutputTokens?: number;
    /** How long a call may take. Default: none is recorded. */
    readonly timeoutSeconds?: number;
  };
  /** The prompt with its slots unfilled, the same for every record. Stored with every row that has no prompt of its own; of protected suites no other prompt is stored. Default: none is declared. */
  readonly promptTemplate?: readonly PromptMessage[];
  /** Set when the backend answers one record at a time: every record is then a call of its own, whatever the batch size, and fails or is retried by itself. `defineBackend` sets it where there is no `evaluateBatch`. Default: records are asked in batches. */
  readonly answersSingly?: true;
  /** Set where the model is asked whether a case is urgent whenever the task wants it: a reply that does not say so then misses an emergency. Default: not known, and urgency counts as asked where any answer states it. */
  readonly asksUrgency?: boolean;
  /** True for simulated answers; every report of such a run says so. Default: false. */
  readonly simulated?: boolean;
  /** Where questions are sent. Default: nowhere, the backend answers by itself. */
  readonly destination?: Destination;
  /** What tokens cost in US dollars, or null where no price is known. Default: no price is known. */
  readonly cost?: (usage: TokenUsage) => number | null;
  /** An estimate of the tokens a question takes, for pacing and plans. Default: no estimate. */
  readonly estimateTokens?: (records: readonly VisibleRecord[], task: Task) => TokenUsage;
  /** The most tokens that a call about these records can take and be charged for: what a budget sets aside before the call. Default: unknown, and a budget cannot be kept. */
  readonly maxTokens?: (records: readonly VisibleRecord[], task: Task) => TokenUsage;
  /** A hash of everything that shapes a reply except chance: model, address, parameters, prompt, schema. Only for a backend that uses `cached` and `received` of its calls. Default: replies are not cached. */
  readonly requestHash?: (records: readonly VisibleRecord[], task: Task, mode: 'single' | 'batch') => string;
}

/** How a call was made, where the backend knows. */
export interface CallMade {
  readonly via: 'http' | 'queue' | 'bulk';
  /** Who made it, where it was another process. Default: null. */
  readonly worker?: string | null;
  /** How long it took there, without time in a queue; null where that means nothing, as for an item of a bulk job. Default: as long as the engine waited. */
  readonly seconds?: number | null;
  /** Called when the outcome of the call is committed: nothing else needs to keep it then. */
  readonly entered?: () => void;
}

/** Names one try of one call. `key` and `attempt` are the same in every process that continues the run, so together with the id of the run they name the try for ever. */
export interface CallRef {
  readonly key: string;
  readonly attempt: number;
  /** The id of the run. Default: the call is of no run. */
  readonly run?: string | null | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Stands in for the network. Default: the call goes out. */
  readonly exchange?: Exchange | undefined;
  /** A reply that was given before, to be read in place of a new one. Default: the question is put. */
  readonly cached?: ModelReply | undefined;
  /** To be called with every reply, `cached` included, before it is read: only such replies are cached. */
  readonly received?: ((reply: ModelReply) => void) | undefined;
  /** To be called, before the reply is returned or an error thrown, by a backend that knows how the call was made. */
  readonly made?: (made: CallMade) => void;
}

/** Connects a model, or anything else that answers, to Krisis. */
export interface Backend extends BackendSettings {
  /** The model's name in reports and run files. */
  readonly name: string;
  /** Answers one record. Throws a `BackendError` when the call fails. */
  evaluate(record: VisibleRecord, task: Task, call?: CallRef): Promise<BackendResponse>;
  /** Answers several records, in the order asked. */
  evaluateBatch(records: readonly VisibleRecord[], task: Task, call?: CallRef): Promise<BackendResponse[]>;
  /** Answers in text. Default: the backend only classifies, and can neither answer open questions nor judge. */
  generate?(request: TextRequest, call?: CallRef): Promise<TextReply>;
  /** Puts one request to the model, below prompts and parsing. Default: the backend has no such way. */
  readonly transport?: Transport;
  /** How many calls may be in flight at the same time, where that changes while a run goes on. Default: as the run says. */
  readonly places?: () => number;
  /** The workers that calls were sent to so far, by name, and where those send them. Default: there are none. */
  readonly workers?: () => readonly (Destination & { readonly name: string })[];
  /** Like `maxTokens`, for a text request. */
  maxTextTokens?(request: TextRequest): TokenUsage;
  /** The provider's bulk jobs, reached as the given call is. Default: the backend has none. */
  readonly bulk?: { wire(call: WireRequest): BulkWire };
  /** Like `requestHash`, for a text request. Default: replies are not cached. */
  textHash?(request: TextRequest): string;
}

/** Puts one question to the model once, and brings its reply. Prompts and parsing are above it; it throws a `BackendError` when the call fails. */
export type Transport = (request: TextRequest, call?: CallRef) => Promise<ModelReply>;
