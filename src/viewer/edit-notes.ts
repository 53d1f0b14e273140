import type { Hono } from 'hono';
import { changeNotes, type NotesChange, type RunNotes } from '../store/index.ts';
import { jsonBody, limitBody } from './json-body.ts';
import { pathOf, type ViewedPlace } from './open-runs.ts';

/** Changes the notes on a run of the viewed place, and returns all of them. */
export type NotesEditor = (id: string, change: NotesChange) => RunNotes;

export function notesEditor(place: ViewedPlace): NotesEditor {
  return (id, change) => changeNotes(pathOf(place, id), change);
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
