import type { ErrorCode, KrisisError } from '../core/errors.ts';
import type { RowNotice } from '../core/row-file/answer-reading.ts';
import type { GateVerdict } from '../runs/conditions/verdict.ts';
import { quoted } from './print.ts';

/** Files that may hold answers. */
const ROWS = /\.(csv|tsv|tab|xlsx|jsonl?|ndjson|parquet|pq)$/i;

/** What to type, for errors whose library text cannot know that a command line is in use. */
const HINTS: Partial<Record<ErrorCode, string | ((error: KrisisError) => string | null)>> = {
  ERR_ANSWERS_DIFFER: 'Leave --run out, or give it a new file name.',
  ERR_CACHE_UNREADABLE: 'krisis ops cache clear removes the cache; --no-cache leaves it out.',
  ERR_CONFIDENCE_SCALE: ({ value }) =>
    value === 1 ? 'Leave --confidence-scale out.' : `If that is their scale, add --confidence-scale ${value}`,
  ERR_CONFIDENCE_SOURCE: ({ value }) =>
    value === 'logprobs'
      ? 'krisis run --set logprobs=true asks for them.'
      : 'krisis run --repeat 5 asks every case five times; --temperature sets a temperature above 0.',
  ERR_DRIFT_RUNS: ({ message }) =>
    message.includes('came from the cache') ? 'krisis run --no-cache --run NEW.db asks every case.' : null,
  ERR_EGRESS_NOT_ALLOWED: ({ value }) => `To allow it, add --allow-egress ${value}.`,
  ERR_FILE_AMBIGUOUS: 'Name it with krisis score --delimiter NAME, or in the YAML file of a table suite.',
  ERR_FILE_EXISTS: 'Give another file name, or --force where the command has it.',
  ERR_LABEL_COLUMN: ({ value }) =>
    `krisis init table ${(value as { readonly path: string }).path} --label COLUMN`,
  ERR_LOOKS_FILE: 'With --look K you count the looks yourself, and no file is used.',
  ERR_NOT_OPEN_QUESTIONS: 'krisis run QUESTIONS and krisis judge --answers FILE make such runs.',
  ERR_PRICE_UNKNOWN: 'Set a price with --set price=IN,OUT, or leave --budget out.',
  ERR_QUESTION_NOT_STORED: 'Give --questions FILE, the file that was run.',
  ERR_REVIEW_FILE: ({ message }) =>
    message.endsWith('no such review') ? 'krisis review RUN starts one.' : null,
  ERR_REVIEW_NEEDS_SUITE: 'Add --suite FILE, the suite that was run.',
  ERR_REVIEW_PLAN: ({ message }) =>
    message.includes('a review has one plan')
      ? 'Leave --plan, --n, --seed and --guideline out to continue; krisis review status RUN shows the plan.'
      : null,
  ERR_REVIEW_PROTECTED: ({ message }) =>
    message.includes('reviewers wrote notes')
      ? 'To include them, add --include-features.'
      : 'To show them to reviewers, add --include-text.',
  ERR_ROW_COLUMNS: ({ value }) => columnsHint(value),
  ERR_ROW_FILE: ({ message, value }) =>
    message.includes('is a run file') ? `krisis report ${value} shows its scores.` : null,
  ERR_RUBRIC_REQUIRED: 'Give --questions FILE, or --rubric FILE.',
  ERR_RUN_AMBIGUOUS: 'krisis list shows the runs there are; latest is the newest.',
  ERR_RUN_BUSY: 'Wait for it to end, or start another run with --new.',
  ERR_RUN_DIFFERS: '--new or another --run FILE starts a new run.',
  ERR_RUN_FILE: ({ value }) =>
    ROWS.test(String(value))
      ? `krisis score ${value} --save makes a run file of answers.`
      : /\.ya?ml$/i.test(String(value))
        ? `It is a suite or a config, and no run: krisis run ${value} -m MODEL makes one.`
        : null,
  ERR_RUN_FILE_WRITE: 'Cases that were written are kept: make room, and the same command continues.',
  ERR_RUN_NOT_FOUND: 'krisis list shows the runs there are.',
  ERR_RUN_SIGNED: 'Add --sign-key FILE with the key of the run, or start a new run with --new.',
  ERR_RUN_UNVERIFIED:
    'krisis runs verify RUN names all problems; --new or another --run FILE starts a new run.',
  ERR_STOP_EARLY_METRIC: 'Without --stop-early, all cases are asked and every metric can be gated.',
  ERR_STOP_EARLY_SETTING: 'Leave --stop-early out, or --stratify; --batch-size 1 asks one case per call.',
  ERR_STOP_EARLY_TERMS: '--new or another --run FILE starts a new run.',
  ERR_STOP_EARLY_TOO_SMALL:
    'Leave --stop-early out, ask more cases, or set a lower limit; krisis plan says how many cases a condition needs.',
  ERR_SUITE_NOT_FOUND: ({ value }) =>
    ROWS.test(String(value)) ? `krisis init table ${value} --label COLUMN writes one.` : null,
  ERR_TEXT_NOT_KEPT:
    'krisis run --new --keep-text starts a run that keeps them; recorded answers are judged from their file: --answers FILE.',
  ERR_BASE_URL:
    'On the command line, --base-url URL sets the address of the model, and krisis run --set judgeBaseUrl=URL that of the judge.',
  ERR_DIFFERENT_SUITES:
    'krisis compare --allow-different-suites pairs cases with labels whose ids are in both runs.',
  ERR_EXPORT_EXISTS: 'To replace it, add --force.',
  ERR_JUDGE_NOT_IN_RUN: 'To add a judge: krisis judge RUN --judge MODEL.',
  ERR_BULK_PENDING: 'Add --bulk to read the results; krisis ops bulk shows the jobs.',
  ERR_MERGE_INCOMPLETE:
    'krisis runs merge --partial merges the parts you have; krisis run --run FILE then asks the rest.',
  ERR_METRIC_NOT_SCORED: 'To score it, add --bundle extended.',
  ERR_RUN_IS_SHARD: 'krisis runs merge OUT.db PART.db... merges them.',
  ERR_QUEUE_SECRET:
    'Make one with: openssl rand -hex 32 > queue.secret && chmod 600 queue.secret\nThen, for the run and all its workers: export KRISIS_QUEUE_SECRET="$(cat queue.secret)"',
  ERR_QUEUE_URL: 'Give it as --queue redis://HOST:PORT, or in KRISIS_QUEUE_URL.',
  ERR_SUITE_FILE_OUTSIDE: 'To read a table in another folder, add --data FILE.',
  ERR_SIGN_KEY:
    'openssl genpkey -algorithm ed25519 -out key.pem makes a key, openssl pkey -in key.pem -pubout -out key.pub its public part.',
  ERR_NON_INFERIORITY_METRIC: 'To choose the metric, add --on METRIC.',
  ERR_PORT_UNAVAILABLE: 'Choose another port with --port, or any free one with --port 0.',
};

