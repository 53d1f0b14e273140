import { z } from 'zod';
import { camelKeys } from '../../core/codec.ts';
import { isObject } from '../../core/collections.ts';
import { KrisisError } from '../../core/errors.ts';
import { type EvaluationResult, parseRow } from '../../core/evaluation-result.ts';
import { canonicalMetricName } from '../../metrics/metric.ts';
import type { NewRow } from '../../store/rows.ts';
import type { Row } from '../../store/tables.ts';

type Fields = Readonly<Record<string, unknown>>;

const number = z.number().nullable().catch(null);
const optionalText = z.string().nullable().catch(null);
const fields = z.record(z.string(), z.unknown()).catch({});

/** What a file states of a score; what is missing, or of another type, is null or empty. */
const stated = z.object({
  value: number,
  n_evaluated: number,
  n_abstained: number,
  breakdown: z.record(z.string(), number).catch({}),
  details: fields,
});

/** How a row came about. */
const trace = z.object({
  raw_response: optionalText,
  prompt: z.custom<NonNullable<Row['prompt']>>(Array.isArray).nullable().catch(null),
  prompt_mode: z.enum(['single', 'batch']).catch('batch'),
  input_tokens: number,
  output_tokens: number,
  total_tokens: number,
});

/** A score as the file states it, under our name. */
interface PublishedScore extends z.infer<typeof stated> {
  readonly published_name: string;
  readonly reason: string | null;
}

/** A result of the Python framework, in either of its shapes. */
export interface PythonResult {
  readonly format: 'python_full' | 'python_metrics' | 'krisis_metrics';
  readonly backendName: string | null;
  readonly suite: Fields;
  readonly extras: Fields;
  readonly scores: Readonly<Record<string, PublishedScore>>;
  /** They have no ids in the file. */
  readonly rows: readonly (NewRow & EvaluationResult)[];
}

const EXPECTED =
  'expected a result of the Python framework: a JSON object with "metrics" ({name: {value, n_evaluated, ...}}), and "evaluation_results" (full) or "execution" (metrics only)';

/** @throws KrisisError when the text is no such result; the message says what it is instead. */
export function parsePythonResult(text: string, source: string): PythonResult {
  const wrong = (what: string, value?: unknown) =>
    new KrisisError(`${source}: ${what}; ${EXPECTED}`, { code: 'ERR_IMPORT', value });
  if (text.startsWith('SQLite format 3')) throw wrong('is a run file already');
  if (text.trim() === '') throw wrong('is empty');
  let parsed: unknown;
  try {
    parsed = parsePythonJson(text);
  } catch (cause) {
    throw new KrisisError(`${source}: not JSON: ${(cause as Error).message}; ${EXPECTED}`, {
      code: 'ERR_IMPORT',
      cause,
    });
  }
  if (!isObject(parsed))
    throw wrong(`is ${Array.isArray(parsed) ? 'a list (krisis score reads rows)' : 'not an object'}`);
  const isOurs = 'schema_version' in parsed && 'provenance' in parsed;
  if (isOurs && parsed.kind === 'questions') throw wrong('is a report on open questions');
  if (isOurs && 'evaluation_results' in parsed)
    throw wrong('is a report of Krisis with its rows, which can be scored as they are');
  if (!isObject(parsed.metrics)) throw wrong('has no "metrics"');
  const rows = parsed.evaluation_results ?? null;
  if (rows !== null && !Array.isArray(rows)) throw wrong('"evaluation_results" is not a list', rows);
  return {
    format: isOurs ? 'krisis_metrics' : rows === null ? 'python_metrics' : 'python_full',
    backendName: optionalText.parse(parsed.backend_name),
    suite: fields.parse(parsed.suite),
    extras: fields.parse(parsed.extras ?? parsed.execution),
    scores: readScores(parsed.metrics, wrong),
    rows: (rows ?? []).map((row, i) => readRow(row, i + 1, source)),
  };
}

function readScores(metrics: Fields, wrong: (what: string, value?: unknown) => KrisisError) {
  const scores: Record<string, PublishedScore> = {};
  for (const [published, score] of Object.entries(metrics)) {
    if (!isObject(score) || !('value' in score))
      throw wrong(`metric "${published}" is not an object with a value`, score);
    const name = canonicalMetricName(published);
    if (Object.hasOwn(scores, name))
      throw wrong(`metrics "${scores[name]!.published_name}" and "${published}" are the same metric`);
    const { value, ...rest } = stated.parse(score);
    const reason = value === null ? (optionalText.parse(rest.details.reason) ?? 'not_stated') : null;
    scores[name] = { published_name: published, value, reason, ...rest };
  }
  if (Object.keys(scores).length === 0) throw wrong('"metrics" is empty');
  return scores;
}

function readRow(value: unknown, place: number, source: string): PythonResult['rows'][number] {
  const parsed = parseRow(value);
  if ('problem' in parsed) {
    const { field, expected, value: found } = parsed.problem;
    const is = found === undefined ? 'is missing' : `is ${JSON.stringify(found)?.slice(0, 80)}`;
    throw new KrisisError(`${source} row ${place}: ${field} ${is}; expected ${expected}`, {
      code: 'ERR_IMPORT',
      value: found,
    });
  }
  const made = camelKeys(trace.parse(value));
  // There, the tokens of a batch are shared out evenly.
  return {
    ...parsed.row,
    id: `row_${place}`,
    repeat: 0,
    ...made,
    tokensEstimated: made.promptMode === 'batch',
  };
}

/** A number as the file states it; null for everything else. */
export function finite(value: unknown): number | null {
  return number.parse(value);
}

/** A string as a whole, or one of the words that Python writes for numbers JSON does not have. */
const TOKEN = /"[^"\\]*(?:\\[\s\S][^"\\]*)*"|-?\b(?:NaN|Infinity)\b/g;

/**
 * Reads JSON as Python writes it: bare `NaN`, `Infinity` and `-Infinity` become null. Inside strings they stay words.
 *
 * @example
 * ```ts
 * parsePythonJson('{"value": NaN, "said": "NaN"}') // => { value: null, said: 'NaN' }
 * ```
 */
export function parsePythonJson(text: string): unknown {
  const plain = text.replace(/^\uFEFF/, '');
  try {
    return JSON.parse(plain);
  } catch {
    return JSON.parse(plain.replace(TOKEN, (token) => (token.startsWith('"') ? token : 'null')));
  }
}
