import type { DatabaseSync } from 'node:sqlite';
import type { RecordLine, RecordPayload } from './api.ts';

interface Details {
  readonly metadata: string;
  readonly features: string | null;
  readonly state_reason: string | null;
  readonly raw_response: string | null;
  readonly prompt: string | null;
  readonly mode: string | null;
  readonly input_tokens: number | null;
  readonly output_tokens: number | null;
  readonly tokens_estimated: number | null;
  readonly repaired: number | null;
}

/** One row with everything that is known of it. Features of a protected suite are in no run file; were they, they would not be shown. */
export function recordPayload(
  db: DatabaseSync,
  line: RecordLine,
  { isProtected }: { readonly isProtected: boolean },
): RecordPayload {
  const found = db
    .prepare(
      'SELECT r.metadata, r.features, w.state_reason, w.raw_response, t.prompt, w.mode, w.input_tokens, w.output_tokens, w.tokens_estimated, w.repaired FROM records r LEFT JOIN rows w ON w.record_id = r.id AND w.repeat = ? LEFT JOIN templates t ON t.id = w.template WHERE r.id = ?',
    )
    .get(line.repeat, line.id) as unknown as Details;
  return {
    ...line,
    features: found.features === null || isProtected ? null : JSON.parse(found.features),
    metadata: JSON.parse(found.metadata),
    state_reason: found.state_reason,
    raw_response: found.raw_response,
    prompt: found.prompt === null ? null : JSON.parse(found.prompt),
    prompt_mode: found.mode ?? 'batch',
    input_tokens: found.input_tokens,
    output_tokens: found.output_tokens,
    tokens_estimated: found.tokens_estimated === 1,
    repaired: found.repaired === 1,
    attempts: attemptsOf(db, line),
  };
}

/** Every call that asked about the record, also those whose batch was split later. The first condition is only there to be fast: it finds the id anywhere in the text. */
function attemptsOf(db: DatabaseSync, { id, repeat }: RecordLine): RecordPayload['attempts'] {
  const calls = db
    .prepare(
      'SELECT attempt, mode, outcome, error, latency, n_records FROM calls WHERE repeat = ? AND instr(record_ids, ?) > 0 AND EXISTS (SELECT 1 FROM json_each(record_ids) WHERE value = ?) ORDER BY id',
    )
    .all(repeat, JSON.stringify(id), id) as {
    attempt: number;
    mode: string;
    outcome: string | null;
    error: string | null;
    latency: number | null;
    n_records: number;
  }[];
  return calls.map(({ attempt, mode, outcome, error, latency, n_records }) => ({
    attempt,
    mode,
    outcome: outcome ?? 'in_flight',
    error,
    latency_seconds: latency,
    n_records,
  }));
}
