import { randomUUID } from 'node:crypto';
import { copyFileSync, existsSync, renameSync } from 'node:fs';
import { basename } from 'node:path';
import { canonicalJson } from '../core/canonical-json.ts';
import { snakeCase } from '../core/codec.ts';
import { KrisisError } from '../core/errors.ts';
import type { RunStatus } from '../core/states.ts';
import { checkRunFiles } from '../store/file-names.ts';
import { keyFingerprint, type SealKey } from '../store/keys.ts';
import type { Run, RunUpdate } from '../store/run.ts';
import { RunFile } from '../store/run-file.ts';
import type { MergedPart } from '../store/seal.ts';
import { type Staging, stageBeside } from '../store/staging.ts';
import { SCHEMA_VERSION } from '../store/tables.ts';
import { type RunVerification, verifyRun } from '../store/verify-run.ts';
import { WriterLock } from '../store/writer-lock.ts';
import type { FileRun } from './run-options.ts';

interface MergeOptions {
  /** Merge although parts are missing or unfinished; the merged run can then be continued. Default: false. */
  readonly partial?: boolean | undefined;
  /** The version of the program, written into the manifest and into the seal. Default: null. */
  readonly krisisVersion?: string | undefined;
  /** An Ed25519 private key that signs the merged run: see `readSigningKey`. Default: it is not signed. */
  readonly signKey?: SealKey | undefined;
}

/** What a merge brought together. */
export interface MergedRun {
  readonly result: FileRun;
  /** Parts that were not given, by number; empty where the run is whole. */
  readonly missing: readonly number[];
  /** Files of parts that had not finished. */
  readonly unfinished: readonly string[];
  /** Files of parts that are signed: by the key of the merge where it has one, else by any. */
  readonly signed: readonly string[];
  /** Files of the other parts. */
  readonly unsigned: readonly string[];
}

/** What must be the same in all parts. */
const SAME = [
  'identity',
  'kind',
  'promptVersion',
  'parserVersion',
  'seed',
  'orderSha256',
  'cluster',
  'sensitivity',
  'keepText',
  'judgeConfigs',
  'judgePasses',
] as const satisfies readonly (keyof Run)[];

/** What a part says about itself alone. */
const OWN = [
  'runId',
  'shard',
  'createdAt',
  'elapsedSeconds',
  'nSelected',
  'extras',
] as const satisfies readonly (keyof Run)[];

interface Part {
  readonly path: string;
  readonly file: RunFile;
  readonly manifest: Run;
  readonly status: RunStatus;
  readonly verification: RunVerification;
}

/**
 * Puts the parts of a run together into one run file, which equals that of an undivided run: the same records, rows, keys of calls and scores. With parts missing it is refused unless `partial`
 * is set; the same command without a shard then asks the rest.
 *
 * @throws KrisisError when a part is unverified or unsealed, when the parts are not of one run, when two of them answered the same record differently, or when some are missing.
 */
export async function mergeRuns(
  target: string,
  paths: readonly string[],
  options: MergeOptions = {},
): Promise<MergedRun> {
  if (existsSync(target))
    throw new KrisisError(`${target}: already exists; a merged run needs a file of its own`, {
      code: 'ERR_FILE_EXISTS',
      value: target,
    });
  const opened: RunFile[] = [];
  const staging = stageBeside(target);
  try {
    // Copies: what is verified must be what is merged, even if someone writes to a part meanwhile.
    const given = paths.map((path, i): Part => {
      const isWritten = WriterLock.isHeld(path);
      const copy = staging.join(`part-${i}.db`);
      copyRunFile(path, copy);
      const file = RunFile.read(copy);
      opened.push(file);
      const status = isWritten ? 'running' : file.status();
      return { path, file, manifest: file.manifest(), status, verification: verifyRun(copy) };
    });
    const parts = checkParts(given);
    const { of } = parts[0]!.manifest.shard!;
    const there = new Set(parts.map(({ manifest }) => manifest.shard!.index));
    const missing = Array.from({ length: of }, (_, i) => i + 1).filter((index) => !there.has(index));
    const unfinished = parts.filter(({ status }) => status !== 'complete').map(({ path }) => path);
    const isWhole = missing.length === 0 && unfinished.length === 0;
    if (!isWhole && !options.partial) throw incomplete(missing, unfinished, of);
    await write(target, staging, parts, isWhole, options);
    const { readRun } = await import('../runs/read-run.ts');
    const { signed = [], unsigned = [] } = Object.groupBy(parts, (part) =>
      isSigned(part, options.signKey) ? 'signed' : 'unsigned',
    );
    return {
      result: readRun(target) as FileRun,
      missing,
      unfinished,
      signed: signed.map(({ path }) => path),
      unsigned: unsigned.map(({ path }) => path),
    };
  } finally {
    for (const file of opened) file.close();
    staging.remove();
  }
}

