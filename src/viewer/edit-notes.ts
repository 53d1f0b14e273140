import type { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { HTTPException } from 'hono/http-exception';
import { changeNotes, type NotesChange, type RunNotes } from '../store/index.ts';
import { pathOf, type ViewedPlace } from './open-runs.ts';

/** Changes the notes on a run of the viewed place, and returns all of them. */
export type NotesEditor = (id: string, change: NotesChange) => RunNotes;

export function notesEditor(place: ViewedPlace): NotesEditor {
  return (id, change) => changeNotes(pathOf(place, id), change);
}

/** More than the longest notes, whatever has to be escaped. */
const LARGEST_BODY = 128 * 1024;
const ADDRESS = /^\/api\/runs\/[^/]+\/notes$/;

/** Whether a request may write: only the notes on a run, and only in JSON, which pages of other sites cannot send unasked. */
export function isNotesRequest(method: string, path: string): boolean {
  return method === 'PUT' && ADDRESS.test(path);
}

/** The only address that writes: `PUT /api/runs/:id/notes`, with the fields to change. */
export function serveNotes(app: Hono, edit: NotesEditor): void {
  app.put(
    '/api/runs/:id/notes',
    bodyLimit({
      maxSize: LARGEST_BODY,
      onError: () => {
        throw new HTTPException(413, { message: `notes are limited to ${LARGEST_BODY / 1024} KiB` });
      },
    }),
    async (c) => {
      if (c.req.header('origin') === undefined)
        throw new HTTPException(403, {
          message: 'only the page of this server may write: Origin is missing',
        });
      if (!/^application\/json\s*(;|$)/i.test(c.req.header('content-type') ?? ''))
        throw new HTTPException(415, { message: 'expected Content-Type: application/json' });
      const change: NotesChange = await c.req.json().catch(() => {
        throw new HTTPException(400, { message: 'expected a JSON object' });
      });
      return c.json(edit(c.req.param('id'), change));
    },
  );
}
