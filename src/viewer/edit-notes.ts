import type { Hono } from 'hono';
import { KrisisError } from '../core/errors.ts';
import { RunFile } from '../store/run-file.ts';
import { changeNotes, type NotesChange, type RunNotes } from '../store/run-notes.ts';
import { jsonBody, limitBody } from './json-body.ts';
import { findPath, type ViewedPlace } from './open-runs.ts';

/** Changes the notes on a run of the viewed place, and returns all of them. */
export type NotesEditor = (id: string, change: NotesChange) => RunNotes;

export function notesEditor(place: ViewedPlace): NotesEditor {
  return (id, change) => {
    const path = findPath(place, id);
    if (place.withholdsText === true && isProtected(path))
      throw new KrisisError(
        `${id}: notes on runs of protected suites are not shown to other machines, and not changed by them`,
        { code: 'ERR_RUN_NOTES', value: id },
      );
    return changeNotes(path, change);
  };
}

function isProtected(path: string): boolean {
  return RunFile.use(path, (file) => file.manifest().sensitivity === 'protected');
}

const ADDRESS = /^\/api\/runs\/[^/]+\/notes$/;

/** Whether a request may write: only the notes on a run, and only in JSON, which pages of other sites cannot send unasked. */
export function isNotesRequest(method: string, path: string): boolean {
  return method === 'PUT' && ADDRESS.test(path);
}

/** The only address that writes: `PUT /api/runs/:id/notes`, with the fields to change. */
export function serveNotes(app: Hono, edit: NotesEditor): void {
  app.put('/api/runs/:id/notes', limitBody('notes are'), async (c) =>
    c.json(edit(c.req.param('id'), (await jsonBody(c)) as NotesChange)),
  );
}
