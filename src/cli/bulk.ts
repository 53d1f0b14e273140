import { basename, relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Command } from '@commander-js/extra-typings';
import { KrisisError } from '../core/errors.ts';
import { plain, plainLine } from '../core/plain-text.ts';
import { durationText } from '../core/wording.ts';
import { apiBackend } from '../models/api/api-backend.ts';
import { findBulkWire } from '../models/api/bulk/find-bulk-wire.ts';
import type { BulkWire } from '../models/api/bulk/wire.ts';
import { PROVIDERS } from '../models/api/providers/providers.ts';
import { BackendError, summariseError } from '../models/backend-error.ts';
import type { BulkJob } from '../store/bulk-ledger.ts';
import { findRun } from '../store/find-run.ts';
import { listRuns, RUNS_FOLDER } from '../store/list-runs.ts';
import type { Run } from '../store/run.ts';
import { RunFile } from '../store/run-file.ts';
import { shownId } from './bulk-options.ts';
import { usageError } from './errors.ts';
import { EXIT } from './exit-codes.ts';
import { onInterrupt } from './interrupt.ts';
import { readDuration } from './options/option.ts';
import { print, printMessage, printText } from './print.ts';
import { createAnnouncer } from './progress.ts';
import { isProtected } from './protected-data.ts';

const OPEN = ['intended', 'uploaded', 'submitted', 'ended', 'collected'];
const AT_PROVIDER = ['uploaded', 'submitted', 'ended', 'collected'];
const POLL_SECONDS = 30;
/** The longest text of a provider, or of a run file, that is shown. */
const MAX_TEXT = 300;

type RunJobs = ReturnType<typeof readJobs>;

/** `krisis ops bulk`: what is with the providers. */
export function bulkCommand() {
  return new Command()
    .addCommand(listCommand(), { isDefault: true })
    .addCommand(waitCommand())
    .addCommand(cancelCommand())
    .addCommand(sweepCommand())
    .addHelpText(
      'after',
      '\nExamples:\n  krisis ops bulk                 jobs of all runs\n  krisis ops bulk wait latest\n  krisis ops bulk cancel latest\n  krisis ops bulk sweep openai\n',
    );
}

function listCommand() {
  return new Command('list')
    .description('list jobs with their state, age, and data still with the provider (default)')
    .argument('[run]', 'run file, part of its name, or latest (default: all runs)')
    .option('--json', 'print one JSON object on standard output')
    .addHelpText('after', '\nExamples:\n  krisis ops bulk\n  krisis ops bulk list latest --json\n')
    .action((run, { json }) => {
      const found = run === undefined ? allJobs() : [readJobs(findRun(run))];
      print(json, 'bulk', { runs: found.map(jobsObject) }, listText(found));
    });
}

function waitCommand() {
  return new Command('wait')
    .description('wait until all jobs of a run have ended')
    .argument('<run>', 'run file, part of its name, or latest')
    .option('--base-url <url>', 'address of the API, if not the usual one')
    .option('--poll <time>', 'pause between checks (default: 30s)', readDuration)
    .addHelpText('after', '\nExamples:\n  krisis ops bulk wait latest\n')
    .action(async (run, { baseUrl, poll = POLL_SECONDS }) => {
      const found = readJobs(findRun(run));
      const wireTo = openWires(found.manifest, baseUrl);
      const interrupt = onInterrupt();
      let open = found.jobs.filter(({ state }) => state === 'submitted');
      const isAnswered = await atProvider(found.isProtected, async () => {
        while (open.length > 0 && !interrupt.signal.aborted) {
          const left: BulkJob[] = [];
          for (const job of open) {
            const wire = await wireTo(job.lane);
            const status = await wire.status(job.remoteId!);
            if (status.state === 'running') left.push(job);
            printMessage(`${jobName(job, found)}: ${statusText(status, job, found)}\n`);
          }
          open = left;
          if (open.length > 0)
            await sleep(poll * 1000, undefined, { signal: interrupt.signal }).catch(() => {});
        }
      });
      interrupt.stop();
      if (!isAnswered) return;
      if (open.length > 0) process.exitCode = EXIT.interrupted;
      else printText(`no job is running${nextText(found, 'to read the results')}\n`);
    });
}

