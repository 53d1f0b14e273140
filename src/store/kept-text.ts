import type { KrisisError } from '../core/index.ts';
import { fileError } from './file-errors.ts';
import type { Run } from './run.ts';

/** Whether a run of open questions has no texts of its answers, because its data are protected. Its answers can be judged or reviewed only by a run that keeps them. */
export function needsKeptText({
  kind,
  sensitivity,
  keepText,
}: Pick<Run, 'kind' | 'sensitivity' | 'keepText'>): boolean {
  const isProtected = (sensitivity ?? 'protected') === 'protected';
  return kind === 'text' && isProtected && keepText !== true;
}

/** The error for what cannot be done without the texts of a run. */
export function textNotKept(path: string): KrisisError {
  return fileError(
    path,
    'its data are protected, and the texts of its answers were not stored; start a run that keeps them (keepText), with patient data blocked out',
    'ERR_TEXT_NOT_KEPT',
  );
}
