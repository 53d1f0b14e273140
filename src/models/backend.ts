import type {
  Label,
  PatientRecord,
  PromptMessage,
  TextReply,
  TextRequest,
  TokenUsage,
} from '../core/index.ts';
import type { Task } from '../suites/index.ts';

/** All that a backend ever sees of a record. Label and metadata stay behind. */
export type VisibleRecord = Pick<PatientRecord, 'id' | 'features'>;

/** What a backend made of one record. */
export interface BackendResponse {
  readonly prediction: Label | null;
  readonly abstained: boolean;
  /** The stated probability that the answer is right. */
  readonly confidence: number | null;
  /** Whether the number is what the model says of itself, or a probability that was calibrated. */
  readonly confidenceSource: 'stated' | 'calibrated';
  readonly rawResponse: string | null;
  /** Redacted by construction; null for a backend without prompts. */
  readonly prompt: readonly PromptMessage[] | null;
  readonly promptMode: 'single' | 'batch';
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
  readonly totalTokens: number | null;
  /** Set when the reply was well formed and broke the schema: the row is invalid, and is not asked again. */
  readonly invalid?: string;
  /** Set when the model refused on grounds of policy. */
  readonly refused?: true;
  /** The model as the provider names it in its reply. */
  readonly modelId?: string;
  /** Set when the reply had to be mended to be read: counted, and told. */
  readonly repaired?: true;
}

/** Where questions go. */
export interface Destination {
  /** As in a model name: `openai`. */
  readonly provider: string;
  /** Host and port. */
  readonly host: string;
  /** True when that is this machine. */
  readonly loopback: boolean;
}

/** What the engine needs to know of a backend besides its answers. */
export interface BackendSettings {
  /** How often a call that failed for a passing reason is made again; 3 unless told. */
  readonly maxRetries?: number;
  /** The first wait before a retry; it doubles from there. */
  readonly retryBaseSeconds?: number;
  readonly retryMaxSeconds?: number;
  /** What shapes a reply besides the prompt: temperature, reasoning effort, token cap. Part of a run's identity. */
  readonly parameters?: Readonly<Record<string, unknown>>;
  /** True for made-up answers: every report of such a run says so. */
  readonly simulated?: boolean;
  /** Where questions are sent; absent for a backend that answers by itself. */
  readonly destination?: Destination;
  /** What tokens cost, in US dollars; null where no price is known. */
  readonly cost?: (usage: TokenUsage) => number | null;
  /** About how many tokens a question will take: for pacing, plans and budgets. */
  readonly estimateTokens?: (records: readonly VisibleRecord[], task: Task) => TokenUsage;
  /** A hash of all that shapes a reply but chance: model, address, parameters, prompt, schema. Replies of a backend without it are not cached. */
  readonly requestHash?: (records: readonly VisibleRecord[], task: Task, mode: 'single' | 'batch') => string;
}

/** Adapts a model, or anything that answers, to Krisis. */
export interface Backend extends BackendSettings {
  readonly name: string;
  evaluate(record: VisibleRecord, task: Task): Promise<BackendResponse>;
  evaluateBatch(records: readonly VisibleRecord[], task: Task): Promise<BackendResponse[]>;
  /** Answers in text; absent where a backend only knows how to classify. */
  generate?(request: TextRequest): Promise<TextReply>;
  /** As `requestHash`, for a text. */
  textHash?(request: TextRequest): string;
}
