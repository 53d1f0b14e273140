import { EXIT_CODES } from '../../src/cli/exit-codes.ts';
import ERROR_CODES from '../../src/core/error-codes.json' with { type: 'json' };
import { code, NOTE, table } from './markdown.ts';

/** Exit codes of the command line, and the codes of errors. */
export async function errorsPage(): Promise<string> {
  return [
    '# Errors and exit codes',
    '',
    NOTE,
    '',
    'Every message of a command names the problem, where it is, what was expected and what to do. The exit code says how the command ended. Programs handle errors by their code, which stays the same between versions.',
    '',
    '## Exit codes',
    '',
    ...table(
      ['code', 'meaning', 'what to do'],
      Object.entries(EXIT_CODES).map(([number, { means, next }]) => [number, means, next]),
    ),
    '',
    'With `--json`, `krisis run` prints the cause under `exit.because`. A model that fails to answer is not an error: [how every case ends](running.md) explains failed calls and unusable replies.',
    '',
    '## Error codes',
    '',
    'The library throws a `KrisisError` for every problem that you can act on. It has a `message`, a `code`, the offending `value`, and a `cause` where another error led to it.',
    '',
    ...table(
      ['code', 'meaning'],
      Object.entries(ERROR_CODES).map(([name, meaning]) => [code(name), meaning]),
    ),
    '',
  ].join('\n');
}
