import type { EntryWriter } from './entry-writer.ts';
import type { Statements } from './statements.ts';

/** The prompt templates of a run, each stored once. */
export interface PromptTemplates {
  /** The number of a prompt's template. A backend gives the same object for all its prompts of a kind: its text is made once. */
  idOf(mode: string, prompt: unknown): number;
  /** The same for a prompt that is JSON already. */
  idOfJson(mode: string, prompt: string): number;
  /** Drops what is remembered of entries that were rolled back. */
  forget(): void;
}

export function promptTemplates(sql: Statements, writer: EntryWriter): PromptTemplates {
  const ids = new Map<string, number>();
  let idsOfObjects = new WeakMap<object, number>();
  const templates: PromptTemplates = {
    idOf(mode, prompt) {
      if (typeof prompt !== 'object' || prompt === null)
        return templates.idOfJson(mode, JSON.stringify(prompt));
      const known = idsOfObjects.get(prompt);
      if (known !== undefined) return known;
      const id = templates.idOfJson(mode, JSON.stringify(prompt));
      idsOfObjects.set(prompt, id);
      return id;
    },
    idOfJson(mode, prompt) {
      const known = ids.get(prompt);
      if (known !== undefined) return known;
      writer.insert('template', [], { mode, prompt });
      const id = Number(sql.get('SELECT id FROM templates WHERE prompt = ?', prompt)!.id);
      ids.set(prompt, id);
      return id;
    },
    forget() {
      ids.clear();
      idsOfObjects = new WeakMap();
    },
  };
  return templates;
}
