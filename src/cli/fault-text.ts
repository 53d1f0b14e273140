import { stripVTControlCharacters } from 'node:util';
import { holdsProtectedData } from './protected-data.ts';

/** What is said of a fault of Krisis's own. The text of an error can quote what it stumbled over, so with protected data in the process only its kind and the places in the code are shown. */
export function faultText(error: unknown): string {
  const { name, message, stack = '' } = error instanceof Error ? error : new Error(String(error));
  const isSafe = !holdsProtectedData();
  const what = isSafe
    ? stripVTControlCharacters(message)
    : `${kindOf(name)}; its text is withheld, because the data are protected`;
  const trace = isSafe ? stack : placesIn(stack.replace(message, ''));
  const more = process.env.KRISIS_DEBUG
    ? trace
    : 'This is a fault of ours. Set KRISIS_DEBUG=1 for the trace, and please report it.';
  return `krisis: internal error: ${what}\n${more}\n`;
}

/** The kind of an error, where it is one of the language's own or of Krisis's. */
function kindOf(name: string): string {
  return /^(Aggregate|Eval|Krisis|Range|Reference|Syntax|Type|URI)?Error$/.test(name) ? name : 'Error';
}

/** The lines of a trace that name places in the code. */
function placesIn(stack: string): string {
  return stack
    .split('\n')
    .filter((line) => /^ {4}at [\w.<>#[\] ]*\(?(file:|node:|\/|[A-Z]:\\)/.test(line))
    .join('\n');
}
