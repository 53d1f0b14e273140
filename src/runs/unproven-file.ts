import { basename } from 'node:path';
import { fileIdentity } from '../store/file-names.ts';
import type { SealKey } from '../store/keys.ts';
import { verifyRun } from '../store/verify-run.ts';
import type { GateVerdict } from './conditions/verdict.ts';
import type { RunResult } from './run-result.ts';

/** Why a run is unsealed, and what to do. */
export const UNSEALED = 'the run was interrupted; run the same command again to finish and seal it';

/** What a report says first about a run file that is not verified; null for one that is, and for rows in memory. */
export function verificationAlert({
  verification,
  status,
}: Pick<RunResult, 'verification' | 'status'>): string | null {
  if (verification == null || verification.verdict === 'verified') return null;
  if (verification.verdict === 'unsealed')
    return `unsealed: ${status === 'running' ? 'the run is being written' : UNSEALED}.`;
  const { nProblems, entries } = verification;
  const problems = `${nProblems} ${nProblems === 1 ? 'problem' : 'problems'} in ${entries.toLocaleString('en')} entries`;
  return `unverified: the run file was changed, or its proof is missing (${problems}), so no number of it can be trusted; krisis runs verify names what is wrong.`;
}

/** A run file that conditions rest on, as it was read. */
export interface ReadFile {
  /** Null for rows that are in no run file. */
  readonly path: string | null;
  /** What it was when it was read (`fileIdentity`). Default: not known. */
  readonly fileIdentity?: string | null | undefined;
}

/** Leaves conditions undecided that rest on a run file that is not verified or, where a key is required, not signed by it. */
export function requireProof(
  verdicts: readonly GateVerdict[],
  files: readonly ReadFile[],
  publicKey: SealKey | undefined,
): GateVerdict[] {
  if (verdicts.length === 0) return [];
  const gap = files.map((file) => findGap(file, publicKey)).find((each) => each !== null);
  if (gap === undefined) return [...verdicts];
  return verdicts.map((verdict) => ({
    ...verdict,
    status: 'undecided',
    reason: gap.reason,
    message: `${verdict.message}, but ${gap.text}`,
  }));
}

/** Checks every entry of a run file, however long: a gate rests on all of them. */
function findGap(
  { path, fileIdentity: read }: ReadFile,
  publicKey: SealKey | undefined,
): { readonly reason: 'unsealed' | 'unverified' | 'unsigned'; readonly text: string } | null {
  if (path === null)
    return publicKey === undefined
      ? null
      : { reason: 'unsigned', text: 'rows that are in no run file cannot be signed' };
  const { verdict, problems, nProblems } = verifyRun(path, { publicKey, isForeign: false });
  const file = basename(path);
  // Scores and proof must be of the same file.
  if (read != null && read !== fileIdentity(path))
    return {
      reason: 'unverified',
      text: `${file} was written or replaced while it was read; run the command again`,
    };
  if (verdict === 'verified') return null;
  if (verdict === 'unsealed') return { reason: 'unsealed', text: `${file} is unsealed: ${UNSEALED}` };
  if (publicKey !== undefined && problems.every(({ problem }) => problem === 'signature'))
    return {
      reason: 'unsigned',
      text: `${file} is not signed as required: ${problems.map(({ where }) => where).join('; ')}`,
    };
  const n = nProblems === 1 ? '1 problem' : `${nProblems} problems`;
  return {
    reason: 'unverified',
    text: `${file} is unverified (${n}); krisis runs verify names what is wrong`,
  };
}
