import { RunFile } from '../../store/run-file.ts';

/** Whether a run file holds answers to open questions; every other run file holds labels. */
export function isQuestionRun(path: string): boolean {
  return RunFile.use(path, (file) => file.manifest().kind === 'text');
}
