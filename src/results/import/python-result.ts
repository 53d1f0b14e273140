import { type EvaluationResult, KrisisError, parseRow } from '../../core/index.ts';
import { canonicalMetricName } from '../../metrics/index.ts';
import type { RowTrace } from '../../store/index.ts';
import { parsePythonJson } from './python-json.ts';

type Fields = Readonly<Record<string, unknown>>;

/** A score as the file states it, under our name. */
export interface PublishedScore {
  readonly published_name: string;
  readonly value: number | null;
  readonly reason: string | null;
  readonly n_evaluated: number | null;
  readonly n_abstained: number | null;
  readonly breakdown: Readonly<Record<string, number | null>>;
  readonly details: Fields;
}

/** A row of the file; it has no id there. */
export interface PythonRow extends EvaluationResult, Omit<RowTrace, 'confidenceSource' | 'repaired'> {
  readonly id: string;
}

/** A result of the Python framework, in either of its shapes. */
export interface PythonResult {
  readonly format: 'python_full' | 'python_metrics';
  readonly backendName: string | null;
  readonly suite: Fields;
  readonly extras: Fields;
  readonly scores: Readonly<Record<string, PublishedScore>>;
  readonly rows: readonly PythonRow[];
}

const EXPECTED =
  'expected a result of the Python framework: a JSON object with "metrics" ({name: {value, n_evaluated, ...}}), and "evaluation_results" (full) or "execution" (metrics only)';

/** @throws KrisisError when the text is no such result; the message says what it is instead. */
export function parsePythonResult(text: string, source: string): PythonResult {
  const wrong = (what: string, value?: unknown) =>
    new KrisisError(`${source}: ${what}; ${EXPECTED}`, { value });
  let parsed: unknown;
  try {
    parsed = parsePythonJson(text);
  } catch (cause) {
    throw new KrisisError(`${source}: not JSON: ${(cause as Error).message}; ${EXPECTED}`, { cause });
  }
  if (!isFields(parsed))
    throw wrong(`is ${Array.isArray(parsed) ? 'a list (krisis score reads rows)' : 'not an object'}`);
  if ('schema_version' in parsed && 'provenance' in parsed)
    throw wrong('is a report of Krisis itself (krisis bundle takes runs along)');
  if (!isFields(parsed.metrics)) throw wrong('has no "metrics"');
  const rows = parsed.evaluation_results ?? null;
  if (rows !== null && !Array.isArray(rows)) throw wrong('"evaluation_results" is not a list', rows);
  const extras = parsed.extras ?? parsed.execution ?? {};
  return {
    format: rows === null ? 'python_metrics' : 'python_full',
    backendName: typeof parsed.backend_name === 'string' ? parsed.backend_name : null,
    suite: isFields(parsed.suite) ? parsed.suite : {},
    extras: isFields(extras) ? extras : {},
    scores: scoresOf(parsed.metrics, wrong),
    rows: (rows ?? []).map((row, i) => readRow(row, i + 1, source)),
  };
}

function scoresOf(metrics: Fields, wrong: (what: string, value?: unknown) => KrisisError) {
  const scores: Record<string, PublishedScore> = {};
  for (const [published, score] of Object.entries(metrics)) {
    if (!isFields(score) || !('value' in score))
      throw wrong(`metric "${published}" is not an object with a value`, score);
    const name = canonicalMetricName(published);
    if (Object.hasOwn(scores, name))
      throw wrong(`metrics "${scores[name]!.published_name}" and "${published}" are the same metric`);
    const details = isFields(score.details) ? score.details : {};
    const value = finite(score.value);
    scores[name] = {
      published_name: published,
      value,
      reason: value !== null ? null : typeof details.reason === 'string' ? details.reason : 'not_stated',
      n_evaluated: finite(score.n_evaluated),
      n_abstained: finite(score.n_abstained),
      breakdown: isFields(score.breakdown)
        ? Object.fromEntries(Object.entries(score.breakdown).map(([key, part]) => [key, finite(part)]))
        : {},
      details,
    };
  }
  if (Object.keys(scores).length === 0) throw wrong('"metrics" is empty');
  return scores;
}

function readRow(value: unknown, number: number, source: string): PythonRow {
  const parsed = parseRow(value);
  if ('problem' in parsed) {
    const { field, expected, value: found } = parsed.problem;
    const is = found === undefined ? 'is missing' : `is ${JSON.stringify(found)?.slice(0, 80)}`;
    throw new KrisisError(`${source} row ${number}: ${field} ${is}; expected ${expected}`, { value: found });
  }
  const fields = value as Fields;
  const promptMode = fields.prompt_mode === 'single' ? 'single' : 'batch';
  return {
    ...parsed.row,
    id: `row_${number}`,
    rawResponse: typeof fields.raw_response === 'string' ? fields.raw_response : null,
    prompt: Array.isArray(fields.prompt) ? (fields.prompt as RowTrace['prompt']) : null,
    promptMode,
    inputTokens: finite(fields.input_tokens),
    outputTokens: finite(fields.output_tokens),
    totalTokens: finite(fields.total_tokens),
    // There, the tokens of a batch are shared out evenly.
    tokensEstimated: promptMode === 'batch',
  };
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A number as the file states it; null for everything else. */
export function finite(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}
