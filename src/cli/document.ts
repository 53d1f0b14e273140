import { realpathSync } from 'node:fs';
import { extname } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { type Command, Option } from '@commander-js/extra-typings';
import { type GateVerdict, gateExitCode } from '../runs/conditions/verdict.ts';
import type { ReportFormatName } from '../runs/report-formats.ts';
import { usageError } from './errors.ts';
import { showVerdicts } from './gate-options.ts';
import { HEADINGS } from './help.ts';
import { fileWidth, printMessage, textWidth } from './print.ts';
import { checkOutput, writeOutput } from './write-output.ts';

/** Adds the options of a command that makes a document: its format and where it goes. */
export function withDocumentOptions<Args extends unknown[], Opts extends Record<string, unknown>>(
  command: Command<Args, Opts>,
  formats: readonly ReportFormatName[],
) {
  return command
    .optionsGroup(HEADINGS.output)
    .addOption(
      new Option('-f, --format <name>', 'output format (default: as -o ends, else text)').choices(formats),
    )
    .option('--json', 'the same as --format json')
    .option('-o, --output <file>', 'write to a file (default: standard output)')
    .option('--force', 'overwrite an existing file')
    .optionsGroup(HEADINGS.other);
}

interface DocumentFlags {
  readonly format?: ReportFormatName | undefined;
  readonly json?: boolean | undefined;
  readonly output?: string | undefined;
  readonly force?: boolean | undefined;
}

/** The format that was asked for; refuses to replace an existing file, or, even with --force, one of the runs that the document is made from. */
export function checkDocument(
  { format, json, output, force }: DocumentFlags,
  runs: readonly string[],
  formats: readonly ReportFormatName[],
): ReportFormatName {
  if (json && format !== undefined && format !== 'json')
    throw usageError(`--json and --format ${format} contradict each other: give one of them`);
  checkOutput(output, force ?? false);
  if (output !== undefined && runs.some((run) => isSameFile(run, output)))
    throw usageError(`${output}: is one of the runs in this document; choose another file`, output);
  return json ? 'json' : (format ?? formatOfFile(output, formats));
}

/** The formats that an extension means, the first that a document has. */
const EXTENSIONS: Readonly<Record<string, readonly ReportFormatName[]>> = {
  '.json': ['json'],
  '.md': ['md'],
  '.markdown': ['md'],
  '.html': ['html'],
  '.htm': ['html'],
  '.csv': ['csv', 'metrics-csv'],
  '.tex': ['latex'],
  '.xml': ['junit'],
};
/** Extensions of formats that Krisis does not write. */
const FOREIGN = [
  '.pdf',
  '.docx',
  '.doc',
  '.xlsx',
  '.xls',
  '.tsv',
  '.parquet',
  '.png',
  '.svg',
  '.jsonl',
  '.yaml',
  '.yml',
];

/** The format that the extension of a file asks for; text where it asks for none. */
export function formatOfFile(
  output: string | undefined,
  formats: readonly ReportFormatName[],
): ReportFormatName {
  const extension = extname(output ?? '').toLowerCase();
  const wanted = EXTENSIONS[extension];
  if (wanted === undefined && !FOREIGN.includes(extension)) return 'text';
  const found = wanted?.find((format) => formats.includes(format));
  if (found !== undefined) return found;
  const known = Object.entries(EXTENSIONS).filter(([, names]) =>
    names.some((name) => formats.includes(name)),
  );
  throw usageError(
    `${output}: there is no such format of this document; expected a file that ends in ${known.map(([name]) => name).join(', ')} or .txt, or --format`,
    output,
  );
}

/** Prints what exit code 3 means, which a command with a first screen also uses for an incomplete run, and sets the exit code. */
export function endWithVerdicts(verdicts: readonly GateVerdict[]): void {
  if (verdicts.length === 0) return;
  const code = gateExitCode(verdicts);
  process.exitCode = code;
  if (code !== 0)
    printMessage(
      `exit code ${code}: ${code === 1 ? 'a condition failed' : 'a condition cannot be decided'}\n`,
    );
}

/** How wide a document in text may be. */
export function documentWidth({ output }: DocumentFlags): number {
  return output === undefined ? textWidth() : fileWidth();
}

function isSameFile(run: string, output: string): boolean {
  try {
    return realpathSync(output) === realpathSync(run);
  } catch {
    return false;
  }
}

/** Writes a document, prints its verdicts and sets the exit code. */
export async function writeDocument(
  content: string | Iterable<string>,
  verdicts: readonly GateVerdict[],
  format: ReportFormatName,
  { output, force = false }: DocumentFlags,
): Promise<void> {
  // Colours are for a terminal: a file is the same wherever it was written.
  const isFileText = typeof content === 'string' && output !== undefined;
  await writeOutput(isFileText ? stripVTControlCharacters(content) : content, output, force);
  if (verdicts.length === 0) return;
  showVerdicts(verdicts, { isDocument: format !== 'text', output });
  endWithVerdicts(verdicts);
}
