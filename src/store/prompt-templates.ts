import type { EntryWriter } from './entry-writer.ts';
import type { Statements } from './statements.ts';
import { TEMPLATES } from './tables.ts';

/** The prompt templates of a run, each stored once. */
export class PromptTemplates {
  readonly #sql: Statements;
  readonly #writer: EntryWriter;
  readonly #ids = new Map<string, number>();
  #idsOfObjects = new WeakMap<object, number>();

  constructor(sql: Statements, writer: EntryWriter) {
    this.#sql = sql;
    this.#writer = writer;
  }

  /** The number of a prompt's template. A backend gives the same object for all its prompts of a kind: its text is made once. */
  idOf(mode: string, prompt: object): number {
    const known = this.#idsOfObjects.get(prompt);
    if (known !== undefined) return known;
    const id = this.idOfJson(mode, JSON.stringify(prompt));
    this.#idsOfObjects.set(prompt, id);
    return id;
  }

  /** The same for a prompt that is JSON already. */
  idOfJson(mode: string, prompt: string): number {
    const known = this.#ids.get(prompt);
    if (known !== undefined) return known;
    const id =
      this.#writer.insert(TEMPLATES, { mode, prompt }) ??
      Number(this.#sql.get('SELECT seq FROM templates WHERE prompt = ?', prompt)!.seq);
    this.#ids.set(prompt, id);
    return id;
  }

  /** Drops what is remembered of entries that were rolled back. */
  forget(): void {
    this.#ids.clear();
    this.#idsOfObjects = new WeakMap();
  }
}
