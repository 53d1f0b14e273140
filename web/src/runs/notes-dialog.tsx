import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { RunLine, RunNotes } from '../api.ts';
import { useSource } from '../data/source-context.ts';
import { Dialog } from '../parts/dialog.tsx';

/** Edits name, tags and note of a run, and whether lists show it. */
export function NotesDialog({ run, close }: { run: RunLine; close: () => void }) {
  const { editNotes } = useSource();
  const client = useQueryClient();
  const field = useRef<HTMLInputElement>(null);
  const [name, setName] = useState(run.notes.name ?? '');
  const [tags, setTags] = useState(run.notes.tags.join(', '));
  const [note, setNote] = useState(run.notes.note ?? '');
  const [hidden, setHidden] = useState(run.notes.hidden);
  const saving = useMutation({
    mutationFn: () => {
      if (editNotes === undefined) throw new Error('This page cannot change notes.');
      return editNotes(run.id, changed(run.notes, { name, note, tags: tagsIn(tags), hidden }));
    },
    onSuccess: async () => {
      await client.invalidateQueries();
      close();
    },
  });
  return (
    <Dialog open close={close} title={`Notes on ${run.id}`} focus={field}>
      <form
        className="notes-form"
        onSubmit={(event) => {
          event.preventDefault();
          saving.mutate();
        }}
      >
        <label>
          Name
          <input
            ref={field}
            type="text"
            value={name}
            maxLength={200}
            onChange={(event) => setName(event.target.value)}
          />
        </label>
        <label>
          Tags, separated by commas
          <input type="text" value={tags} onChange={(event) => setTags(event.target.value)} />
        </label>
        <label>
          Note
          <textarea
            rows={5}
            value={note}
            maxLength={10_000}
            onChange={(event) => setNote(event.target.value)}
          />
        </label>
        <label className="check">
          <input type="checkbox" checked={hidden} onChange={(event) => setHidden(event.target.checked)} />{' '}
          Hide this run from lists
        </label>
        {saving.isError && (
          <p className="notice" role="alert">
            Not saved: {saving.error.message}
          </p>
        )}
        <button type="submit" disabled={saving.isPending}>
          {saving.isPending ? 'Saving …' : 'Save'}
        </button>
      </form>
    </Dialog>
  );
}

/** Only what the reader changed: another page may have changed the rest meanwhile. */
function changed(before: RunNotes, next: RunNotes): Partial<RunNotes> {
  return {
    ...(next.name !== (before.name ?? '') && { name: next.name }),
    ...(next.note !== (before.note ?? '') && { note: next.note }),
    ...(next.tags.join('\n') !== before.tags.join('\n') && { tags: next.tags }),
    ...(next.hidden !== before.hidden && { hidden: next.hidden }),
  };
}

function tagsIn(typed: string): string[] {
  return typed
    .split(',')
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '');
}
