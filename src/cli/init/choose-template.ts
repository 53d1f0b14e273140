import { createInterface } from 'node:readline/promises';
import { usageError } from '../usage-error.ts';
import { TEMPLATES, type Template, templateLines } from './templates.ts';

/** Asks which template to write; a number or a name answers, and Enter takes the first. */
export async function chooseTemplate(
  input: NodeJS.ReadableStream,
  output: NodeJS.WritableStream,
): Promise<Template> {
  const lines = createInterface({ input, output });
  const closed = new Promise<never>((_, reject) => {
    lines.once('close', () => reject(usageError('nothing was chosen, and nothing was written')));
  });
  // A question that was answered ends with a close that nothing waits for.
  closed.catch(() => {});
  try {
    output.write(`What would you like to do?\n${templateLines()}`);
    for (;;) {
      const typed = (await Promise.race([lines.question('Number or name [1]: '), closed])).trim();
      const chosen = TEMPLATES.find(
        ({ name }, i) => name === typed.toLowerCase() || String(i + 1) === (typed || '1'),
      );
      if (chosen !== undefined) return chosen;
      output.write(`Please type a number from 1 to ${TEMPLATES.length}, or a name.\n`);
    }
  } finally {
    lines.close();
  }
}
