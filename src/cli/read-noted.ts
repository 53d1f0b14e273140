import { KrisisError } from '../core/errors.ts';
import { plain, plainLine } from '../core/plain-text.ts';
import type { RowNotice } from '../core/row-file/answer-reading.ts';
import type { OnRow } from '../core/row-file.ts';
import {
  accountLines,
  pathsText,
  type ReadAccount,
  type ReadResultsOptions,
  readResults,
} from '../files/read-results.ts';
import { noticeHint } from './hints.ts';
import { printMessage } from './print.ts';

/** What is odd about files of results, and how those of other tools were read: on standard error, once for all files that it is true of. */
export class FileNotes {
  readonly #notices: { readonly path: string; readonly text: string }[] = [];
  readonly #accounts: { readonly path: string; readonly account: ReadAccount }[] = [];

  addNotice(path: string, notice: RowNotice): void {
    const hint = noticeHint(notice);
    this.#notices.push({
      path: path === '-' ? 'standard input' : path,
      text: `${plain(notice.message)}${hint === null ? '' : `\n  ${hint}`}`,
    });
  }

  addAccount(path: string, account: ReadAccount): void {
    this.#accounts.push({ path, account });
  }

  print(): void {
    const accounts = Map.groupBy(this.#accounts, ({ account: { mapped } }) => JSON.stringify(mapped));
    const notices = Map.groupBy(this.#notices, ({ text }) => text);
    const lines = [
      ...[...accounts.values()].flatMap(accountLines),
      ...[...notices].map(([text, group]) => `! ${plain(pathsText(group.map(({ path }) => path)))}: ${text}`),
    ];
    if (lines.length > 0) printMessage(`${lines.join('\n')}\n`);
    this.#accounts.length = 0;
    this.#notices.length = 0;
  }
}

/** Reads a file of results, and collects what there is to say about it. Without `notes` it is printed when the file has been read. */
export async function readNoted(
  path: string,
  onRow: OnRow,
  options: ReadResultsOptions,
  notes?: FileNotes,
): Promise<ReadAccount | null> {
  const own = notes ?? new FileNotes();
  try {
    const account = await readResults(path, onRow, {
      onNotice: (notice) => own.addNotice(path, notice),
      ...options,
    });
    if (account !== null) own.addAccount(path, account);
    return account;
  } finally {
    if (notes === undefined) own.print();
  }
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
  const notes = new FileNotes();
  const runs = new Set<string>();
  let n = 0;
  let nRepeats = 0;
  const readFile = async (file: string) => {
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
      notes,
    );
  };
  try {
    for (const file of files) await readFile(file);
  } finally {
    notes.print();
  }
  if (model === undefined && runs.size > 1) throw severalRuns(files[0]!, [...runs]);
  if (model !== undefined && n === 0)
    throw new KrisisError(
      `--model: ${files[0]} has no run "${model}"; ${runs.size === 0 ? 'it names no models' : `its runs are: ${[...runs].join(', ')}`}`,
      { code: 'ERR_SEVERAL_RUNS', value: model },
    );
}
