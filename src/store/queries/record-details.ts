import type { PatientRecord } from '../../core/index.ts';
import { jsonCell, objectCell, UnexpectedCell } from '../stored-cells.ts';
import { JOIN_CALLS, REPLY_COLUMNS, replyText, type SqlReply } from '../stored-row.ts';
import type { RunDatabase } from './query-run.ts';
import type { RecordLine } from './record-line.ts';

/** Everything that a run file says of one row. */
export interface RecordDetails {
  /** Null where the file does not have them. */
  readonly features: Readonly<Record<string, unknown>> | null;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly state_reason: string | null;
  /** What went wrong with a row that failed; null for other rows, and in files of older versions. */
  readonly problem: string | null;
  /** The HTTP status of the call that failed; null where there was none, or the run does not say. */
  readonly status: number | null;
  readonly raw_response: string | null;
  readonly prompt: unknown;
  readonly prompt_mode: string;
  readonly input_tokens: number | null;
  readonly output_tokens: number | null;
  readonly tokens_estimated: boolean;
  readonly repaired: boolean;
  /** Every call that asked about the record, in order. */
  readonly attempts: readonly {
    readonly attempt: number;
    readonly mode: string;
    readonly outcome: string;
    readonly error: string | null;
    readonly latency_seconds: number | null;
    readonly n_records: number;
  }[];
}

type SqlDetails = Pick<
  RecordDetails,
  'state_reason' | 'problem' | 'status' | 'input_tokens' | 'output_tokens'
> & {
  readonly metadata: string;
} & SqlReply &
  Readonly<Record<'features' | 'prompt' | 'mode', string | null>> &
  Readonly<Record<'tokens_estimated' | 'repaired', number | null>>;

/** The details of a row that the run has. */
export function recordDetails(
  run: RunDatabase,
  { id, repeat }: Pick<RecordLine, 'id' | 'repeat'>,
): RecordDetails {
  const found = run
    .prepare(
      `SELECT r.metadata, r.features, w.state_reason, w.problem, w.status, ${REPLY_COLUMNS}, t.prompt, w.mode, w.input_tokens, w.output_tokens, w.tokens_estimated, w.repaired FROM records r LEFT JOIN latest_rows w ON w.record_id = r.id AND w.repeat = ? LEFT JOIN templates t ON t.id = w.template ${JOIN_CALLS} WHERE r.id = ?`,
    )
    .get(repeat, id) as unknown as SqlDetails;
  const { mode, rawResponse: _, replyStart, replyEnd, callReply, ...rest } = found;
  return {
    ...rest,
    raw_response: replyText(found),
    features: found.features === null ? null : objectCell(found.features, 'features'),
    metadata: objectCell(found.metadata, 'metadata'),
    prompt: found.prompt === null ? null : jsonCell(found.prompt, 'a prompt'),
    prompt_mode: mode ?? 'batch',
    tokens_estimated: found.tokens_estimated === 1,
    repaired: found.repaired === 1,
    attempts: attemptsOf(run, id, repeat),
  };
}

/** Includes calls whose batch was split later. The first condition only makes it fast: it finds the id anywhere in the text. */
function attemptsOf(run: RunDatabase, id: string, repeat: number): RecordDetails['attempts'] {
  return run
    .prepare(
      "SELECT attempt, mode, coalesce(outcome, 'in_flight') AS outcome, error, latency AS latency_seconds, n_records FROM calls WHERE repeat = ? AND instr(record_ids, ?) > 0 AND EXISTS (SELECT 1 FROM json_each(record_ids) WHERE value = ?) ORDER BY id",
    )
    .all(repeat, JSON.stringify(id), id) as unknown as RecordDetails['attempts'];
}

/** The features of the records that one prompt asked about, in its order; null where the file does not have them all. */
export function promptFeatures(
  run: RunDatabase,
  { id, repeat, prompt_mode }: Pick<RecordLine, 'id' | 'repeat'> & Pick<RecordDetails, 'prompt_mode'>,
): readonly PatientRecord['features'][] | null {
  const call = run
    .prepare(
      'SELECT c.record_ids AS ids FROM latest_rows w JOIN calls c ON c.id = w.call WHERE w.record_id = ? AND w.repeat = ?',
    )
    .get(id, repeat);
  if (prompt_mode === 'batch' && call === undefined) return null;
  const asked = prompt_mode === 'batch' ? jsonCell(call!.ids, 'the records of a call') : [id];
  if (!Array.isArray(asked)) throw new UnexpectedCell('the records of a call are not a list');
  const features = run.prepare('SELECT features FROM records WHERE id = ?');
  const found = asked.map((one) => features.get(String(one))?.features ?? null);
  return found.includes(null)
    ? null
    : found.map((cell) => objectCell(cell, 'features') as PatientRecord['features']);
}