/** What to type, for runs that stopped because of what a queue or its workers said. */
const STOPS: readonly (readonly [said: RegExp, hint: string])[] = [
  [/Allow it with mixedWorkers/, 'To allow it, add --set mixedWorkers=true.'],
  [/Allow it with allowEgress: \['queue', '([^']+)'\]/, 'To allow it, add --allow-egress queue,$1.'],
];

/** The line that the command adds to the reason why a run stopped; null where the reason says it all. */
export function stopHint(stoppedBecause: string): string | null {
  for (const [said, hint] of STOPS) {
    const found = said.exec(stoppedBecause);
    if (found !== null) return hint.replace('$1', found[1] ?? '');
  }
  return null;
}

/** What to type where a condition is undecided because of its judge; empty where none is. */
export function gateHint(verdicts: readonly GateVerdict[]): string {
  return verdicts.some(({ reason }) => reason === 'judge_not_calibrated')
    ? 'krisis review RUN has people label verdicts of the judge; --allow-uncalibrated-judge accepts it as it is\n'
    : '';
}

/** What to type where a file of rows holds something odd; null where its message says it all. */
export function noticeHint({ code, value }: RowNotice): string | null {
  if (code === 'predicted_only' && Array.isArray(value) && value.length > 0) {
    const answers = value.map(String);
    const labels = answers.filter((answer) => !answer.includes(','));
    return labels.length > 0
      ? `If so, add --abstain ${quoted(labels.join(','))}`
      : `If so, add --refused ${quoted(answers[0]!)}`;
  }
  if (code !== 'near_columns') return null;
  const pairs = Object.entries(value as Readonly<Record<string, string>>);
  return `If they hold these fields, add --columns ${quoted(pairs.map(([field, name]) => `${field}=${name}`).join(','))}`;
}

/** The mapping to type, where columns have names that other tools use. */
function columnsHint(value: unknown): string {
  const { columns = {} } = (value ?? {}) as { columns?: Readonly<Record<string, string>> };
  const pairs = Object.entries({ prediction: 'COLUMN', ground_truth: 'COLUMN', ...columns });
  const isProposed = Object.keys(columns).length > 0;
  const typed = (isProposed ? Object.entries(columns) : pairs).map(([field, name]) => `${field}=${name}`);
  return `Say which columns hold the fields: add --columns ${quoted(typed.join(','))}`;
}

/** The line that the command adds to an error; null where the message says it all. */
export function hintFor(error: KrisisError): string | null {
  const hint = HINTS[error.code] ?? null;
  return typeof hint === 'function' ? hint(error) : hint;
}