function cancelCommand() {
  return new Command('cancel')
    .description('ask the provider to end the jobs of a run; finished results are kept')
    .argument('<run>', 'run file, part of its name, or latest')
    .option('--base-url <url>', 'address of the API, if not the usual one')
    .addHelpText('after', '\nExamples:\n  krisis ops bulk cancel latest\n')
    .action(async (run, { baseUrl }) => {
      const found = readJobs(findRun(run));
      const wireTo = openWires(found.manifest, baseUrl);
      const open = found.jobs.filter(({ state }) => state === 'submitted');
      const isAnswered = await atProvider(found.isProtected, async () => {
        for (const job of open) {
          await (await wireTo(job.lane)).cancel(job.remoteId!);
          printMessage(
            `${plain(job.lane)}: asked to cancel ${shownId(job, found.isProtected)} (${job.n} requests)\n`,
          );
        }
      });
      if (!isAnswered) return;
      printText(
        open.length === 0
          ? `no job is running${nextText(found, 'to read the results')}\n`
          : `cancelling takes up to ten minutes (krisis ops bulk wait)${nextText(found, 'then, to read the finished results')}\n`,
      );
    });
}

function sweepCommand() {
  return new Command('sweep')
    .description('list files and jobs of krisis at a provider that belong to no run here')
    .argument('<provider>', 'openai, google or xai')
    .option('--base-url <url>', 'address of the API')
    .option('--yes', 'delete them')
    .addHelpText(
      'after',
      '\nExamples:\n  krisis ops bulk sweep openai\n  krisis ops bulk sweep openai --yes\n',
    )
    .action(async (provider, { baseUrl, yes }) => {
      const model = `${checkedProvider(provider)}/any`;
      const known = new Set(allJobs().flatMap(({ jobs }) => jobs.map(({ nonce }) => nonce)));
      let n = 0;
      const isAnswered = await atProvider(false, async () => {
        const wire = await openWires(null, baseUrl)(model);
        for await (const mark of wire.list()) {
          if (known.has(mark.nonce)) continue;
          n += 1;
          if (yes) await wire.removeMark(mark);
          printText(`${yes ? 'deleted ' : ''}${mark.kind} ${mark.id}\n`);
        }
      });
      if (!isAnswered) return;
      printText(
        n === 0
          ? 'every file and job of krisis belongs to a run here\n'
          : yes
            ? `${n} deleted\n`
            : `${n} found; --yes deletes them. They may belong to runs in other folders\n`,
      );
    });
}

/** Does what needs the provider. If that fails, says why in one message, sets the exit code, and returns false. */
async function atProvider(isProtected: boolean, work: () => Promise<void>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    if (!(error instanceof BackendError)) throw error;
    printMessage(`krisis: ${plainLine(isProtected ? summariseError(error) : error.message, 2 * MAX_TEXT)}\n`);
    process.exitCode = EXIT.open;
    return false;
  }
}

function jobName(job: BulkJob, { isProtected }: RunJobs): string {
  return `${plain(job.lane)}: ${shownId(job, isProtected)}`;
}

function statusText(
  { state, says, done }: Awaited<ReturnType<BulkWire['status']>>,
  { n }: BulkJob,
  { isProtected }: RunJobs,
): string {
  const word = isProtected ? state : plainLine(says, MAX_TEXT);
  return `${word}${done === null ? '' : `, ${done} of ${n} done`}`;
}

function checkedProvider(provider: string): string {
  if (PROVIDERS.includes(provider)) return provider;
  throw usageError(`"${provider}" is not a provider; expected one of ${PROVIDERS.join(', ')}`);
}

/** The ways to the providers of a run's models, each opened once. */
function openWires(manifest: Run | null, baseUrl: string | undefined) {
  const wires = new Map<string, Promise<BulkWire>>();
  return (model: string): Promise<BulkWire> => {
    const wire = wires.get(model) ?? openWire(model, manifest, baseUrl);
    wires.set(model, wire);
    return wire;
  };
}

async function openWire(model: string, manifest: Run | null, baseUrl: string | undefined): Promise<BulkWire> {
  if (baseUrl === undefined) await checkStoredAddress(model, manifest);
  const backend = await apiBackend(model, baseUrl === undefined ? {} : { baseUrl });
  const wire = await findBulkWire(backend);
  if (wire === null)
    throw new KrisisError(`${model} has no bulk jobs`, { code: 'ERR_BULK_UNAVAILABLE', value: model });
  createAnnouncer()([backend]);
  return wire;
}

