import { KrisisError } from '../../core/errors.ts';
import type { EvaluationResult } from '../../core/evaluation-result.ts';
import { type Label, labelKey } from '../../core/label.ts';
import { isScored } from '../../core/states.ts';
import { confidenceFromRepeats, type RepeatVotes } from '../../statistics/methods/confidence.ts';
import type { RunFile } from '../../store/run-file.ts';

/** Where confidence comes from: stated by the model, the share of repeats that agree, or the probability of the label's tokens. */
export type ConfidenceSource = 'stated' | 'repeats' | 'logprobs';

export const CONFIDENCE_SOURCES = ['stated', 'repeats', 'logprobs'] as const satisfies ConfidenceSource[];

/** What scores look at. */
type Scored = ReturnType<RunFile['rows']['readScored']> extends Generator<infer Part> ? Part : never;

/** What a run must have for a source. */
interface SourceOptions {
  readonly repeats: number;
  readonly labels: readonly Label[];
  readonly parameters: Readonly<Record<string, unknown>>;
}

/**
 * The rows of a run with the confidence of one source; sources are never mixed. From repeats, a record is one row: its answer is the label with the most votes.
 *
 * @throws KrisisError with `ERR_CONFIDENCE_SOURCE` where the run does not have the source.
 */
export function sourceRows(
  file: { readonly rows: Pick<RunFile['rows'], 'readScored'> },
  source: ConfidenceSource,
  options: SourceOptions,
): Iterable<Scored> {
  const rows = file.rows.readScored(options.repeats);
  if (source === 'stated') return rows;
  const problem = source === 'repeats' ? repeatsProblem(options) : null;
  if (problem !== null) throw sourceError(source, problem);
  return source === 'repeats' ? votedRows(rows, options) : tokenRows(rows);
}

/** Why repeats of a run say nothing about confidence; null where they do. */
export function repeatsProblem({
  repeats,
  parameters,
}: Pick<SourceOptions, 'repeats' | 'parameters'>): string | null {
  if (repeats < 2) return 'every case was asked once; run it with repeats';
  if (parameters.temperature === 0)
    return 'the run was made at temperature 0, where repeats are the same reply and carry no information';
  return null;
}

export function sourceError(source: ConfidenceSource, why: string): KrisisError {
  return new KrisisError(`confidence from ${source}: ${why}`, {
    code: 'ERR_CONFIDENCE_SOURCE',
    value: source,
  });
}

function* tokenRows(rows: Iterable<Scored>): Generator<Scored> {
  let hasAny = false;
  for (const row of rows) {
    hasAny ||= row.tokenConfidence !== null;
    yield { ...row, confidence: row.tokenConfidence };
  }
  if (!hasAny)
    throw sourceError(
      'logprobs',
      'no case has log-probabilities of tokens; ask for them when the run is made, from a provider that gives them',
    );
}

function* votedRows(rows: Iterable<Scored>, { repeats, labels }: SourceOptions): Generator<Scored> {
  const records = new Map<string, Scored[]>();
  for (const row of rows) {
    const own = records.get(row.id);
    if (own === undefined) records.set(row.id, [row]);
    else own.push(row);
  }
  // In an interrupted run, a record may not have been asked often enough yet.
  for (const asked of records.values()) if (asked.length === repeats) yield voted(asked, labels);
}

function voted(rows: readonly Scored[], labels: readonly Label[]): Scored {
  // A reply that a failure kept from us is not a vote against the answer, and one reply out of five is not agreement: the record failed.
  const failed = rows.find(({ state }) => !isScored(state));
  if (failed !== undefined) return failed;
  const votes = countVotes(rows);
  const found = confidenceFromRepeats(votes, Math.max(1, labels.length))!;
  return { ...decided(rows, found), repeat: 0 };
}

function decided(replies: readonly Scored[], { decision, confidence }: RepeatVotes): Scored {
  const isOfKind = ({ state, prediction }: Scored) =>
    confidence === null
      ? decision === 'abstain'
        ? state === 'abstained'
        : true
      : state === 'answered' && labelKey(prediction!) === decision;
  // A tie between labels is an abstention without a reply that abstains.
  const reply = replies.find(isOfKind) ?? replies[0]!;
  if (confidence !== null) return { ...reply, confidence };
  if (decision === 'invalid') return { ...reply, confidence: null };
  return {
    ...reply,
    state: 'abstained',
    abstained: true,
    prediction: null,
    confidence: null,
    stateReason: null,
  };
}

/** Replies as votes: a label by its key, `abstain`, or null where a reply is not usable. */
export function countVotes(
  replies: readonly Pick<EvaluationResult, 'state' | 'prediction'>[],
): (string | number | null)[] {
  return replies.map(({ state, prediction }) => {
    if (state === 'abstained') return 'abstain';
    return state === 'answered' && prediction !== null ? labelKey(prediction) : null;
  });
}
