import { existsSync, mkdirSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { Command, Option } from '@commander-js/extra-typings';
import { KrisisError } from '../../core/errors.ts';
import { plain, plainLine, shown } from '../../core/plain-text.ts';
import { reviewDesk } from '../../review/desk.ts';
import { type ReviewFrame, reviewFrame } from '../../review/frame.ts';
import type { Reviewed } from '../../review/label-event.ts';
import { assignDraws, packetPage, reviewPacket } from '../../review/packet.ts';
import { drawPlan } from '../../review/plan.ts';
import { checkAdjudicator, type Reviewer, reviewSession } from '../../review/session.ts';
import { reviewStatus } from '../../review/status.ts';
import { findRun } from '../../store/find-run.ts';
import { openReview, type ReviewFile, reviewPath } from '../../store/review/review-file.ts';
import { PLAN_KINDS } from '../../store/review/review-schema.ts';
import { readAppFiles, readPacketPage } from '../../viewer/app-files.ts';
import { isLoopback } from '../../viewer/guard.ts';
import { usageError } from '../errors.ts';
import { HEADINGS } from '../help.ts';
import { readNames, wholeNumber, withConfigOptions } from '../options/option.ts';
import { packageFile } from '../package-files.ts';
import { printMessage, printText } from '../print.ts';
import { noteSensitivity } from '../protected-data.ts';
import { servePages } from '../serve-pages.ts';
import { writeOutput } from '../write-output.ts';
import { readChosenCases } from './chosen-cases.ts';
import { importCommand, suiteRecords } from './import.ts';
import { drawnText, frameText, lackText, MAX_SHOWN, planProblem, targetWords } from './plan-text.ts';
import { applyCommand, exportCommand, statusCommand } from './read-review.ts';

/** A list of cases has a flag of its own. */
const DRAWN_KINDS = PLAN_KINDS.filter((kind) => kind !== 'cases');
const DEFAULT_PORT = 7272;
const MAX_NAME = MAX_SHOWN;

const NOTES = `
Labels are kept beside the run, in RUN.review.db. The first command draws the
plan; the same command continues. Reviewers see neither model nor verdict, and
are stored as R1, R2, ... unless --named. Each gets a personal link; for people
without krisis, --packet writes one offline page each.

Examples:
  krisis review latest                          100 random items, 30 twice
  krisis review latest --plan verdict --n 200   rare verdicts, too
  krisis review latest --cases cases.jsonl      the cases of a list
  krisis review latest --reviewer ann,bob       a link for each
  krisis review latest --adjudicate --reviewer carol
  krisis review latest --packet out --reviewer ann,bob
  krisis review import krisis-review-*.json
  krisis review status latest
`;

/** `krisis review`: people label what a sampling plan drew from a run. */
export function reviewCommand() {
  return commandWithOptions()
    .action(async (run, flags) => {
      checkFlags(flags);
      const names = listNames(flags);
      const runPath = findRun(run);
      const frame = reviewFrame(runPath, {
        includeText: flags.includeText,
        records: await suiteRecords(flags.suite, runPath, flags),
        suiteItems: flags.suiteItems,
      });
      noteSensitivity({ sensitivity: frame.isProtected ? 'protected' : 'public' });
      if (flags.dryRun) {
        const { plan, draws } = drawPlan(frame, planOptions(flags));
        return printText(
          `${frameText(frame)}${drawnText(plan, draws)}${lackText(frame, plan, draws)}nothing was stored (--dry-run)\n`,
        );
      }
      if (flags.adjudicate && !existsSync(reviewPath(runPath))) throw nothingLabelled(runPath);
      const file = openReview(reviewPath(runPath), frame);
      try {
        const reviewed = choosePlan(file, frame, flags);
        const reviewers = addReviewers(file, reviewed, names, flags);
        if (flags.packet !== undefined) await writePackets(flags.packet, file, reviewed, reviewers, flags);
        else await serve(file, reviewed, reviewers, flags);
      } finally {
        file.close();
      }
    })
    .addCommand(importCommand())
    .addCommand(statusCommand())
    .addCommand(exportCommand())
    .addCommand(applyCommand());
}

type Flags = ReturnType<ReturnType<typeof commandWithOptions>['opts']>;

function commandWithOptions() {
  return withConfigOptions(new Command().optionsGroup(HEADINGS.other))
    .argument('<run>', 'run file, part of its name, or latest')
    .optionsGroup(HEADINGS.records)
    .addOption(new Option('--plan <kind>', 'how targets are drawn (default: random)').choices(DRAWN_KINDS))
    .option('--cases <file>', 'review exactly these cases: the list that krisis view saved (JSONL)')
    .option('--n <targets>', 'how many targets to draw (default: 100)', wholeNumber(1))
    .option('--double <n>', 'of these, for two reviewers: a number, or 30% (default: 30)', numberOrShare)
    .option('--seed <n>', 'seed of the draw (default: 1)', wholeNumber(0))
    .option('--suite <name>', 'suite that was run; required if protected')
    .option('--suite-items', 'review the test itself: labels, rubric lines')
    .option('--guideline <text>', 'text that reviewers see above the definitions')
    .option('--dry-run', 'print the plan, and store nothing')
    .optionsGroup('Reviewers:')
    .option('--reviewer <names>', 'who reviews, several separated by commas (default: your login)', readNames)
    .addOption(new Option('--reviewers <names>').argParser(readNames).hideHelp())
    .option('--named', 'store names, with consent (default: R1, R2, ...)')
    .option('--not-blind', "show the model's or judge's answer; labels do not count")
    .option('--adjudicate', 'rule on targets on which two reviewers differ')
    .option('--include-text', 'show texts about patients to reviewers')
    .optionsGroup(HEADINGS.output)
    .option('--packet <folder>', 'write one offline page per reviewer instead of serving')
    .option('--force', 'replace existing packets')
    .option('--port <n>', `port (default: ${DEFAULT_PORT}, or the next free one)`, wholeNumber(0))
    .option('--host <address>', 'listen on this address instead of this machine only')
    .option('--no-open', 'do not open a browser')
    .addHelpText('after', NOTES);
}

function numberOrShare(typed: string): number {
  const share = /^(\d{1,2})%$/.exec(typed);
  return share ? Number(share[1]) / 100 : wholeNumber(0)(typed);
}

function checkFlags({ packet, force, port, host, cases, plan, n, seed }: Flags): void {
  if (cases !== undefined && (plan !== undefined || n !== undefined || seed !== undefined))
    throw usageError('--cases names what is reviewed: leave out --plan, --n and --seed');
  if (packet === undefined && force) throw usageError('--force needs --packet');
  if (packet !== undefined && (port !== undefined || host !== undefined))
    throw usageError('--packet writes files: leave out --port and --host');
  if (port !== undefined && port > 65_535) throw usageError(`--port ${port}: expected 0 to 65535`);
}

function planOptions({ plan, n, double, seed, guideline, cases: path }: Flags) {
  const cases = path === undefined ? undefined : readChosenCases(path);
  // A second opinion on a few chosen cases is nobody's default.
  return cases === undefined
    ? { kind: plan, n, double, seed, guideline }
    : { kind: 'cases' as const, cases, double: double ?? 0, guideline };
}

/** The plan of the review: the one that is there, or a new one. */
function choosePlan(file: ReviewFile, frame: ReviewFrame, flags: Flags): Reviewed {
  const { plans, draws } = file.read();
  const plan = plans.findLast(({ targets }) => targets === frame.targets);
  if (plan !== undefined) {
    const own = draws.filter((draw) => draw.plan === plan.id);
    const problem = planProblem(plan, own, frame, planOptions(flags));
    if (problem !== null)
      throw new KrisisError(
        `${file.path}: ${problem}; a review has one plan, because labels drawn in two ways cannot be combined; move the file away to start over`,
        { code: 'ERR_REVIEW_PLAN', value: plan.id },
      );
    const nStale = own.length - frame.shown(own).size;
    if (nStale > 0)
      printMessage(
        `! the texts of ${nStale} of ${own.length} drawn targets have changed since the draw: they are left out\n`,
      );
    return { frame, plan, draws: own };
  }
  if (flags.adjudicate) throw nothingLabelled(file.path);
  printMessage(frameText(frame));
  const drawn = drawPlan(frame, planOptions(flags));
  printMessage(drawnText(drawn.plan, drawn.draws));
  printMessage(lackText(frame, drawn.plan, drawn.draws));
  file.addPlan(drawn.plan, drawn.draws);
  return { frame, ...drawn };
}

function nothingLabelled(path: string): KrisisError {
  return new KrisisError(`${path}: there is no disagreement to rule on: nothing has been labelled yet`, {
    code: 'ERR_REVIEWER',
    value: path,
  });
}

/** Checked before a plan is drawn, which is stored for good. */
function listNames({ reviewer, reviewers }: Flags): string[] {
  const names = [...new Set(reviewer ?? reviewers ?? [userInfo().username])];
  for (const name of names)
    if (!/[\p{L}\p{N}]/u.test(name) || plain(name) !== name || name.length > MAX_NAME)
      throw new KrisisError(
        `${shown(name)} cannot be the name of a reviewer; expected letters, at most ${MAX_NAME} characters`,
        {
          code: 'ERR_REVIEWER',
          value: name,
        },
      );
  return names;
}

function addReviewers(file: ReviewFile, { plan }: Reviewed, names: readonly string[], flags: Flags) {
  return names.map((name) => {
    const rater = file.rater(name, { named: flags.named ?? false });
    const role = flags.adjudicate ? 'adjudicator' : 'rater';
    const reviewer: Reviewer & { readonly typed: string } = {
      rater,
      role,
      blind: !flags.notBlind,
      typed: name,
    };
    if (flags.adjudicate) checkAdjudicator(file.read(), plan, reviewer);
    return reviewer;
  });
}

async function writePackets(
  folder: string,
  file: ReviewFile,
  reviewed: Reviewed,
  reviewers: ReturnType<typeof addReviewers>,
  { force }: Flags,
): Promise<void> {
  const { frame, plan } = reviewed;
  const template = readPacketPage(packageFile('dist-web/'));
  mkdirSync(folder, { recursive: true });
  const review = file.read();
  const assigned = assignDraws(
    review,
    plan,
    reviewers.map(({ rater }) => rater),
  );
  for (const reviewer of reviewers) {
    const { rater, role, blind } = reviewer;
    const draws = role === 'rater' ? assigned.get(rater.id)! : undefined;
    const session = reviewSession(frame, review, plan, reviewer, draws);
    if (session.queue.length === 0) {
      printMessage(`nothing is left for ${raterText(reviewer)}\n`);
      continue;
    }
    const packet = reviewPacket(session);
    const path = join(folder, `review-${rater.id}-${packet.packet.slice(0, 8)}.html`);
    await writeOutput(packetPage(template, packet), path, force ?? false);
    // Known before it leaves the house, and not before it was written.
    file.addPacket({ hash: packet.packet, rater: rater.id, role, blind, plan: plan.id });
    printText(`${path}: ${countText(session.queue.length, frame)} for ${raterText(reviewer)}\n`);
  }
  printMessage(
    'Each file works offline. Reviewers save a file and send it back; krisis review import FILE reads it.\n',
  );
}

async function serve(
  file: ReviewFile,
  reviewed: Reviewed,
  reviewers: ReturnType<typeof addReviewers>,
  { host = '127.0.0.1', port: wanted, open }: Flags,
): Promise<void> {
  const desks = new Map(
    reviewers.map((reviewer) => [
      file.linkToken(reviewer.rater.id, reviewer.role),
      { reviewer, ...reviewDesk(file, reviewed, reviewer) },
    ]),
  );
  const options = {
    desks,
    appFiles: readAppFiles(packageFile('dist-web/')),
    host,
    port: wanted ?? DEFAULT_PORT,
    orNext: wanted === undefined,
  };
  await servePages(options, ({ origin }) => {
    if (!isLoopback(host))
      printMessage('! other machines can connect: anyone with a link can label as its reviewer\n');
    const urls = [...desks].map(([token, { reviewer, progress }]) => {
      const { open: left, labelled } = progress();
      const url = `${origin}/#review?token=${token}`;
      const task = reviewer.role === 'adjudicator' ? 'rule on' : 'label';
      printMessage(`${raterText(reviewer)}: ${left} to ${task}, ${labelled} done\n`);
      process.stdout.write(`${url}\n`);
      return url;
    });
    printMessage('every label is stored at once; press Ctrl-C to stop\n');
    return open && urls.length === 1 ? urls[0]! : null;
  });
  printMessage(endText(file, reviewed));
}

/** How far the review is, and what comes next. */
function endText(file: ReviewFile, { plan }: Reviewed): string {
  const review = file.read();
  const { n_labelled, n_drawn, n_disputed } = reviewStatus(review).plans.find((one) => one.plan === plan.id)!;
  const run = file.path.replace(/\.review\.db$/, '.db');
  const next =
    n_disputed > 0
      ? `${n_disputed} in dispute; let a third person rule:\n  krisis review ${run} --adjudicate --reviewer NAME`
      : `next:\n  krisis report ${run}`;
  return `${n_labelled} of ${n_drawn} ${targetWords(plan.targets, n_drawn)} have all their labels (${file.path})\n${next}\n`;
}

/** The name is said here, and stored only where that was asked for. */
function raterText({ rater: { id }, typed }: ReturnType<typeof addReviewers>[number]): string {
  return `${plainLine(typed, MAX_SHOWN)} (${id})`;
}

function countText(n: number, { targets }: ReviewFrame): string {
  return `${n} ${targetWords(targets, n)}`;
}
