import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { beforeAll, expect } from 'vitest';
import type { RecordsPayload, RunLine } from '../src/viewer/api.ts';
import { krisis } from './krisis.ts';
import { runInto } from './question-run-fixture.ts';
import { canBrowse, newFolder, type Viewed, viewOf } from './viewer-browser.ts';

/** Runs of all kinds, each written by the real command unless it says otherwise, into a folder of its own. */
const KINDS = {
  /** Two models on the same cases. */
  staging: command(() => [
    ...['run', 'ckd/staging', '--model', 'simulated/overconfident,simulated/careful'],
    ...['--group-by', 'sex,age', '--n-records', '200', '--bootstrap', '200'],
  ]),
  /** Long enough to load in pages. */
  long: command(() => [
    ...['run', 'ckd/detection', '--model', 'simulated/careful'],
    ...['--n-records', '1000', '--repeat', '2', '--bootstrap', '0'],
  ]),
  protected: command((root) => ['run', protectedSuite(root), '--model', 'simulated/careful', '--keep-text']),
  questions: command(() => [
    ...['run', 'open/clinical', '--model', 'baseline/reference', '--judge', 'baseline/lexical'],
  ]),
  /** Open questions with a scripted model and judge. */
  judged: (root: string) => runInto(join(root, RUNS, 'judged.db'), { passes: 2 }),
} as const;

const RUNS = '.krisis/runs';

function command(args: (root: string) => readonly string[]) {
  return async (root: string) => {
    const { code, stderr } = await krisis(args(root), { cwd: root });
    expect(code, stderr).toBe(0);
  };
}

/** The example table without the line that marks it as synthetic, so that it is protected by default. */
function protectedSuite(root: string): string {
  const example = readFileSync('examples/table-suite/suite.yaml', 'utf8');
  writeFileSync(join(root, 'suite.yaml'), example.replace(/^sensitivity:.*$/m, ''));
  copyFileSync('examples/table-suite/sodium.csv', join(root, 'sodium.csv'));
  return 'suite.yaml';
}

/** Writes runs of these kinds before the tests of a file, and a file that is not a run, and serves them with the real `krisis view`. */
export function viewedRuns(...kinds: readonly (keyof typeof KINDS)[]) {
  const root = newFolder();
  const folder = join(root, RUNS);
  let view: Viewed;
  let runs: readonly RunLine[];
  beforeAll(async () => {
    if (!canBrowse) return;
    mkdirSync(folder, { recursive: true });
    for (const kind of kinds) await KINDS[kind](root);
    writeFileSync(join(folder, 'broken.db'), 'no run');
    view = await viewOf(folder);
    runs = await view.runs();
  });
  const runOf = (model: string, suite: string) =>
    runs.find((run) => run.model === model && run.suite === suite)!;
  const api = <T>(path: string) => view.api<T>(path);
  return {
    folder,
    api,
    page: (hash: string) => `${view.url}${hash}`,
    /** The number of cases that the server finds for a link to a list. */
    behind: async (href: string): Promise<number> => {
      const [path, query] = href.slice('#/'.length).split('?');
      return (await api<RecordsPayload>(`${path}?${query}&limit=1`)).total;
    },
    runs: () => runs,
    overconfident: () => runOf('simulated/overconfident', 'ckd/staging'),
    careful: () => runOf('simulated/careful', 'ckd/staging'),
    long: () => runOf('simulated/careful', 'ckd/detection'),
    secret: () => runs.find(({ sensitivity }) => sensitivity === 'protected')!,
    questions: () => runOf('baseline/reference', 'open/clinical'),
    judged: () => runOf('unit/model', 'unit/advice'),
  };
}

/** Waits until the page shows this number of cases: a list keeps its rows until those of a new filter have come. */
export async function expectCount(shown: Page, expected: number, about = shown.url()): Promise<void> {
  const line = shown.locator('.count').filter({ hasText: /\d case/ });
  const counted = async () => Number((await line.innerText()).replace(/ case.*/s, '').replaceAll(',', ''));
  await expect.poll(counted, { message: about, timeout: 60_000 }).toBe(expected);
}
