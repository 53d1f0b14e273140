import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from '@commander-js/extra-typings';
import { KrisisError } from '../../core/errors.ts';
import { findSuite } from '../../domains/find-suite.ts';
import { type ReviewFrame, reviewFrame } from '../../review/frame.ts';
import { labelFileEvents } from '../../review/label-file.ts';
import { importPacketLabels, type PacketLabels, parsePacketLabels, parseRunId } from '../../review/packet.ts';
import { parseHumanLabels } from '../../rubrics/calibration/human-labels.ts';
import { findRun } from '../../store/find-run.ts';
import { RUNS_FOLDER, runNames } from '../../store/list-runs.ts';
import { openReview, type ReviewFile, reviewPath } from '../../store/review/review-file.ts';
import { RunFile } from '../../store/run-file.ts';
import { loadConfig } from '../config/load-config.ts';
import { usageError } from '../errors.ts';
import { readFileAs } from '../open-result.ts';
import { type ConfigFlags, withConfigOptions } from '../options/option.ts';
import { printText } from '../print.ts';
import { noteSensitivity } from '../protected-data.ts';

/** `krisis review import`: takes in what reviewers saved from their packets, and files of labels. */
export function importCommand() {
  return withConfigOptions(new Command('import'))
    .description('import labels: files that packets saved, or JSONL')
    .argument('<files...>', 'files that packets saved, or human verdicts (.jsonl)')
    .option('--run <run>', 'the run (default: the one that a packet names)')
    .option('--suite <name>', 'suite that was run; required if protected')
    .addHelpText(
      'after',
      '\nExamples:\n  krisis review import krisis-review-*.json\n  krisis review import people.jsonl --run latest\n',
    )
    .action(async (files, source) => {
      noteSensitivity({});
      for (const path of files) {
        const text = readFileAs('ERR_REVIEW_PACKET', path);
        const { n, total } = path.endsWith('.jsonl')
          ? await importLabelFile(text, path, source)
          : await importPacketFile(text, path, source);
        const before = total - n;
        printText(`${path}: ${n} labels imported${before > 0 ? `, ${before} already there` : ''}\n`);
      }
    });
}

/** Where the texts are: the run, and the suite where the run does not have them. */
type Source = ConfigFlags & { readonly run?: string | undefined; readonly suite?: string | undefined };

async function importPacketFile(text: string, path: string, { run, suite, ...flags }: Source) {
  const given = parsePacketLabels(text, path);
  const runPath = run === undefined ? findReviewedRun(given, path) : findRun(run);
  const noReview = () =>
    new KrisisError(`${path}: ${runPath} has no review; its packets came from elsewhere`, {
      code: 'ERR_REVIEW_PACKET',
      value: path,
    });
  if (!existsSync(reviewPath(runPath))) throw noReview();
  const shown = { ...HIDDEN, records: await suiteRecords(suite, runPath, flags) };
  const n = inReview(runPath, shown, (file, frame) => {
    const { plans, draws } = file.read();
    const id = file.packet(given.packet)?.plan;
    const plan = plans.find((one) => one.id === id) ?? plans.at(-1);
    if (plan === undefined) throw noReview();
    const own = plan.targets === 'suite_item' ? reviewFrame(runPath, { ...shown, suiteItems: true }) : frame;
    const drawn = draws.filter((draw) => draw.plan === plan.id);
    return importPacketLabels(file, { frame: own, plan, draws: drawn }, given, path);
  });
  return { n, total: given.labels.length };
}

async function importLabelFile(text: string, path: string, { run, suite, ...flags }: Source) {
  if (run === undefined) throw usageError(`${path}: labels in JSONL name no run: add --run RUN`);
  const labels = parseHumanLabels(text, path);
  const runPath = findRun(run);
  const shown = { ...HIDDEN, records: await suiteRecords(suite, runPath, flags) };
  const n = inReview(runPath, shown, (file, frame) => {
    const now = { where: path, at: new Date().toISOString() };
    return file.append(labelFileEvents(labels, frame, (name) => file.rater(name), now));
  });
  return { n, total: labels.length };
}

/** Nothing is shown here: the texts are needed to see whether they are those that were labelled. */
const HIDDEN = { includeText: true };

function inReview<T>(
  runPath: string,
  shown: Parameters<typeof reviewFrame>[1],
  work: (file: ReviewFile, frame: ReviewFrame) => T,
): T {
  const frame = reviewFrame(runPath, shown);
  const file = openReview(reviewPath(runPath), frame);
  try {
    return work(file, frame);
  } finally {
    file.close();
  }
}

function findReviewedRun(given: PacketLabels, path: string): string {
  const id = parseRunId(given);
  const found = runNames()
    .map((name) => join(RUNS_FOLDER, `${name}.db`))
    .find((run) => id !== null && runIdAt(run) === id);
  if (found !== undefined) return found;
  throw new KrisisError(`${path}: its run is not in ${RUNS_FOLDER}`, {
    code: 'ERR_REVIEW_PACKET',
    value: path,
  });
}

/** Null for a file that is not a run, which cannot be the run of the packet. */
function runIdAt(path: string): string | null {
  try {
    return RunFile.peek(path)?.runId ?? null;
  } catch {
    return null;
  }
}

/**
 * What the records of a run show, by id, from the suite that was run: run files of protected suites do not have it. Undefined without a suite.
 *
 * @throws KrisisError with the code `ERR_REVIEW_PLAN` where the suite is another one, or another version.
 */
export async function suiteRecords(
  name: string | undefined,
  runPath: string,
  flags: ConfigFlags,
): Promise<ReadonlyMap<string, Readonly<Record<string, unknown>>> | undefined> {
  if (name === undefined) return undefined;
  const { suites } = await loadConfig(flags);
  const suite = await findSuite(name, {}, suites);
  noteSensitivity(suite);
  const { hash } = await suite.describe();
  const run = RunFile.use(runPath, (file) => file.manifest());
  if (run.identity.suiteHash !== hash)
    throw new KrisisError(`${name}: is not the suite of this run, or was changed since`, {
      code: 'ERR_REVIEW_PLAN',
      value: name,
    });
  return new Map((await suite.load()).map(({ id, features }) => [id, features]));
}
