import { RunFile } from '../../store/index.ts';

/** Whether a run file holds answers to open questions; every other holds labels. */
export function isQuestionRun(path: string): boolean {
  const file = RunFile.read(path);
  try {
    return file.manifest().kind === 'text';
  } finally {
    file.close();
  }
}
