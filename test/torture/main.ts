import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { SCENARIOS, type Scenario } from './scenarios.ts';

/**
 * `npm run torture`: the tests that hurt a run on purpose, tried harder than `npm test` tries them. Everything stays on loopback and in temporary folders. Prints a table, and exits with 1 when
 * a promise was broken.
 */
const USAGE = `npm run torture -- [--rounds N] [--only NAME]
  --rounds N   how much harder than npm test (default: 3)
  --only NAME  one of ${SCENARIOS.map(({ name }) => name).join(', ')}`;

interface Tried {
  readonly tests: number;
  readonly broken: readonly string[];
  readonly seconds: number;
}

const { values } = parseArgs({ options: { rounds: { type: 'string' }, only: { type: 'string' } } });
const rounds = Number(values.rounds ?? 3);
const chosen = SCENARIOS.filter(({ name }) => values.only === undefined || name === values.only);
if (!(rounds >= 1) || chosen.length === 0) {
  process.stderr.write(`${USAGE}\n`);
  process.exit(2);
}

const table = chosen.map((scenario) => ({ scenario, tried: attempt(scenario) }));
const width = Math.max(...table.map(({ scenario }) => scenario.name.length));
for (const { scenario, tried } of table)
  process.stdout.write(
    `${scenario.name.padEnd(width)}  ${String(tried.tests).padStart(4)} tests  ${String(tried.broken.length).padStart(3)} broken  ${tried.seconds.toFixed(0).padStart(4)} s  ${scenario.promise}\n`,
  );
const broken = table.flatMap(({ tried }) => tried.broken);
for (const title of broken) process.stdout.write(`broken: ${title}\n`);
process.exitCode = broken.length > 0 ? 1 : 0;

/** Runs the tests of a scenario and counts. A scenario of which no test ran is broken, too. */
function attempt({ name, files }: Scenario): Tried {
  process.stderr.write(`${name} ...\n`);
  const folder = mkdtempSync(join(tmpdir(), 'krisis-torture-'));
  const report = join(folder, 'report.json');
  const started = performance.now();
  spawnSync(
    process.execPath,
    ['node_modules/vitest/vitest.mjs', 'run', ...files, '--reporter=json', `--outputFile=${report}`],
    { env: { ...process.env, KRISIS_TORTURE: String(rounds) }, stdio: ['ignore', 'ignore', 'inherit'] },
  );
  const seconds = (performance.now() - started) / 1000;
  try {
    const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as VitestReport;
    const ran = testResults.flatMap(({ assertionResults }) => assertionResults);
    const failed = ran.filter(({ status }) => status === 'failed').map(({ fullName }) => fullName);
    const unread = testResults.filter(
      ({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0,
    );
    const none = ran.length === 0 ? [`${name}: no test ran`] : [];
    return { tests: ran.length, broken: [...failed, ...unread.map((file) => file.name), ...none], seconds };
  } catch (error) {
    return { tests: 0, broken: [`${name}: ${(error as Error).message}`], seconds };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

interface VitestReport {
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[];
  }[];
}