/** A run file may come from anyone: no key goes to the address in it unless the command line or the environment names that address, too. */
async function checkStoredAddress(model: string, manifest: Run | null): Promise<void> {
  const stored =
    manifest?.model === model
      ? manifest.parameters?.base_url
      : manifest?.judges?.findLast(({ judge }) => judge === model)?.parameters.base_url;
  if (typeof stored !== 'string') return;
  const usual = await apiBackend(model, { keyRequired: false }).catch(() => null);
  if (usual?.parameters?.base_url !== stored)
    throw usageError(
      `the run file says that ${model} was asked at ${plain(stored)}; to send your key there, add --base-url ${plain(stored)}`,
      stored,
    );
}

/** The bulk jobs of a run. Where it is protected, only words of our own are shown about them. */
function readJobs(path: string) {
  return RunFile.use(path, (file) => {
    const manifest = file.manifest();
    return { path, manifest, jobs: file.bulk().jobs(), isProtected: isProtected(manifest) };
  });
}

function allJobs(): RunJobs[] {
  return listRuns(RUNS_FOLDER)
    .runs.map(({ path }) => readJobs(path))
    .filter(({ jobs }) => jobs.length > 0);
}

/** The command to run next: it takes in the results, and asks what is left. Empty where no results are to come. */
function nextText({ path, manifest, jobs }: RunJobs, purpose: string): string {
  const open = jobs.filter(({ state }) => OPEN.includes(state));
  if (open.length === 0) return '';
  const judges = plain([...new Set(open.map(({ lane }) => lane))].join(','));
  // Judging again leaves the status of the run as it was.
  const isRun =
    manifest.status === 'waiting' ||
    manifest.status === 'running' ||
    open.some(({ lane }) => lane === manifest.model);
  const command = isRun
    ? plain(`krisis run ${manifest.suiteName} --model ${manifest.model} --bulk`)
    : `krisis judge ${relative('.', path)} --judge ${judges} --bulk`;
  return `; ${purpose}, with the same options as before:\n    ${command}`;
}

function jobsObject({ path, jobs, isProtected }: RunJobs) {
  return {
    run: path,
    jobs: jobs.map((job) => ({
      lane: plain(job.lane),
      state: plain(job.state),
      remote_id: job.remoteId === null || isProtected ? null : shownId(job, false),
      n: job.n,
      bytes: job.bytes,
      submitted_at: moment(job.submittedAt),
      ended_at: moment(job.endedAt),
      removed_at: moment(job.removedAt),
      why: whyText(job, isProtected),
      still_with_provider: AT_PROVIDER.includes(job.state),
    })),
  };
}

/** Why a job is where it is. What the provider keeps is named by its ids, which are words of the provider. */
function whyText({ why, state }: BulkJob, isProtected: boolean): string | null {
  if (why === null) return null;
  if (isProtected) return state === 'collected' ? 'data are still with the provider' : null;
  return plainLine(why, MAX_TEXT);
}

function moment(milliseconds: number | null): string | null {
  return milliseconds === null ? null : new Date(milliseconds).toISOString();
}

function listText(runs: readonly RunJobs[]): string {
  if (runs.every(({ jobs }) => jobs.length === 0)) return 'no bulk jobs\n';
  return runs
    .map((found) => {
      const { path, jobs, isProtected } = found;
      const lines = jobs.map((job) => {
        const age = durationText((Date.now() - (job.submittedAt ?? job.intendedAt)) / 1000);
        const reason = whyText(job, isProtected);
        const why = reason === null ? '' : ` (${reason})`;
        const id = job.remoteId === null ? 'not submitted' : shownId(job, isProtected);
        return `  ${plain(job.lane)}  ${id}  ${job.n} requests  ${plain(job.state)}${why}  ${age} old\n`;
      });
      const open = jobs.filter(({ state }) => OPEN.includes(state)).length;
      const left = open === 0 ? '' : `  ${open} not finished${nextText(found, 'to continue')}\n`;
      return `${plain(basename(path))}\n${lines.join('')}${left}`;
    })
    .join('');
}
