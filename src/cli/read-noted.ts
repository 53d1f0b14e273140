import { KrisisError } from '../core/errors.ts';
import { plainLine } from '../core/plain-text.ts';
import type { OnRow } from '../core/row-file.ts';
import {
  accountLines,
  type ReadAccount,
  type ReadResultsOptions,
  readResults,
} from '../files/read-results.ts';
import { showNotice } from './hints.ts';
import { printMessage } from './print.ts';

/** Reads a file of results, and says on standard error what is odd about it, and how the file of another tool was read. */
export async function readNoted(
  path: string,
  onRow: OnRow,
  options: ReadResultsOptions,
): Promise<ReadAccount | null> {
  const account = await readResults(path, onRow, {
    onNotice: (notice) => showNotice(notice, path),
    ...options,
  });
  if (account !== null) printMessage(`${accountLines(path, account).join('\n')}\n`);
  return account;
}

/** The error where a file has several runs, and one is needed. */
export function severalRuns(path: string, names: readonly string[]): KrisisError {
  return new KrisisError(
    `${path}: ${names.length} runs: ${names.map((name) => plainLine(name, 60)).join(', ')}; expected one (krisis score --model NAME chooses it; krisis compare reads all)`,
    { code: 'ERR_SEVERAL_RUNS', value: path },
  );
}

/** Reads the rows of one run: of one file, or of several that are its repeats. `model` names the run of a file with several. */
export async function readFiles(
  files: readonly string[],
  onRow: OnRow,
  { model, ...options }: ReadResultsOptions & { readonly model: string | undefined },
): Promise<void> {
  const runs = new Set<string>();
  let n = 0;
  let nRepeats = 0;
  for (const file of files) {
    const start = nRepeats;
    await readNoted(
      file,
      (row, place) => {
        if (place.model !== null) runs.add(place.model);
        if (model !== undefined && place.model !== model) return;
        if (files.length > 1 && row.id === null)
          throw new KrisisError(
            `${file}: a row without an id; the rows of repeats need ids (--columns id=NAME)`,
            { code: 'ERR_ROW_FILE', value: file },
          );
        n += 1;
        const repeat = start + place.repeat;
        nRepeats = Math.max(nRepeats, repeat + 1);
        onRow(row, { ...place, repeat });
      },
      options,
    );
  }
  if (model === undefined && runs.size > 1) throw severalRuns(files[0]!, [...runs]);
  if (model !== undefined && n === 0)
    throw new KrisisError(
      `--model: ${files[0]} has no run "${model}"; ${runs.size === 0 ? 'it names no models' : `its runs are: ${[...runs].join(', ')}`}`,
      { code: 'ERR_SEVERAL_RUNS', value: model },
    );
}
