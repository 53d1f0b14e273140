import { relative } from 'node:path';
import type { Progress } from '../engine/progress.ts';

let isInMemory = false;

/** Called with every suite and run that a command reads. From the first protected one on, errors that Krisis does not expect are shown without their text. */
export function noteSensitivity(source: Parameters<typeof isProtected>[0]): void {
  if (isProtected(source)) isInMemory = true;
}

/** Whether a suite or run is protected; one that does not say so counts as protected. */
export function isProtected({ sensitivity }: { readonly sensitivity?: string | null | undefined }): boolean {
  return (sensitivity ?? 'protected') === 'protected';
}

/** Whether the process may hold patient data that an error could quote. */
export function holdsProtectedData(): boolean {
  return isInMemory;
}

/** Called before each command. */
export function forgetSensitivity(): void {
  isInMemory = false;
}

/** The line that says which replies were asked for a second time; null when there were none. */
export function askedAgainText({ askedAgain: { answers, judgements } }: Progress): string | null {
  const counts = [
    answers > 0 && `${answers} ${answers === 1 ? 'answer' : 'answers'}`,
    judgements > 0 && `${judgements} ${judgements === 1 ? 'reply of the judge' : 'replies of the judge'}`,
  ].filter((text) => text !== false);
  if (counts.length === 0) return null;
  const verb = answers + judgements === 1 ? 'was' : 'were';
  return `${counts.join(' and ')} ${verb} asked for again, because an earlier process was stopped before the rows were complete, and texts of protected runs are not stored\n`;
}

/** Says where texts about patients are stored, and in what form. */
export function keptTextNote(path: string): string {
  return `texts of models are stored in ${relative('.', path)}, with values of the cases blocked out (--keep-text)\n`;
}
