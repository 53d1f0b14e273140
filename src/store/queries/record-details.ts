import { type PatientRecord, pick } from '../../core/index.ts';
import { jsonCell, objectCell, UnexpectedCell } from '../stored-cells.ts';
import { JOIN_CALLS, replyColumns, replyText, type SqlReply } from '../stored-row.ts';
import type { RunDatabase } from './query-run.ts';
import type { RecordLine } from './record-line.ts';

/** Everything that a run file says of one row. */
export interface RecordDetails {
  /** Null where the file does not have them. */
  readonly features: Readonly<Record<string, unknown>> | null;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly state_reason: string | null;
  /** Why the model says that it deferred; null where it did not, or gave no reason. */
  readonly deferral_reason: string | null;
  /** What went wrong with a row that failed; null for other rows, and in files of older versions. */
  readonly problem: string | null;
  /** The HTTP status of the call that failed; null where there was none, or the run does not say. */
  readonly status: number | null;
  readonly raw_response: string | null;
  /** What is too long to be shown whole, in sentences: `the reply is cut: 200 MB, the first 1 MB is shown`. */
  readonly cut: readonly string[];
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

/** Longer texts are cut, in SQL: neither this process nor a browser should hold 200 MB of one reply. In characters. */
const MOST_SHOWN = 1_000_000;
/** SQLite must be able to read a text in order to cut it; longer ones are not shown at all. In bytes. */
export const LONGEST_CUT = 2 ** 28;

/** The beginning of a text, which is all of most texts. */
const beginning = (cell: string) =>
  `CASE WHEN octet_length(${cell}) <= ${LONGEST_CUT} THEN substr(${cell}, 1, ${MOST_SHOWN}) END`;
/** JSON cannot be cut. */
const whole = (cell: string) => `CASE WHEN octet_length(${cell}) <= ${4 * MOST_SHOWN} THEN ${cell} END`;

type SqlDetails = Pick<
  RecordDetails,
  'state_reason' | 'deferral_reason' | 'problem' | 'status' | 'input_tokens' | 'output_tokens'
> & {
  readonly metadata: string | null;
} & Readonly<Record<'featuresBytes' | 'metadataBytes' | 'promptBytes' | 'replyBytes', number | null>> &
  SqlReply &
  Readonly<Record<'features' | 'prompt' | 'mode', string | null>> &
  Readonly<Record<'tokens_estimated' | 'repaired', number | null>>;

const DETAILS = `SELECT ${whole('r.metadata')} AS metadata, ${whole('r.features')} AS features, octet_length(r.metadata) AS metadataBytes, octet_length(r.features) AS featuresBytes, w.state_reason, w.deferral_reason, w.problem, w.status, ${replyColumns(beginning)}, coalesce(octet_length(w.raw_response), octet_length(c.raw_response)) AS replyBytes, ${whole('t.prompt')} AS prompt, octet_length(t.prompt) AS promptBytes, w.mode, w.input_tokens, w.output_tokens, w.tokens_estimated, w.repaired FROM records r LEFT JOIN latest_rows w ON w.record_id = r.id AND w.repeat = ? LEFT JOIN templates t ON t.id = w.template ${JOIN_CALLS} WHERE r.id = ?`;

type Place = Pick<RecordLine, 'id' | 'repeat'>;

/** The details of a row that the run has. */
export function recordDetails(run: RunDatabase, place: Place): RecordDetails {
  return detailsReader(run, attemptsOf)(place);
}

/** Reads the details of many rows. */
export function allRecordDetails(run: RunDatabase): (place: Place) => RecordDetails {
  const attempts = attemptsByRow(run);
  return detailsReader(run, (_, { id, repeat }) => attempts.get(rowKey(id, repeat)) ?? []);
}

/** Reads the details of many rows without their attempts. */
export function recordTexts(run: RunDatabase): (place: Place) => RecordDetails {
  return detailsReader(run, () => []);
}

function detailsReader(
  run: RunDatabase,
  attempts: (run: RunDatabase, place: Place) => RecordDetails['attempts'],
): (place: Place) => RecordDetails {
  const query = run.prepare(DETAILS);
  return (place) => {
    const found = query.get(place.repeat, place.id) as unknown as SqlDetails;
    const { mode, features, metadata, prompt } = found;
    return {
      ...pick(found, [
        'state_reason',
        'deferral_reason',
        'problem',
        'status',
        'input_tokens',
        'output_tokens',
      ]),
      raw_response: replyText(found),
      cut: cutTexts(found),
      features: features === null ? null : objectCell(features, 'features'),
      metadata: metadata === null ? {} : objectCell(metadata, 'metadata'),
      prompt: prompt === null ? null : jsonCell(prompt, 'a prompt'),
      prompt_mode: mode ?? 'batch',
      tokens_estimated: found.tokens_estimated === 1,
      repaired: found.repaired === 1,
      attempts: attempts(run, place),
    };
  };
}

function cutTexts(row: SqlDetails): string[] {
  const { rawResponse, callReply, replyBytes, replyEnd } = row;
  const reply = rawResponse ?? callReply;
  const isWhole =
    (reply?.length ?? 0) < MOST_SHOWN || (rawResponse === null && (replyEnd ?? Infinity) <= MOST_SHOWN);
  const notShown = (what: string, cell: unknown, bytes: number | null) =>
    cell === null && bytes !== null ? [`the ${what} are not shown: ${sizeText(bytes)}`] : [];
  return [
    ...(replyBytes === null || (reply !== null && isWhole)
      ? []
      : reply === null
        ? replyBytes > LONGEST_CUT
          ? [`the reply is not shown: ${sizeText(replyBytes)}`]
          : []
        : [`the reply is cut: ${sizeText(replyBytes)}, the first ${sizeText(MOST_SHOWN)} is shown`]),
    ...notShown('features', row.features, row.featuresBytes),
    ...notShown('metadata', row.metadata, row.metadataBytes),
    ...notShown('messages of the prompt', row.prompt, row.promptBytes),
  ];
}

function sizeText(bytes: number): string {
  return `${Math.max(1, Math.round(bytes / 1e6)).toLocaleString('en')} MB`;
}

type Attempt = RecordDetails['attempts'][number];

const ATTEMPT =
  "attempt, mode, coalesce(outcome, 'in_flight') AS outcome, substr(error, 1, 10000) AS error, latency AS latency_seconds, n_records";

/** Includes calls whose batch was split later. The first condition only makes it fast: it finds the id anywhere in the text. */
function attemptsOf(run: RunDatabase, { id, repeat }: Place): readonly Attempt[] {
  return run
    .prepare(
      `SELECT ${ATTEMPT} FROM calls WHERE repeat = ? AND instr(record_ids, ?) > 0 AND EXISTS (SELECT 1 FROM json_each(record_ids) WHERE value = ?) ORDER BY id`,
    )
    .all(repeat, JSON.stringify(id), id) as unknown as readonly Attempt[];
}

/** The same of all rows in one pass over the calls: looking through all calls for every row of a long run would take hours. */
function attemptsByRow(run: RunDatabase): ReadonlyMap<string, readonly Attempt[]> {
  const found = new Map<string, Attempt[]>();
  for (const { repeat, record_ids, ...attempt } of run
    .prepare(`SELECT repeat, record_ids, ${ATTEMPT} FROM calls ORDER BY id`)
    .iterate()) {
    const ids = jsonCell(record_ids, 'the records of a call');
    if (!Array.isArray(ids)) throw new UnexpectedCell('the records of a call are not a list');
    for (const id of new Set(ids)) {
      const key = rowKey(String(id), Number(repeat));
      const known = found.get(key);
      if (known === undefined) found.set(key, [attempt as unknown as Attempt]);
      else known.push(attempt as unknown as Attempt);
    }
  }
  return found;
}

function rowKey(id: string, repeat: number): string {
  return `${repeat} ${id}`;
}

/** The features of the records that one prompt asked about, in its order; null where the file does not have them all. */
export function promptFeatures(
  run: RunDatabase,
  { id, repeat, prompt_mode }: Place & Pick<RecordDetails, 'prompt_mode'>,
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
