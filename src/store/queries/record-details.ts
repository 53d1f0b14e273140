import { snakeKeys } from '../../core/codec.ts';
import type { PatientRecord } from '../../core/patient-record.ts';
import type { RunDatabase } from '../open-database.ts';
import { JOIN_REPLIES, readReply, replyColumns, type Selected } from '../rows.ts';
import { jsonCell, objectCell } from '../stored-cells.ts';
import { CALLS, LABELLED_ROW_KEYS, ROW_KEYS, ROWS } from '../tables.ts';
import type { RecordLine } from './record-line.ts';

const IN_LINE = [
  'id',
  'repeat',
  'attempt',
  'state',
  'prediction',
  'abstained',
  'confidence',
  'urgent',
  'callId',
] as const;
/** Columns of a row that its line in the list does not have. */
const FACTS = ROW_KEYS.filter((key) => !(IN_LINE as readonly string[]).includes(key)) as Exclude<
  (typeof ROW_KEYS)[number],
  (typeof IN_LINE)[number]
>[];

/** Everything that a run file says of one row. */
export type RecordDetails = ReturnType<ReturnType<typeof detailsReader>>;

/** Longer texts are cut, in SQL: neither this process nor a browser should hold 200 MB of one reply. In characters. */
const MAX_SHOWN = 1_000_000;
/** SQLite must be able to read a text in order to cut it; longer ones are not shown at all. In bytes. */
export const MAX_CUT = 2 ** 28;

/** The beginning of a text, which is all of most texts. */
const beginning = (cell: string) =>
  `CASE WHEN octet_length(${cell}) <= ${MAX_CUT} THEN substr(${cell}, 1, ${MAX_SHOWN}) END`;
/** JSON cannot be cut. */
const whole = (cell: string) => `CASE WHEN octet_length(${cell}) <= ${4 * MAX_SHOWN} THEN ${cell} END`;

const DETAILS = `SELECT w.seq IS NOT NULL AS "isThere", ${ROWS.select('w', FACTS)}, ${whole('r.metadata')} AS metadata, ${whole('r.features')} AS features, octet_length(r.metadata) AS metadataBytes, octet_length(r.features) AS featuresBytes, ${replyColumns(beginning)}, coalesce(octet_length(w.raw_response), octet_length(c.raw_response)) AS replyBytes, ${whole('t.prompt')} AS prompt, octet_length(t.prompt) AS promptBytes FROM records r LEFT JOIN latest_rows w ON w.record_id = r.id AND w.repeat = ? LEFT JOIN templates t ON t.seq = w.template ${JOIN_REPLIES} WHERE r.id = ?`;

type Place = Pick<RecordLine, 'id' | 'repeat'>;

/** The details of a row that the run has. */
export function recordDetails(run: RunDatabase, place: Place): RecordDetails {
  return detailsReader(run, findAttempts)(place);
}

/** Reads the details of many rows. */
export function allRecordDetails(run: RunDatabase): (place: Place) => RecordDetails {
  const attempts = readAllAttempts(run);
  return detailsReader(run, (_, { id, repeat }) => attempts.get(rowKey(id, repeat)) ?? []);
}

/** Reads the details of many rows without their attempts. */
export function recordTexts(run: RunDatabase): (place: Place) => RecordDetails {
  return detailsReader(run, () => []);
}

function detailsReader(run: RunDatabase, attempts: (run: RunDatabase, place: Place) => readonly Attempt[]) {
  const query = run.prepare(DETAILS);
  return (place: Place) => {
    const row: Selected = query.get(place.repeat, place.id)!;
    const { features, metadata, prompt } = row;
    const values = ROWS.decode(row, FACTS, row.isThere === 1);
    return {
      ...snakeKeys(values),
      /** Columns of the row that name themselves, as the page shows them. */
      facts: labelledFacts(values),
      raw_response: readReply(row),
      /** What is too long to be shown whole, in sentences: `the reply is cut: 200 MB, the first 1 MB is shown`. */
      cut: cutTexts(row) as readonly string[],
      /** Null where the file does not have them. */
      features: features === null ? null : objectCell(features, 'features'),
      metadata: metadata === null ? {} : objectCell(metadata, 'metadata'),
      prompt: prompt === null ? null : jsonCell(prompt, 'a prompt'),
      /** Every call that asked about the record, in order. */
      attempts: attempts(run, place),
    };
  };
}

