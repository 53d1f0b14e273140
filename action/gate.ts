import { spawnSync } from 'node:child_process';
import { appendFileSync, readFileSync } from 'node:fs';

/**
 * Runs a command of Krisis with conditions, writes their outcomes to the summary of the job and to one comment on the pull request, and ends with the exit code of the command.
 */
interface Condition {
  readonly text: string;
  readonly status: string;
  readonly message: string;
  readonly warning?: string;
}

const OUTCOMES: Readonly<Record<number, { readonly name: string; readonly text: string }>> = {
  0: { name: 'passed', text: '✅ passed: every condition is met' },
  1: { name: 'failed', text: '❌ failed: a condition is not met' },
  3: { name: 'undecided', text: '❔ undecided: the rows cannot decide, or the run is incomplete' },
};
const ERROR = { name: 'error', text: '⚠️ error: the gate did not run' };
const SYMBOLS: Readonly<Record<string, string>> = { pass: '✅ pass', undecided: '❔ undecided' };
const MAX_OUTPUT_BYTES = 1 << 30;
const PAGE = 100;

const {
  GATE_RUN = '',
  GATE_KRISIS = '',
  GATE_TITLE = '',
  GATE_REPORT_URL = '',
  GATE_TOKEN = '',
} = process.env;
const words = splitWords(`${GATE_KRISIS} ${GATE_RUN}`);
const { status, stdout, error } = spawnSync(words[0]!, [...words.slice(1), '--json'], {
  encoding: 'utf8',
  stdio: ['ignore', 'pipe', 'inherit'],
  maxBuffer: MAX_OUTPUT_BYTES,
  // The command needs no token of the runner.
  env: Object.fromEntries(Object.entries(process.env).filter(([name]) => name !== 'GATE_TOKEN')),
});
if (error) process.stderr.write(`${error.message}\n`);
const code = status ?? 70;
const outcome = OUTCOMES[code] ?? ERROR;
const text = writeText(conditionsIn(stdout));

append('GITHUB_STEP_SUMMARY', `${text}\n`);
append('GITHUB_OUTPUT', `outcome=${outcome.name}\nexit-code=${code}\n`);
if (process.env.GATE_COMMENT === 'true') await comment(text);
process.exitCode = code;

/** Splits a line as a shell does, without expanding anything. */
function splitWords(line: string): string[] {
  return [...line.matchAll(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g)].map(([word]) =>
    word.replaceAll(/'([^']*)'|"([^"]*)"/g, '$1$2'),
  );
}

function conditionsIn(json: string): readonly Condition[] {
  try {
    return (JSON.parse(json) as { gates?: readonly Condition[] }).gates ?? [];
  } catch {
    return [];
  }
}

function writeText(conditions: readonly Condition[]): string {
  const rows = conditions.map(({ text, status, message, warning }) =>
    [`\`${text}\``, SYMBOLS[status] ?? '❌ fail', `${message}${warning ? ` (${warning})` : ''}`]
      .map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' '))
      .join(' | '),
  );
  const table = rows.map((row) => `| ${row} |`);
  return [
    marker(),
    `### ${GATE_TITLE}: ${outcome.text}`,
    ...(rows.length > 0
      ? ['', '| condition | outcome | value, interval, n |', '|---|---|---|', ...table]
      : []),
    ...(GATE_REPORT_URL === '' ? [] : ['', `[Report](${GATE_REPORT_URL})`]),
  ].join('\n');
}

/** Finds the comment again. */
function marker(): string {
  return `<!-- krisis-gate: ${GATE_TITLE.replaceAll('--', '')} -->`;
}

function append(variable: string, text: string): void {
  const path = process.env[variable];
  if (path) appendFileSync(path, text);
}

async function comment(body: string): Promise<void> {
  const number = pullRequest();
  if (number === null) return;
  const { GITHUB_API_URL: api, GITHUB_REPOSITORY: repository } = process.env;
  const comments = `${api}/repos/${repository}/issues/${number}/comments`;
  try {
    const id = await findComment(comments);
    if (id === null) await request('POST', comments, { body });
    else await request('PATCH', `${api}/repos/${repository}/issues/comments/${id}`, { body });
  } catch (failure) {
    // A fork's token cannot write; the summary has the table.
    process.stdout.write(`::notice::No comment on the pull request: ${(failure as Error).message}\n`);
  }
}

function pullRequest(): number | null {
  const path = process.env.GITHUB_EVENT_PATH;
  if (!path) return null;
  const event = JSON.parse(readFileSync(path, 'utf8')) as { pull_request?: { number: number } };
  return event.pull_request?.number ?? null;
}

async function findComment(comments: string): Promise<number | null> {
  for (let page = 1; ; page += 1) {
    const found = (await request('GET', `${comments}?per_page=${PAGE}&page=${page}`)) as readonly {
      id: number;
      body: string;
    }[];
    const own = found.find(({ body }) => body.startsWith(marker()));
    if (own !== undefined) return own.id;
    if (found.length < PAGE) return null;
  }
}

async function request(method: string, url: string, body?: object): Promise<unknown> {
  const response = await fetch(url, {
    method,
    headers: {
      accept: 'application/vnd.github+json',
      authorization: `Bearer ${GATE_TOKEN}`,
      'x-github-api-version': '2022-11-28',
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${method} answered ${response.status}`);
  return response.json();
}
