import { realpathSync } from 'node:fs';
import { extname } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { type Command, Option } from '@commander-js/extra-typings';
import { counted } from '../core/wording.ts';
import { type GateVerdict, gateExitCode } from '../runs/conditions/verdict.ts';
import {
  formatWithExtension,
  hasFigures,
  isFolder,
  listExtensions,
  REPORT_FORMAT_NAMES,
  type ReportFormatName,
} from '../runs/report-formats.ts';
import type { ReportContent } from '../runs/report-options.ts';
import { usageError } from './errors.ts';
import { showVerdicts } from './gate-options.ts';
import { HEADINGS } from './help.ts';
import { fileWidth, printMessage, printText, textWidth } from './print.ts';
import { checkOutput, checkOutputFolder, writeFolder, writeOutput } from './write-output.ts';

/** Adds the options of a command that makes a document: its format and where it goes. */
export function withDocumentOptions<
  Args extends unknown[],
  Opts extends Record<string, unknown>,
  const Name extends ReportFormatName,
>(command: Command<Args, Opts>, formats: readonly Name[]) {
  return command
    .optionsGroup(HEADINGS.output)
    .addOption(
      new Option('-f, --format <name>', 'output format (default: as -o ends, else text)').choices(formats),
    )
    .option('--json', 'the same as --format json')
    .option('-o, --output <file>', 'write to a file or folder (default: standard output)')
    .option('--force', 'overwrite an existing file')
    .optionsGroup(HEADINGS.other);
}

interface DocumentFlags<Name extends ReportFormatName = ReportFormatName> {
  readonly format?: Name | undefined;
  readonly json?: boolean | undefined;
  readonly output?: string | undefined;
  readonly force?: boolean | undefined;
  readonly figure?: string | undefined;
}

/** The format that was asked for; refuses to replace an existing file, or, even with --force, one of the runs that the document is made from. */
export function checkDocument<Name extends ReportFormatName>(
  flags: DocumentFlags<Name>,
  runs: readonly string[],
  formats: readonly Name[],
): Name | 'json' | 'text' {
  const { json, output, force = false } = flags;
  if (json && flags.format !== undefined && flags.format !== 'json')
    throw usageError(`--json and --format ${flags.format} contradict each other: give one of them`);
  // Only a format that was named can be several files.
  if (flags.format === undefined) checkOutput(output, force);
  const format = json ? 'json' : (flags.format ?? formatOfFile(output, formats));
  if (flags.figure !== undefined && !hasFigures(format))
    throw usageError(
      `--figure ${flags.figure}: a report as ${format} has no single figures; add --format svg or png`,
    );
  if (isFolder(format, flags.figure)) checkFolder(format, output, force);
  else checkOutput(output, force);
  if (output !== undefined && runs.some((run) => isSameFile(run, output)))
    throw usageError(`${output}: is one of the runs in this document; choose another file`, output);
  return format;
}

/** Several files need a folder, and a name that ends like one file asks for one figure. */
function checkFolder(format: ReportFormatName, output: string | undefined, force: boolean): void {
  if (output === undefined)
    throw usageError(`--format ${format} writes several files: name a folder for them with -o FOLDER`);
  if (hasFigures(format) && formatWithExtension(extname(output).toLowerCase(), [format]) === format)
    throw usageError(
      `${output}: which figure? Add --figure NAME (krisis report --help lists them), or name a folder for all of them: --format ${format} -o FOLDER`,
      output,
    );
  checkOutputFolder(output, force);
}

/** Extensions of formats that Krisis does not write. */
const FOREIGN = [
  '.pdf',
  '.docx',
  '.doc',
  '.xlsx',
  '.xls',
  '.tsv',
  '.jpg',
  '.jpeg',
  '.jsonl',
  '.yaml',
  '.yml',
];

/** The format that the extension of a file asks for; text where it asks for none. */
export function formatOfFile<Name extends ReportFormatName>(
  output: string | undefined,
  formats: readonly Name[],
): Name | 'text' {
  const extension = extname(output ?? '').toLowerCase();
  const format = formatWithExtension(extension, formats);
  if (format !== undefined) return format;
  const isKnown =
    FOREIGN.includes(extension) || formatWithExtension(extension, REPORT_FORMAT_NAMES) !== undefined;
  if (!isKnown) return 'text';
  throw usageError(
    `${output}: there is no such format of this document; expected a file that ends in ${[...new Set(listExtensions(formats))].join(', ')} or .txt`,
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
  content: ReportContent,
  verdicts: readonly GateVerdict[],
  format: ReportFormatName,
  { output, force = false }: DocumentFlags,
): Promise<void> {
  if (typeof content === 'object' && 'files' in content) {
    await writeFolder(content.files, output!, force);
    printText(`${output}: ${counted(Object.keys(content.files).length, 'file')}\n`);
    for (const file of Object.keys(content.files)) printText(`  ${file}\n`);
  } else {
    // Colours are for a terminal: a file is the same wherever it was written.
    const isFileText = typeof content === 'string' && output !== undefined;
    await writeOutput(isFileText ? stripVTControlCharacters(content) : content, output, force);
  }
  if (verdicts.length === 0) return;
  showVerdicts(verdicts, { format, output });
  endWithVerdicts(verdicts);
}