function labelledFacts(values: Selected): readonly { readonly label: string; readonly value: string }[] {
  return LABELLED_ROW_KEYS.flatMap((key) => {
    const { label } = ROWS.columns[key] as { label?: string };
    return values[key] == null ? [] : [{ label: label!, value: String(values[key]) }];
  });
}

function cutTexts(row: Selected): string[] {
  const reply = (row.ownText ?? row.callText ?? null) as string | null;
  const replyBytes = row.replyBytes as number | null;
  const isWhole =
    (reply?.length ?? 0) < MAX_SHOWN ||
    (row.ownText === null && Number(row.replyEnd ?? Number.POSITIVE_INFINITY) <= MAX_SHOWN);
  const notShown = (what: string, cell: unknown, bytes: unknown) =>
    cell === null && bytes !== null ? [`the ${what} are not shown: ${sizeText(Number(bytes))}`] : [];
  return [
    ...(replyBytes === null || (reply !== null && isWhole)
      ? []
      : reply === null
        ? replyBytes > MAX_CUT
          ? [`the reply is not shown: ${sizeText(replyBytes)}`]
          : []
        : [`the reply is cut: ${sizeText(replyBytes)}, the first ${sizeText(MAX_SHOWN)} is shown`]),
    ...notShown('features', row.features, row.featuresBytes),
    ...notShown('metadata', row.metadata, row.metadataBytes),
    ...notShown('messages of the prompt', row.prompt, row.promptBytes),
  ];
}

function sizeText(bytes: number): string {
  return `${Math.max(1, Math.round(bytes / 1e6)).toLocaleString('en')} MB`;
}

type Attempt = ReturnType<typeof readAttempt>;

const ATTEMPT =
  "attempt, mode, coalesce(outcome, 'in_flight') AS outcome, substr(error, 1, 10000) AS error, latency_seconds, n_records";

function readAttempt({ attempt, mode, outcome, error, latency_seconds, n_records }: Selected) {
  return {
    attempt: Number(attempt),
    mode: String(mode),
    outcome: String(outcome),
    error: error === null ? null : String(error),
    latency_seconds: latency_seconds === null ? null : Number(latency_seconds),
    n_records: Number(n_records),
  };
}

/** Includes calls whose batch was split later. The first condition only makes it fast: it finds the id anywhere in the text. */
function findAttempts(run: RunDatabase, { id, repeat }: Place): readonly Attempt[] {
  return run
    .prepare(
      `SELECT ${ATTEMPT} FROM all_calls WHERE repeat = ? AND instr(record_ids, ?) > 0 AND EXISTS (SELECT 1 FROM json_each(record_ids) WHERE value = ?) ORDER BY id`,
    )
    .all(repeat, JSON.stringify(id), id)
    .map(readAttempt);
}

/** The same of all rows in one pass over the calls: looking through all calls for every row of a long run would take hours. */
function readAllAttempts(run: RunDatabase): ReadonlyMap<string, readonly Attempt[]> {
  const found = new Map<string, Attempt[]>();
  for (const { repeat, record_ids, ...call } of run
    .prepare(`SELECT repeat, record_ids, ${ATTEMPT} FROM all_calls ORDER BY id`)
    .iterate()) {
    for (const id of new Set(CALLS.columns.recordIds.decode(record_ids, 'the records of a call'))) {
      const key = rowKey(id, Number(repeat));
      const attempts = found.get(key) ?? [];
      found.set(key, attempts);
      attempts.push(readAttempt(call));
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
      'SELECT c.record_ids AS ids FROM latest_rows w JOIN calls c ON c.seq = w.call_id WHERE w.record_id = ? AND w.repeat = ?',
    )
    .get(id, repeat);
  if (prompt_mode === 'batch' && call === undefined) return null;
  const asked =
    prompt_mode === 'batch' ? CALLS.columns.recordIds.decode(call!.ids, 'the records of a call') : [id];
  const features = run.prepare('SELECT features FROM records WHERE id = ?');
  const found = asked.map((one) => features.get(one)?.features ?? null);
  return found.includes(null)
    ? null
    : found.map((cell) => objectCell(cell, 'features') as PatientRecord['features']);
}