/** Copies a run file with the log that SQLite keeps beside it. */
function copyRunFile(path: string, copy: string): void {
  checkRunFiles(path);
  if (!existsSync(path))
    throw new KrisisError(`${path}: no such run file`, { code: 'ERR_RUN_NOT_FOUND', value: path });
  copyFileSync(path, copy);
  if (existsSync(`${path}-wal`)) copyFileSync(`${path}-wal`, `${copy}-wal`);
}

/** The parts in their order, each once. */
function checkParts(given: readonly Part[]): Part[] {
  const [first] = given;
  if (first === undefined) throw refusal('there are no parts to merge', null);
  for (const { path, file, manifest, status, verification } of given) {
    if (manifest.shard === null)
      throw refusal(`${path}: is not a part of a run, but a whole one; only parts can be merged`, path);
    if (status === 'running')
      throw refusal(`${path}: is being written by another process; merge it when it has ended`, path);
    checkProof(path, verification);
    // The merged run would not know of them, and ask the same again.
    if (file.bulk().pending().length > 0)
      throw refusal(
        `${path}: requests of it are with the provider in bulk jobs; read their results, then merge`,
        path,
      );
    const field = SAME.find((key) => canonicalJson(manifest[key]) !== canonicalJson(first.manifest[key]));
    if (field !== undefined)
      throw refusal(
        `${path}: is a part of another run than ${first.path}: ${differing(field, manifest, first)}`,
        path,
      );
    const { of, nRecords } = manifest.shard;
    const { shard } = first.manifest;
    if (of !== shard!.of || nRecords !== shard!.nRecords)
      throw refusal(
        `${path}: is one of ${of} parts of ${nRecords} cases; ${first.path} is one of ${shard!.of} parts of ${shard!.nRecords}. Make all parts with the same shard count and limit`,
        path,
      );
  }
  const byIndex = new Map<number, Part>();
  for (const part of given) {
    const { index } = part.manifest.shard!;
    const twin = byIndex.get(index);
    if (twin === undefined) byIndex.set(index, part);
    else checkTwins(twin, part);
  }
  return [...byIndex.values()].sort((a, b) => a.manifest.shard!.index - b.manifest.shard!.index);
}

/** A merged run is sealed again: parts that were changed would look as if they had not been. */
function checkProof(path: string, { verdict, nProblems }: RunVerification): void {
  if (verdict === 'unverified')
    throw new KrisisError(
      `${path}: is unverified (${nProblems === 1 ? '1 problem' : `${nProblems} problems`}), so it cannot be merged; restore the file from a copy, or run the part again`,
      { code: 'ERR_RUN_UNVERIFIED', value: path },
    );
  if (verdict === 'unsealed')
    throw refusal(
      `${path}: is unsealed, because the run was interrupted; run the part again to finish and seal it, then merge`,
      path,
    );
}

/** Whether signatures cover all of a part: of the given key, or of any. */
function isSigned({ verification: { seal, unsignedEntries } }: Part, signKey: SealKey | undefined): boolean {
  if (seal?.keyFingerprint == null || unsignedEntries > 0) return false;
  return signKey === undefined || seal.keyFingerprint === keyFingerprint(signKey);
}

function differing(field: (typeof SAME)[number], manifest: Run, first: Part): string {
  if (field !== 'identity')
    return `${snakeCase(field)} is ${canonicalJson(manifest[field])}, not ${canonicalJson(first.manifest[field])}`;
  const [own, other] = [manifest.identity, first.manifest.identity];
  const key = (Object.keys({ ...own, ...other }) as (keyof typeof own)[]).find(
    (name) => canonicalJson(own[name] ?? null) !== canonicalJson(other[name] ?? null),
  )!;
  return `${snakeCase(key)} is ${canonicalJson(own[key] ?? null)}, not ${canonicalJson(other[key] ?? null)}`;
}

/** The same part twice is a copy, or two answers to one record: nothing says which of them counts. */
function checkTwins(one: Part, other: Part): void {
  const answers = ({ file, manifest }: Part) =>
    new Map(
      [...file.rows.read({ nRepeats: manifest.identity.repeats })].map((row) => [
        JSON.stringify([row.id, row.repeat]),
        canonicalJson([row.state, row.prediction, row.confidence, row.rawResponse]),
      ]),
    );
  const known = answers(one);
  for (const [place, answer] of answers(other))
    if (known.get(place) !== answer) {
      const [recordId] = JSON.parse(place) as [string];
      throw refusal(
        `${one.path} and ${other.path}: are both part ${one.manifest.shard!.index}, and answer case "${recordId}" differently; leave one of them out`,
        other.path,
      );
    }
}

