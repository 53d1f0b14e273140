import type { EntryWriter } from './entry-writer.ts';
import type { JournalRow } from './journal.ts';
import type { PromptTemplates } from './prompt-templates.ts';
import { rowCells } from './row-cells.ts';
import type { Statements } from './statements.ts';
import type { TextHashes } from './stored-text.ts';

/** The rows that a run has, and what is missing. */
export interface EnteredRows {
  /** Whether a record has its row, of this round of asking failed rows again or a later one. */
  isDone(recordId: string, repeat: number, round: number): boolean;
  /** How many rows are still to be asked: of selected records that are not done. */
  nMissing(repeats: number): number;
  /** Enters a row; `reply` is the text that is stored with its call. */
  enter(row: JournalRow, call: number | null, reply: string | null): void;
  /** Reads the rows again before they are next asked for. */
  forget(): void;
}

export function enteredRows(
  sql: Statements,
  writer: EntryWriter,
  templates: PromptTemplates,
  textKey: TextHashes,
): EnteredRows {
  /** The last attempt at each record with a row, by repeat. Read from the file once: no other process writes. */
  let done: Map<string, number>[] | null = null;
  const doneIn = (repeat: number) => {
    done ??= lastAttempts(sql);
    done[repeat] ??= new Map();
    return done[repeat];
  };
  const isDone = (recordId: string, repeat: number, round: number) =>
    (doneIn(repeat).get(recordId) ?? -1) >= round;
  return {
    isDone,
    nMissing(repeats) {
      let n = 0;
      for (const { id } of sql.iterate('SELECT id FROM records WHERE selected = 1'))
        for (let repeat = 0; repeat < repeats; repeat++) if (!isDone(id as string, repeat, 0)) n += 1;
      return n;
    },
    enter(row, call, reply) {
      const { recordId, repeat, attempt = 0, prompt, promptMode } = row;
      const template = prompt === null ? null : templates.idOf(promptMode, prompt);
      writer.insert('row', [recordId, repeat, attempt], rowCells(row, { call, reply, template, textKey }));
      doneIn(repeat).set(recordId, attempt);
    },
    forget() {
      done = null;
    },
  };
}

function lastAttempts(sql: Statements): Map<string, number>[] {
  const attempts: Map<string, number>[] = [];
  for (const row of sql.iterate(
    'SELECT record_id, repeat, max(attempt) AS attempt FROM rows GROUP BY record_id, repeat',
  )) {
    const repeat = Number(row.repeat);
    attempts[repeat] ??= new Map();
    attempts[repeat].set(row.record_id as string, Number(row.attempt));
  }
  return attempts;
}