/** Written beside its place and moved there when it is whole: a merge that is killed leaves nothing under the name. */
async function write(
  target: string,
  staging: Staging,
  parts: readonly Part[],
  isWhole: boolean,
  options: MergeOptions,
): Promise<void> {
  const isPrivate = parts[0]!.manifest.sensitivity === 'protected';
  const file = RunFile.write(staging.path, { isPrivate, signKey: options.signKey });
  try {
    await fill(file, parts, isWhole, options);
    file.close();
    if (existsSync(target)) throw refusal(`${target}: was made meanwhile`, target);
    renameSync(staging.path, target);
  } catch (error) {
    try {
      file.close();
    } catch {}
    throw error;
  }
}

async function fill(
  file: RunFile,
  parts: readonly Part[],
  isWhole: boolean,
  { krisisVersion, signKey }: MergeOptions,
): Promise<void> {
  const { finishRun, sealedScores } = await import('../runs/finish-run.ts');
  const { readScoring } = await import('../runs/scoring-for.ts');
  const { storeReport } = await import('../runs/report.ts');
  file.beginMerged(
    parts.map(({ path, manifest, verification: { head, entries, seal } }): MergedPart => {
      const { sealedAt, keyFingerprint: key } = seal!;
      const { runId } = manifest;
      return {
        file: basename(path),
        run_id: runId,
        head,
        entries,
        sealed_at: sealedAt,
        key_fingerprint: key,
      };
    }),
  );
  const [first] = parts;
  const known = Object.fromEntries(
    Object.entries(first!.manifest).filter(
      ([key, value]) => value !== null && !(OWN as readonly string[]).includes(key),
    ),
  );
  const createdAt = parts
    .flatMap(({ manifest }) => manifest.createdAt ?? [])
    .sort()
    .at(0);
  const united = (key: 'rubrics' | 'rubricsOf' | 'aliasesOf') => {
    const said = parts.flatMap((part) => part.manifest[key] ?? []);
    return said.length === 0 ? {} : { [key]: Object.assign({}, ...said) };
  };
  const manifest: RunUpdate = {
    ...known,
    // Each part names what its own questions are judged by.
    ...united('rubrics'),
    ...united('rubricsOf'),
    ...united('aliasesOf'),
    runId: randomUUID(),
    schemaVersion: SCHEMA_VERSION,
    createdAt: createdAt ?? new Date().toISOString(),
    status: 'running',
    nSelected: parts.reduce((sum, { file: part }) => sum + part.records.count(), 0),
    mergedFrom: parts.map(({ manifest: { runId, shard, egress }, status }) => ({
      runId,
      shard: `${shard!.index}/${shard!.of}`,
      status,
      host: egress?.host ?? null,
    })),
  };
  file.setManifest(manifest);
  file.importParts(parts.map(({ file: part }) => part));
  const seconds = { elapsed_seconds: 0, waited_seconds: 0 };
  for (const { file: part } of parts)
    for (const { data } of part.events.read())
      for (const key of ['elapsed_seconds', 'waited_seconds'] as const)
        seconds[key] += Number(data[key] ?? 0);
  const status = isWhole ? 'complete' : 'interrupted';
  const { result, stored } = finishRun(
    file,
    {
      status,
      stoppedBecause: null,
      batchSize: first!.manifest.identity.batchSize ?? 1,
      maxConcurrency: 'auto',
      elapsedSeconds: seconds.elapsed_seconds,
      waitedSeconds: seconds.waited_seconds,
      simulated: first!.manifest.simulated ?? false,
    },
    { scoring: readScoring(first!.manifest.scoring).scoring },
  );
  file.setManifest(stored);
  file.events.add('finished', { status, ...seconds });
  storeReport(file, result);
  file.seal(
    { scoresHash: sealedScores(result), krisisVersion: krisisVersion ?? null },
    parts.every((part) => isSigned(part, signKey)) ? 0 : file.proof().entries,
  );
}

function incomplete(missing: readonly number[], unfinished: readonly string[], of: number): KrisisError {
  const lacking = [
    ...(missing.length > 0
      ? [`part${missing.length > 1 ? 's' : ''} ${missing.join(', ')} of ${of} missing`]
      : []),
    ...(unfinished.length > 0 ? [`not finished: ${unfinished.join(', ')}`] : []),
  ];
  return new KrisisError(`the run is not whole: ${lacking.join('; ')}`, {
    code: 'ERR_MERGE_INCOMPLETE',
    value: missing,
  });
}

function refusal(message: string, value: unknown): KrisisError {
  return new KrisisError(message, { code: 'ERR_MERGE', value });
}
